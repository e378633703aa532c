//! A match as it is played, for everybody who watches: a page, and a stream of events (server-sent events, WHATWG HTML,
//! section 9.2) that keeps it up to date.
//!
//! Nothing in here looks at what a seat has sent before its decision is closed: a stream is made of public entries alone,
//! and an entry that says nothing to the public, such as a seat's key, moves nothing in it.

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

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Book>> {
    Router::new()
        .route("/m/{slug}/live", get(watch::page_of))
        .route("/m/{slug}/events", get(events::stream))
        .layer(Extension(Arc::new(stands::Stands::default())))
}
