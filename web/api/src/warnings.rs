//! Warnings, and going on as a recorded match.

use app::text::Purpose;
use app::views::HeadJson;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use super::match_context::{MatchContext, public_text};
use super::request::{Body, read_head};
use super::shapes::{MatchStatus, SeatWord};
use web_http::Problem;

/// A warning.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewWarning {
    /// The head that you read.
    head: HeadJson,
    seat: SeatWord,
    /// Why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "Talked to the audience about the hand.")]
    text: String,
    /// The clause that applies.
    #[schema(nullable = false, max_length = 40)]
    clause: Option<String>,
}

/// Going on as a recorded match.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GoOnRecorded {
    /// The head that you read.
    head: HeadJson,
    /// Why: everybody reads it.
    #[schema(
        min_length = 1,
        max_length = 1000,
        pattern = "\\S",
        example = "Bo’s connection is gone; he writes in the chat."
    )]
    text: String,
    /// The clause that applies.
    #[schema(nullable = false, max_length = 40)]
    clause: Option<String>,
}

/// Warn a seat
#[utoipa::path(post, path = "/api/v1/matches/{slug}/warnings", tag = "umpire", operation_id = "warn", request_body = NewWarning,
    responses((status = 200, description = "Recorded.", body = MatchStatus)))]
pub(super) async fn warn(on: MatchContext, Body(sent): Body<NewWarning>) -> Result<Response, Problem> {
    let head = read_head(&sent.head)?;
    let (clause, text) = (on.clause(sent.clause.as_deref())?, public_text(Purpose::Reason, &sent.text)?);
    on.answer(on.app.commands.warn(&on.act, on.match_id, head, sent.seat.into(), clause, text).await)
}

/// Let a live match go on as a recorded one: from here on you type for both seats
#[utoipa::path(post, path = "/api/v1/matches/{slug}/recorded", tag = "umpire", operation_id = "goOnRecorded", request_body = GoOnRecorded,
    responses((status = 200, description = "Recorded.", body = MatchStatus)))]
pub(super) async fn go_on_recorded(on: MatchContext, Body(sent): Body<GoOnRecorded>) -> Result<Response, Problem> {
    let head = read_head(&sent.head)?;
    let (clause, text) = (on.clause(sent.clause.as_deref())?, public_text(Purpose::Reason, &sent.text)?);
    on.answer(on.app.commands.go_on_recorded(&on.act, on.match_id, head, clause, text).await)
}
