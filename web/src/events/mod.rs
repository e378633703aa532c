//! Tournaments: their matches, and how their players stand.

mod event;
mod list;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

use crate::book::Book;

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Book>> {
    Router::new().route("/events", get(list::list)).route("/events/{name}", get(event::event))
}
