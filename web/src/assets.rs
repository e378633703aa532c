//! Style, script and icon, served from memory.

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;
use axum::routing::get;

const CSS: &str = include_str!("../assets/matchbook.css");
const SCRIPT: &str = include_str!("../assets/matchbook.js");
const UMPIRE_SCRIPT: &str = include_str!("../assets/umpire.js");
const ICON: &str = include_str!("../assets/favicon.svg");

/// The assets.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/assets/matchbook.css", get(|| asset("text/css; charset=utf-8", CSS)))
        .route("/assets/matchbook.js", get(|| asset("text/javascript; charset=utf-8", SCRIPT)))
        .route("/assets/umpire.js", get(|| asset("text/javascript; charset=utf-8", UMPIRE_SCRIPT)))
        .route("/assets/favicon.svg", get(|| asset("image/svg+xml", ICON)))
        .route("/favicon.ico", get(|| asset("image/svg+xml", ICON)))
}

async fn asset(kind: &'static str, content: &'static str) -> impl IntoResponse {
    let cache = HeaderValue::from_static("public, max-age=3600");
    ([(header::CONTENT_TYPE, HeaderValue::from_static(kind)), (header::CACHE_CONTROL, cache)], content)
}
