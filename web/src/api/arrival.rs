//! The arrival time of a seat's submission: taken when its body is complete, before any lookup. Due decisions wait for
//! it, so that nobody is late because of a slow database.

use app::book::{Book, Underway};
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode};

use super::once::{BODY_MAX_BYTES, Came};
use crate::page::Problem;

/// The address for submissions.
pub(super) const SUBMISSIONS: &str = "/api/v1/seat/submissions";

/// The error for a body that is larger than any valid request.
pub(super) fn too_large() -> Problem {
    let detail = "This is larger than any request of ours: at most 256 kB.";
    Problem { status: StatusCode::PAYLOAD_TOO_LARGE, title: "Too large", ..Problem::refused(detail) }
}

/// Reads a submission completely and notes its arrival; any other request is unchanged.
pub(super) async fn note(book: &Book, request: Request) -> Result<(Request, Option<Underway>), Problem> {
    if request.method() != Method::POST || request.uri().path() != SUBMISSIONS {
        return Ok((request, None));
    }
    let (mut parts, body) = request.into_parts();
    let body = to_bytes(body, BODY_MAX_BYTES).await.map_err(|_| too_large())?;
    let came = book.mint().now();
    parts.extensions.insert(Came(came));
    Ok((Request::from_parts(parts, Body::from(body)), Some(book.arrived_somewhere(came))))
}
