//! Soon.

use axum::response::{IntoResponse, Response};

/// Soon.
pub(super) async fn show() -> Response {
    axum::http::StatusCode::NOT_IMPLEMENTED.into_response()
}

/// Soon.
pub(super) async fn send() -> Response {
    axum::http::StatusCode::NOT_IMPLEMENTED.into_response()
}
