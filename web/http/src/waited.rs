//! Answers that wait for no standby any more.

use axum::response::Response;

/// Marks an answer that acknowledges nothing, or whose commits have waited for the synchronous standbys by themselves, also
/// where they were found done. Every other answer to an act waits once more.
#[derive(Clone, Copy, Debug)]
pub struct Waited;

impl Waited {
    pub fn mark(mut response: Response) -> Response {
        response.extensions_mut().insert(Self);
        response
    }
}
