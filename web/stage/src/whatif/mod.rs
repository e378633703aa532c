//! Another move from a moment of a finished match, and its consequences by the rules.
//!
//! The variation exists only in the address of its page: nothing is stored, recorded or drawn. It only reads a history,
//! and only of a match whose result was entered.

mod answer_fields;
mod question;
mod show;
mod starting_point;
mod variation;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

use app::App;
use axum::routing::get;
use axum::{Extension, Router};
use tokio::sync::Semaphore;

#[derive(Debug)]
struct ReplayPermits(Semaphore);

pub fn routes() -> Router<Arc<App>> {
    let permits = ReplayPermits(Semaphore::new(available_parallelism().map_or(1, NonZeroUsize::get)));
    Router::new()
        .route("/m/{slug}/r/{row}/{beat}/what-if", get(show::show))
        .route("/m/{slug}/struck/{entry}/r/{row}/{beat}/what-if", get(show::struck))
        .layer(Extension(Arc::new(permits)))
}
