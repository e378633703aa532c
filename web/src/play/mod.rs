//! The players' own pages: a private link to a seat, the questions, the submissions, and the receipts.
//!
//! These pages are only for the seat: no cache stores them, no address of them is sent as a referrer, and they show
//! nothing that the other seat does, not even that it has sent something.

mod follow;
mod key;
mod last;
mod moves;
mod player;
mod question;
mod ready;
mod receipt;
mod receipts;
mod received;
mod seat;
mod stands;
mod submit;

use std::sync::Arc;

use app::book::Book;
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::{get, post};

pub(crate) fn routes() -> Router<Arc<Book>> {
    Router::new()
        .route("/play/{token}", get(follow::ask).post(follow::swap))
        .route("/play/m/{slug}/{seat}", get(seat::show))
        .route("/play/m/{slug}/{seat}/stands", get(stands::show))
        .route("/play/m/{slug}/{seat}/submit", post(submit::send).get(seat::back))
        .route("/play/m/{slug}/{seat}/ready", post(ready::say).get(seat::back))
        .route("/play/m/{slug}/{seat}/read", post(submit::read).get(seat::back))
        .route("/play/m/{slug}/{seat}/object", post(moves::object).get(seat::back))
        .route("/play/m/{slug}/{seat}/key", post(key::register).get(seat::back))
        .route("/play/m/{slug}/{seat}/receipts.jsonl", get(receipts::file))
        .route("/play/m/{slug}/{seat}/receipt/{decision}/{ordinal}", get(receipt::show))
        .route("/play/m/{slug}/{seat}/receipt/{decision}/{ordinal}/file", get(receipt::file))
        .layer(map_response(private))
}

/// Keeps an answer out of every cache, and its address out of the referrer of links.
async fn private(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
