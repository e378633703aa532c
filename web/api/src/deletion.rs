//! Deleting a practice match whole. Recorded matches cannot be deleted.

use app::Scope;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::match_context::{OwnMatch, refused};
use web_http::Problem;

/// Delete a practice match whole
///
/// Moves, words, links, receipts and kept answers go at once, and cannot be brought back. Only the umpire who runs it may,
/// and a match of the record never goes.
#[utoipa::path(delete, path = "/api/v1/matches/{slug}", tag = "umpire", operation_id = "deletePractice",
    params(("slug" = String, Path, description = "The practice match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "c92hpq4x0a")),
    responses((status = 204, description = "It is gone, and nothing shows that it was played.")))]
pub(super) async fn delete(OwnMatch { umpire, match_id, history }: OwnMatch) -> Result<Response, Problem> {
    if Scope::of(match_id) != Scope::Practice {
        return Err(Problem::refused(
            "This match is in the record, and what is there stays. It can be ruled void: a ruling with the result `void`.",
        ));
    }
    let deleted = umpire.app.commands.delete_practice(&umpire.by(), match_id).await;
    deleted.map_err(|error| refused(&history, error))?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
