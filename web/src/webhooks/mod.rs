//! Outgoing webhooks (Standard Webhooks, standardwebhooks.com): public events, sent to addresses that umpires name.
//!
//! The messages follow from positions in the log, so a crash loses none. One node at a time sends them, each match's
//! events in order, at least once. Every event is an entry.

mod deliver;
mod form;
mod list;
mod outbox;
mod payload;
mod schedule;
mod show;

use std::sync::Arc;

use app::book::Book;
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::get;

pub use deliver::{Courier, deliver};

pub(crate) fn routes() -> Router<Arc<Book>> {
    Router::new()
        .route("/umpire/webhooks", get(list::show).post(list::add))
        .route("/umpire/webhooks/{id}", get(show::show).post(show::act))
        .layer(map_response(unkept))
}

/// Some of these answers contain a secret, so no cache may store them.
async fn unkept(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
