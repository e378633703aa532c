//! Outgoing webhooks (Standard Webhooks, standardwebhooks.com): what happens in public, sent to addresses that umpires name.
//!
//! What is to be sent follows from the log's positions, so that nothing is forgotten by a crash; one node at a time sends
//! it, each match's events in their order, at least once. Nothing is told that is not an entry.

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

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Book>> {
    Router::new()
        .route("/umpire/webhooks", get(list::show).post(list::add))
        .route("/umpire/webhooks/{id}", get(show::show).post(show::act))
        .layer(map_response(unkept))
}

/// A secret is in one of these answers: no cache keeps any.
async fn unkept(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
