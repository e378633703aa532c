//! Notes that a match's umpire and the helpers write for each other. They are in no entry and in no public answer.

use app::text::Purpose;
use app::umpires::Note;
use axum::http::StatusCode;
use axum::response::Response;
use record::History;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::json;
use super::caller::Umpire;
use super::idempotency::Key;
use super::match_context::{OwnMatch, public_text};
use super::request::Body;
use web_http::Problem;

/// A note to keep.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewPrivateNote {
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "Bo asked twice what Block does.")]
    text: String,
}

/// The notes of a match, oldest first.
#[derive(Serialize, ToSchema)]
struct PrivateNoteList {
    notes: Vec<Note>,
}

async fn all(umpire: &Umpire, history: &History, status: StatusCode) -> Result<Response, Problem> {
    let notes = umpire.app.umpires.notes(history, &umpire.by()).await?;
    json(status, &PrivateNoteList { notes })
}

/// What its umpire and the helpers noted for each other
#[utoipa::path(get, path = "/api/v1/matches/{slug}/private-notes", tag = "umpire", operation_id = "listPrivateNotes",
    responses((status = 200, description = "Oldest first.", body = PrivateNoteList)))]
pub(super) async fn list(OwnMatch { umpire, history, .. }: OwnMatch) -> Result<Response, Problem> {
    all(&umpire, &history, StatusCode::OK).await
}

/// Note something for its umpire and the helpers alone
#[utoipa::path(post, path = "/api/v1/matches/{slug}/private-notes", tag = "umpire", operation_id = "keepPrivateNote", request_body = NewPrivateNote,
    responses((status = 201, description = "Kept: all notes of the match.", body = PrivateNoteList)))]
pub(super) async fn keep(
    OwnMatch { umpire, history, .. }: OwnMatch,
    key: Key,
    Body(note): Body<NewPrivateNote>,
) -> Result<Response, Problem> {
    let act = umpire.act(&key);
    umpire.app.umpires.keep_note(&history, &act, public_text(Purpose::Note, &note.text)?).await?;
    all(&umpire, &history, StatusCode::CREATED).await
}
