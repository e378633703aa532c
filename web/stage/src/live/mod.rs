//! A running match for spectators: a page, and a stream of events (server-sent events, WHATWG HTML, section 9.2) that
//! keeps it up to date.
//!
//! Nothing here reads a seat's submissions before their decision is closed. A stream is made only of public entries,
//! and an entry without a public event, such as a seat's key, changes nothing in it.

mod connection_limit;
mod event;
mod event_stream;
mod event_view;
mod feed_registry;
mod live_page;
mod match_feed;
mod round_row;
mod state_view;

use std::sync::Arc;

use app::App;
use axum::routing::get;
use axum::{Extension, Router};

pub use connection_limit::prepare_connection;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/m/{slug}/live", get(live_page::page_of))
        .route("/m/{slug}/events", get(event_stream::stream))
        .route("/live/events", get(event_stream::stream_of_many))
        .layer(Extension(Arc::new(feed_registry::FeedRegistry::default())))
}
