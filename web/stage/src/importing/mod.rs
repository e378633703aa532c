//! Imported matches: a pasted text or a file becomes a preview, line by line, and is entered after confirmation.
//!
//! Nothing is stored before somebody confirms it, and the same text is read again at that time.

mod columns;
mod duplicates;
mod import_form;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::routing::get;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/umpire/import", get(import_form::show).post(import_form::send))
        .route("/umpire/import/columns", get(columns::show))
        .route("/umpire/import/columns/{game}/{file}", get(columns::file))
}
