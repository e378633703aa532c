//! A running match for spectators: a page, and a stream of events (server-sent events, WHATWG HTML, section 9.2) that
//! keeps it up to date.
//!
//! Nothing here reads a seat's submissions before their decision is closed. A stream is made only of public entries,
//! and an entry without a public event, such as a seat's key, changes nothing in it.

mod crowd;
mod event;
mod events;
mod now;
mod stand;
mod stands;
mod told;
mod watch;

use std::sync::Arc;

use app::book::Book;
use axum::routing::get;
use axum::{Extension, Router};

pub use crowd::patient;

pub(crate) fn routes() -> Router<Arc<Book>> {
    Router::new()
        .route("/m/{slug}/live", get(watch::page_of))
        .route("/m/{slug}/events", get(events::stream))
        .layer(Extension(Arc::new(stands::Stands::default())))
}
