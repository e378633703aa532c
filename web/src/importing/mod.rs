//! Matches of the past: a pasted text or a file becomes a preview, line by line, and what is confirmed there is entered.
//!
//! Nothing is stored before somebody confirms it, and the same text is read again then.

mod columns;
mod confirm;
mod twins;

use std::sync::Arc;

use app::book::Book;
use axum::Router;
use axum::routing::get;

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Book>> {
    Router::new()
        .route("/umpire/import", get(confirm::show).post(confirm::send))
        .route("/umpire/import/columns", get(columns::show))
        .route("/umpire/import/columns/{game}/{file}", get(columns::file))
}
