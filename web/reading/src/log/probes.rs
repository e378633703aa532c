//! The endpoints for whatever restarts this process, and for whatever shares requests out among nodes.

use std::sync::Arc;

use app::App;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::{TEXT, UNKEPT};

/// `GET /livez`: this process answers. It depends on nothing else: a restart mends no database.
pub(super) async fn live() -> Response {
    ([UNKEPT, TEXT], "alive\n").into_response()
}

/// `GET /readyz`: requests should be sent to this node; 503 with the reason if they should not.
pub(super) async fn ready(State(app): State<Arc<App>>) -> Response {
    match app.ready() {
        Ok(()) => ([UNKEPT, TEXT], "ready\n").into_response(),
        Err(reason) => (StatusCode::SERVICE_UNAVAILABLE, [UNKEPT, TEXT], format!("{reason}\n")).into_response(),
    }
}
