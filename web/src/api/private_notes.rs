//! Notes that the umpires of a match write for each other. They are in no entry and in no public answer.

use app::App;
use app::text::Purpose;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::json;
use super::match_context::{ActRequest, UmpireRequest, public_text};
use super::request::Body;
use super::shapes::time;
use crate::http::Problem;

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
    notes: Vec<PrivateNote>,
}

/// A note.
#[derive(Serialize, ToSchema)]
struct PrivateNote {
    /// Who wrote it, by pseudonym.
    #[schema(example = "3f9a1c0b7d2e")]
    umpire: String,
    at: String,
    text: String,
}

async fn all(app: &App, match_id: ledger::MatchId, status: StatusCode) -> Result<Response, Problem> {
    let notes = app.umpires.notes(match_id).await?.into_iter();
    let notes = notes.map(|note| PrivateNote { umpire: note.umpire, at: time(note.at), text: note.text });
    json(status, &PrivateNoteList { notes: notes.collect() })
}

/// What the umpires noted for each other
#[utoipa::path(get, path = "/api/v1/matches/{slug}/private-notes", tag = "umpire", operation_id = "listPrivateNotes",
    responses((status = 200, description = "Oldest first.", body = PrivateNoteList)))]
pub(super) async fn list(request: UmpireRequest) -> Result<Response, Problem> {
    all(request.app(), request.match_id().await?, StatusCode::OK).await
}

/// Note something for the umpires alone
#[utoipa::path(post, path = "/api/v1/matches/{slug}/private-notes", tag = "umpire", operation_id = "keepPrivateNote", request_body = NewPrivateNote,
    responses((status = 201, description = "Kept: all notes of the match.", body = PrivateNoteList)))]
pub(super) async fn keep(
    ActRequest { request, act }: ActRequest,
    Body(note): Body<NewPrivateNote>,
) -> Result<Response, Problem> {
    let match_id = request.match_id().await?;
    request.app().umpires.keep_note(&act, match_id, public_text(Purpose::Note, &note.text)?).await?;
    all(request.app(), match_id, StatusCode::CREATED).await
}
