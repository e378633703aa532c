//! Notes that the umpires of a match write for each other. They are in no entry and in no public answer.

use app::App;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::SecondsFormat;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

use super::answer::{Acts, OwnReads, json};
use super::caller::Umpire;
use super::once::Key;
use super::ruling::said;
use super::sent::{Body, Named, act};
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
    let notes = notes.map(|note| Note {
        umpire: note.umpire,
        at: note.at.to_rfc3339_opts(SecondsFormat::Micros, true),
        text: note.text,
    });
    json(status, &List { notes: notes.collect() })
}

/// What the umpires noted for each other
#[utoipa::path(get, path = "/api/v1/matches/{slug}/private-notes", tag = "umpire", operation_id = "listPrivateNotes",
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731")),
    security(("token" = [])),
    responses((status = 200, description = "Oldest first.", body = List), OwnReads))]
pub(super) async fn list(State(app): State<Arc<App>>, _: Umpire, slug: Named) -> Result<Response, Problem> {
    all(&app, slug.id(&app).await?, StatusCode::OK).await
}

/// Note something for the umpires alone
#[utoipa::path(post, path = "/api/v1/matches/{slug}/private-notes", tag = "umpire", operation_id = "keepPrivateNote", request_body = NewNote,
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731"),
        ("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "private-1")),
    security(("token" = [])),
    responses((status = 201, description = "Kept: all notes of the match.", body = List), Acts))]
pub(super) async fn keep(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: Named,
    key: Key,
    Body(note): Body<NewNote>,
) -> Result<Response, Problem> {
    let match_id = slug.id(&app).await?;
    let text = said(&note.text, "A note says something.")?;
    app.umpires.keep_note(&act(umpire.by(), &key), match_id, text).await?;
    all(&app, match_id, StatusCode::CREATED).await
}
