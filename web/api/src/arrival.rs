//! The arrival time of a seat's submission: taken when its body is complete, before any lookup. Due decisions wait for
//! it, so that nobody is late because of a slow database.

use app::{App, InFlight};
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::Method;

use super::idempotency::{ArrivedAt, BODY_MAX_BYTES};
use super::request::too_large;
use web_http::Problem;

const SUBMISSIONS: &str = "/api/v1/seat/submissions";
/// The address for openings of shares.
const OPENINGS: &str = "/api/v1/seat/openings";

/// True if a request to this address counts as of its arrival.
fn is_timed(path: &str) -> bool {
    [SUBMISSIONS, OPENINGS].contains(&path)
}

pub(super) async fn note(app: &App, request: Request) -> Result<(Request, Option<InFlight>), Problem> {
    if request.method() != Method::POST || !is_timed(request.uri().path()) {
        return Ok((request, None));
    }
    let (mut parts, body) = request.into_parts();
    let body = to_bytes(body, BODY_MAX_BYTES).await.map_err(|_| too_large())?;
    let arrived_at = app.system().now();
    parts.extensions.insert(ArrivedAt(arrived_at));
    Ok((Request::from_parts(parts, Body::from(body)), Some(app.arrivals.note_for_any_match(arrived_at))))
}
