//! The players' own pages: a private link to a seat, the questions, the submissions, and the receipts.
//!
//! These pages are only for the seat: no cache stores them, no address of them is sent as a referrer, and they show
//! nothing that the other seat does, not even that it has sent something.

mod confirmation;
mod last_round;
mod late_answer;
mod link_notice;
mod player;
mod private_link;
mod progress;
mod provenance;
mod question;
mod ready;
mod receipt;
mod receipts;
mod recorded_moves;
mod seat_key;
mod seat_page;
mod share;
mod submit;
mod umpire_said;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::{get, post};

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/play/{token}", get(private_link::ask).post(private_link::exchange))
        .route("/play/m/{slug}/{seat}", get(seat_page::show))
        .route("/play/m/{slug}/{seat}/stands", get(progress::show))
        .route("/play/m/{slug}/{seat}/submit", post(submit::send).get(seat_page::back))
        .route("/play/m/{slug}/{seat}/open", post(share::open).get(seat_page::back))
        .route("/play/m/{slug}/{seat}/ready", post(ready::say).get(seat_page::back))
        .route("/play/m/{slug}/{seat}/read", post(submit::read).get(seat_page::back))
        .route("/play/m/{slug}/{seat}/object", post(recorded_moves::object).get(seat_page::back))
        .route("/play/m/{slug}/{seat}/key", post(seat_key::register).get(seat_page::back))
        .route("/play/m/{slug}/{seat}/receipts.jsonl", get(receipts::file))
        .route("/play/m/{slug}/{seat}/receipt/{decision}/{ordinal}", get(receipt::show))
        .route("/play/m/{slug}/{seat}/receipt/{decision}/{ordinal}/file", get(receipt::file))
        .layer(map_response(private))
}

async fn private(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
