//! When a seat's submission arrived: as soon as it is here whole, before anything is looked up. What is due meanwhile waits
//! for it, so that nobody is late because the database was.

use app::book::{Book, Underway};
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode};

use super::once::{BODY_MAX_BYTES, Came};
use crate::page::Problem;

/// Where seats submit.
pub(super) const SUBMISSIONS: &str = "/api/v1/seat/submissions";

/// A body that is larger than any request of ours.
pub(super) fn too_large() -> Problem {
    let detail = "This is larger than any request of ours: at most 256 kB.";
    Problem { status: StatusCode::PAYLOAD_TOO_LARGE, title: "Too large", ..Problem::refused(detail) }
}

/// Takes a submission in whole and notes when it came; any other request stays as it is.
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
