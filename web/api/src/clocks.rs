//! The clocks of a live match: started, paused, and extended.

use app::text::RulingText;
use app::views::HeadJson;
use app::views::integer::integer;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use super::match_context::MatchContext;
use super::moves::decision;
use super::request::{Body, read_head};
use super::ruling::OnHead;
use super::shapes::MatchStatus;
use web_http::Problem;

/// A stop.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewPause {
    /// The head that you read.
    head: HeadJson,
    /// Why: everybody reads it. It may be empty.
    #[serde(default)]
    #[schema(max_length = 1000, example = "The chat is down")]
    reason: String,
}

/// Time for a decision.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewExtension {
    /// The head that you read.
    head: HeadJson,
    /// The decision.
    #[schema(pattern = "^[a-z0-9-]{1,32}$", example = "d1")]
    decision: String,
    /// How many seconds more.
    #[serde(deserialize_with = "integer")]
    #[schema(minimum = 1, example = 30)]
    seconds: u32,
    /// Why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "The card was read out late")]
    reason: String,
}

/// Start the clocks that wait, and resume those that are paused
#[utoipa::path(post, path = "/api/v1/matches/{slug}/clock/run", tag = "umpire", operation_id = "runClocks", request_body = OnHead,
    responses((status = 200, description = "They run.", body = MatchStatus)))]
pub(super) async fn run(on: MatchContext, Body(OnHead { head }): Body<OnHead>) -> Result<Response, Problem> {
    on.answer(on.app.commands.run_clocks(&on.act, on.match_id, read_head(&head)?).await)
}

/// Pause the clocks that run
#[utoipa::path(post, path = "/api/v1/matches/{slug}/clock/pause", tag = "umpire", operation_id = "pauseClocks", request_body = NewPause,
    responses((status = 200, description = "They are paused.", body = MatchStatus)))]
pub(super) async fn pause(on: MatchContext, Body(pause): Body<NewPause>) -> Result<Response, Problem> {
    let (head, reason) = (read_head(&pause.head)?, RulingText::optional(&pause.reason)?.as_str());
    on.answer(on.app.commands.pause_clocks(&on.act, on.match_id, head, reason).await)
}

/// Give time to a decision whose clock runs
#[utoipa::path(post, path = "/api/v1/matches/{slug}/clock/extend", tag = "umpire", operation_id = "extendClock", request_body = NewExtension,
    responses((status = 200, description = "It has more time.", body = MatchStatus)))]
pub(super) async fn extend(on: MatchContext, Body(more): Body<NewExtension>) -> Result<Response, Problem> {
    let head = read_head(&more.head)?;
    let (decision, reason) = (decision(&more.decision)?, RulingText::optional(&more.reason)?.as_str());
    on.answer(on.app.commands.extend_clock(&on.act, on.match_id, head, &decision, more.seconds, reason).await)
}
