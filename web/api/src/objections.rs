//! "This is not what I sent": made by a seat, and listed for the umpire. A match cannot end before the answer.

use app::text::Purpose;
use app::views::VisibleMatch;
use app::views::integer::integer;
use axum::http::StatusCode;
use axum::response::Response;
use record::Objection;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::json;
use super::caller::Player;
use super::idempotency::Key;
use super::match_context::{self, OwnMatch, public_text};
use super::request::{Body, form};
use super::shapes::{MatchStatus, SeatWord};
use web_http::Problem;

/// An objection to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewObjection {
    /// The step in which something stands for the seat that it did not send.
    #[serde(deserialize_with = "integer")]
    #[schema(minimum = 1, example = 3)]
    step: u32,
    /// What it did send: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "I sent Grow, not Claim.")]
    text: String,
}

/// Objections.
#[derive(Serialize, ToSchema)]
struct ObjectionList {
    objections: Vec<ObjectionJson>,
}

/// An objection.
#[derive(Serialize, ToSchema)]
#[schema(as = Objection)]
struct ObjectionJson {
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

fn objection_list<'o>(shown: VisibleMatch<'_>, objections: impl Iterator<Item = &'o Objection>) -> ObjectionList {
    let json = |one: &Objection| {
        let step = shown.history.steps.iter().find(|step| step.number == one.step);
        let stands = step.and_then(|step| shown.seat_line(step, one.seat));
        ObjectionJson {
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
    ObjectionList { objections: objections.map(json).collect() }
}

/// The objections that wait for the umpire
#[utoipa::path(get, path = "/api/v1/matches/{slug}/objections", tag = "umpire", operation_id = "listObjections",
    responses((status = 200, description = "Oldest first. The match does not end before they are answered.", body = ObjectionList)))]
pub(super) async fn list(OwnMatch { history, .. }: OwnMatch) -> Result<Response, Problem> {
    json(StatusCode::OK, &objection_list(VisibleMatch::umpire(&history), history.open_objections()))
}

/// What you objected to, and what became of it
#[utoipa::path(get, path = "/api/v1/seat/objections", tag = "player", operation_id = "listOwnObjections",
    responses((status = 200, description = "Oldest first.", body = ObjectionList)))]
pub(super) async fn own(Player { app, chair, access }: Player) -> Result<Response, Problem> {
    let history = app.matches.history(chair.match_id).await?;
    let own = history.objections.iter().filter(|one| one.seat == chair.seat);
    json(StatusCode::OK, &objection_list(access.view(&history), own))
}

/// Say that a step does not hold what you sent
///
/// It stands in the record, for everybody to read, and the match does not end before the umpire answers it.
#[utoipa::path(post, path = "/api/v1/seat/objections", tag = "player", operation_id = "object", request_body = NewObjection,
    responses((status = 200, description = "Recorded.", body = MatchStatus)))]
pub(super) async fn object(
    Player { app, chair, .. }: Player,
    key: Key,
    Body(sent): Body<NewObjection>,
) -> Result<Response, Problem> {
    let text = public_text(Purpose::Objection, &sent.text)?;
    let history = app.matches.history(chair.match_id).await?;
    match_context::answer(&history, app.submissions.object(chair, form(&key), sent.step, text).await)
}
