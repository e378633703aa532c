//! The log for its followers: checkpoint, tiles and entries (C2SP tlog-tiles), proofs, and a page of instructions.
//!
//! Nothing here is secret, and only data covered by a signed checkpoint is served.

mod about;
mod health;
mod probes;
mod proof;
mod tiles;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::routing::get;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/checkpoint", get(tiles::checkpoint))
        .route("/tile/{*path}", get(tiles::tile))
        .route("/api/v1/proof/inclusion", get(proof::inclusion))
        .route("/api/v1/proof/consistency", get(proof::consistency))
        .route("/m/{slug}/entries/{seq}/proof", get(proof::entry))
        .route("/log", get(about::show))
        .route("/healthz", get(health::show))
        .route("/livez", get(probes::live))
        .route("/readyz", get(probes::ready))
}

/// Lets pages of other sites read it.
const FOR_ALL: (HeaderName, HeaderValue) = (header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));

/// Forbids caching of data that changes.
const UNKEPT: (HeaderName, HeaderValue) = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));

const TEXT: (HeaderName, HeaderValue) = (header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
