//! Imported matches: a pasted text or a file becomes a preview, line by line, and is entered after confirmation.
//!
//! Nothing is stored before somebody confirms it, and the same text is read again at that time.

mod columns;
mod confirm;
mod twins;

use std::sync::Arc;

use app::book::Book;
use axum::Router;
use axum::routing::get;

pub(crate) fn routes() -> Router<Arc<Book>> {
    Router::new()
        .route("/umpire/import", get(confirm::show).post(confirm::send))
        .route("/umpire/import/columns", get(columns::show))
        .route("/umpire/import/columns/{game}/{file}", get(columns::file))
}
