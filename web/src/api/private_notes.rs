//! Notes that the umpires of a match write for each other. They are in no entry and in no public answer.

use std::sync::Arc;

use app::App;
use app::text::Purpose;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::json;
use super::caller::Umpire;
use super::idempotency::Key;
use super::match_context::public_text;
use super::request::{Body, MatchSlug, act};
use super::shapes::time;
use crate::http::Problem;

/// A note to keep.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewPrivateNote)]
pub(super) struct NewNote {
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "Bo asked twice what Block does.")]
    text: String,
}

/// The notes of a match, oldest first.
#[derive(Serialize, ToSchema)]
#[schema(as = PrivateNoteList)]
struct List {
    notes: Vec<Note>,
}

/// A note.
#[derive(Serialize, ToSchema)]
#[schema(as = PrivateNote)]
struct Note {
    /// Who wrote it, by pseudonym.
    #[schema(example = "3f9a1c0b7d2e")]
    umpire: String,
    at: String,
    text: String,
}

async fn all(app: &App, match_id: ledger::MatchId, status: StatusCode) -> Result<Response, Problem> {
    let notes = app.umpires.notes(match_id).await?.into_iter();
    let notes = notes.map(|note| Note { umpire: note.umpire, at: time(note.at), text: note.text });
    json(status, &List { notes: notes.collect() })
}

/// What the umpires noted for each other
#[utoipa::path(get, path = "/api/v1/matches/{slug}/private-notes", tag = "umpire", operation_id = "listPrivateNotes",
    responses((status = 200, description = "Oldest first.", body = List)))]
pub(super) async fn list(State(app): State<Arc<App>>, _: Umpire, slug: MatchSlug) -> Result<Response, Problem> {
    all(&app, slug.id(&app).await?, StatusCode::OK).await
}

/// Note something for the umpires alone
#[utoipa::path(post, path = "/api/v1/matches/{slug}/private-notes", tag = "umpire", operation_id = "keepPrivateNote", request_body = NewNote,
    responses((status = 201, description = "Kept: all notes of the match.", body = List)))]
pub(super) async fn keep(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: MatchSlug,
    key: Key,
    Body(note): Body<NewNote>,
) -> Result<Response, Problem> {
    let match_id = slug.id(&app).await?;
    app.umpires.keep_note(&act(umpire.by(), &key), match_id, public_text(Purpose::Note, &note.text)?).await?;
    all(&app, match_id, StatusCode::CREATED).await
}
