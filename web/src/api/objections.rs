//! "This is not what I sent": made by a seat, answered by the umpire. A match cannot end before the answer.

use app::App;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use ledger::Seq;
use record::Objection;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

use super::answer::{Acts, OwnReads, json};
use super::caller::{Seated, Umpire};
use super::once::Key;
use super::playing::{settled, stands};
use super::ruling::{known_clause, said};
use super::sent::{Body, Named, act, form, seen};
use super::shape::{SeatWord, Stands};
use crate::http::Problem;
use crate::http::whole::whole;
use crate::page::{HeadJson, Shown};

/// An objection to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewObjection)]
pub(super) struct NewObjection {
    /// The step in which something stands for the seat that it did not send.
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 1, example = 3)]
    step: u32,
    /// What it did send: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "I sent Grow, not Claim.")]
    text: String,
}

/// An umpire's answer to an objection, where the step stays as it is. Correcting or striking the step answers it, too.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ObjectionAnswer)]
pub(super) struct Answer {
    /// The head that you read.
    head: HeadJson,
    /// The entry of the objection.
    #[serde(deserialize_with = "whole")]
    #[schema(example = 12)]
    objection: u32,
    /// What was decided, and why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "The message in the chat says Claim.")]
    text: String,
    /// The clause that it rests on.
    #[serde(default)]
    #[schema(nullable = false, max_length = 40)]
    clause: Option<String>,
}

/// Objections.
#[derive(Serialize, ToSchema)]
#[schema(as = ObjectionList)]
struct List {
    objections: Vec<Said>,
}

/// An objection.
#[derive(Serialize, ToSchema)]
#[schema(as = Objection)]
struct Said {
    /// Its entry.
    #[schema(example = 12)]
    entry: u32,
    seat: SeatWord,
    step: u32,
    at: String,
    /// What the player says; null where it was withdrawn.
    text: Option<String>,
    /// What stands in the record for the seat, in the notation.
    stands: Option<String>,
    /// The entry that answers it; null while it waits for the umpire.
    answered: Option<u32>,
}

/// Objections with the recorded line, as this reader may see it.
fn told<'o>(shown: Shown<'_>, objections: impl Iterator<Item = &'o Objection>) -> List {
    let told = |one: &Objection| {
        let step = shown.history.steps.iter().find(|step| step.number == one.step);
        let stands = step.and_then(|step| shown.sent(step, one.seat));
        Said {
            entry: one.entry.0,
            seat: one.seat.into(),
            step: one.step,
            at: one.at.to_string(),
            text: match &one.text {
                record::CommittedText::Text(text) => Some(text.clone()),
                record::CommittedText::Withdrawn => None,
            },
            stands: stands.map(str::to_owned),
            answered: one.answered.map(|entry| entry.0),
        }
    };
    List { objections: objections.map(told).collect() }
}

/// The objections that wait for the umpire
#[utoipa::path(get, path = "/api/v1/matches/{slug}/objections", tag = "umpire", operation_id = "listObjections",
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731")),
    security(("token" = [])),
    responses((status = 200, description = "Oldest first. The match does not end before they are answered.", body = List), OwnReads))]
pub(super) async fn list(State(app): State<Arc<App>>, _: Umpire, slug: Named) -> Result<Response, Problem> {
    let (_, history) = settled(&app, &slug).await?;
    json(StatusCode::OK, &told(Shown::umpire(&history), history.open_objections()))
}

/// Rule on an objection, where the step stays as it is
#[utoipa::path(post, path = "/api/v1/matches/{slug}/objections/answers", tag = "umpire", operation_id = "answerObjection", request_body = Answer,
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731"),
        ("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "answer-1")),
    security(("token" = [])),
    responses((status = 200, description = "Recorded.", body = Stands), Acts))]
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: Named,
    key: Key,
    Body(sent): Body<Answer>,
) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    let (act, head) = (act(umpire.by(), &key), seen(&sent.head)?);
    let text = said(&sent.text, "Say what was decided, and why: everybody reads it.")?;
    let clause = known_clause(&history, sent.clause.as_deref())?;
    stands(&history, app.commands.answer_objection(&act, match_id, head, Seq(sent.objection), clause, text).await)
}

/// What you objected to, and what became of it
#[utoipa::path(get, path = "/api/v1/seat/objections", tag = "player", operation_id = "listOwnObjections",
    security(("seat" = [])),
    responses((status = 200, description = "Oldest first.", body = List), OwnReads))]
pub(super) async fn own(State(app): State<Arc<App>>, Seated(chair): Seated) -> Result<Response, Problem> {
    let history = app.matches.history(chair.match_id).await?;
    let own = history.objections.iter().filter(|one| one.seat == chair.seat);
    json(StatusCode::OK, &told(Shown::seat(&history, chair.seat), own))
}

/// Say that a step does not hold what you sent
///
/// It stands in the record, for everybody to read, and the match does not end before the umpire answers it.
#[utoipa::path(post, path = "/api/v1/seat/objections", tag = "player", operation_id = "object", request_body = NewObjection,
    params(("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "object-1")),
    security(("seat" = [])),
    responses((status = 200, description = "Recorded.", body = Stands), Acts))]
pub(super) async fn object(
    State(app): State<Arc<App>>,
    Seated(chair): Seated,
    key: Key,
    Body(sent): Body<NewObjection>,
) -> Result<Response, Problem> {
    let text = said(&sent.text, "Say what you did send: everybody reads it.")?;
    let history = app.matches.history(chair.match_id).await?;
    stands(&history, app.submissions.object(chair, form(&key), sent.step, text).await)
}
