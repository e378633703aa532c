//! The check of a match: the findings in plain words, and the bytes for checking by hand.

mod by_hand;
mod check;
mod entries;
mod file_cache;
mod standalone_file;

pub use standalone_file::file;

use std::sync::Arc;

use app::App;
use axum::routing::get;
use axum::{Extension, Router};

pub fn routes(app: &App) -> Router<Arc<App>> {
    Router::new()
        .route("/m/{slug}/verify", get(check::check))
        .route("/m/{slug}/verify.html", get(standalone_file::whole))
        .layer(Extension(Arc::new(file_cache::FileCache::of(app.matches.cache()))))
}
