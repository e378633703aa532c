//! The clocks of a live match: started, paused, and extended.

use app::App;
use axum::extract::State;
use axum::response::Response;
use record::limits::too_long;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

use super::answer::Acts;
use super::caller::Umpire;
use super::once::Key;
use super::playing::{decision, settled, stands};
use super::ruling::{OnHead, TEXT_MAX_CHARS};
use super::sent::{Body, Named, act, seen};
use super::shape::Stands;
use crate::http::Problem;
use crate::http::whole::whole;
use crate::page::HeadJson;

/// A stop.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewPause)]
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
#[schema(as = NewExtension)]
pub(super) struct NewExtension {
    /// The head that you read.
    head: HeadJson,
    /// The decision.
    #[schema(pattern = "^[a-z0-9-]{1,32}$", example = "d1")]
    decision: String,
    /// How many seconds more.
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 1, example = 30)]
    seconds: u32,
    /// Why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "The card was read out late")]
    reason: String,
}

fn short(reason: &str) -> Result<&str, Problem> {
    too_long(reason, TEXT_MAX_CHARS).map_or(Ok(reason.trim()), |why| Err(Problem::refused(why)))
}

/// Start the clocks that wait, and let those run on that were stopped
#[utoipa::path(post, path = "/api/v1/matches/{slug}/clock/run", tag = "umpire", operation_id = "runClocks", request_body = OnHead,
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731"),
        ("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "run-1")),
    security(("token" = [])),
    responses((status = 200, description = "They run.", body = Stands), Acts))]
pub(super) async fn run(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: Named,
    key: Key,
    Body(OnHead { head }): Body<OnHead>,
) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    stands(&history, app.commands.run_clocks(&act(umpire.by(), &key), match_id, seen(&head)?).await)
}

/// Stop the clocks that run
#[utoipa::path(post, path = "/api/v1/matches/{slug}/clock/pause", tag = "umpire", operation_id = "pauseClocks", request_body = NewPause,
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731"),
        ("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "pause-1")),
    security(("token" = [])),
    responses((status = 200, description = "They stand still.", body = Stands), Acts))]
pub(super) async fn pause(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: Named,
    key: Key,
    Body(pause): Body<NewPause>,
) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    let (act, head, reason) = (act(umpire.by(), &key), seen(&pause.head)?, short(&pause.reason)?);
    stands(&history, app.commands.pause_clocks(&act, match_id, head, reason).await)
}

/// Give time to a decision whose clock runs
#[utoipa::path(post, path = "/api/v1/matches/{slug}/clock/extend", tag = "umpire", operation_id = "extendClock", request_body = NewExtension,
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731"),
        ("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "extend-1")),
    security(("token" = [])),
    responses((status = 200, description = "It has more time.", body = Stands), Acts))]
pub(super) async fn extend(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: Named,
    key: Key,
    Body(more): Body<NewExtension>,
) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    let (act, head) = (act(umpire.by(), &key), seen(&more.head)?);
    let (decision, reason) = (decision(&more.decision)?, short(&more.reason)?);
    stands(&history, app.commands.extend_clock(&act, match_id, head, &decision, more.seconds, reason).await)
}
