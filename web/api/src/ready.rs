//! The players who are ready to begin. Only the umpire and the seat itself see it, and nothing waits for it.

use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::json;
use super::caller::Player;
use super::idempotency::Key;
use super::match_context::OwnMatch;
use web_http::Problem;

/// When each seat said that it is ready; null where it did not.
#[derive(Serialize, ToSchema)]
struct Readiness {
    p1: Option<String>,
    p2: Option<String>,
}

/// When a seat said that it is ready.
#[derive(Serialize, ToSchema)]
struct Ready {
    ready_at: String,
}

/// Which seats said that they are ready
#[utoipa::path(get, path = "/api/v1/matches/{slug}/readiness", tag = "umpire", operation_id = "readReadiness",
    responses((status = 200, description = "When each did.", body = Readiness)))]
pub(super) async fn read(OwnMatch { umpire, match_id, .. }: OwnMatch) -> Result<Response, Problem> {
    let ready = umpire.app.seats.ready_times(match_id).await?.map(|at| at.map(|at| at.to_string()));
    json(StatusCode::OK, &Readiness { p1: ready.p1, p2: ready.p2 })
}

/// Say that you are ready to begin
///
/// Only the umpire is told. Said again, it stays as it was.
#[utoipa::path(post, path = "/api/v1/seat/ready", tag = "player", operation_id = "sayReady",
    responses((status = 200, description = "Since when you are.", body = Ready)))]
pub(super) async fn say(Player { app, chair, .. }: Player, _: Key) -> Result<Response, Problem> {
    app.seats.ready(chair).await?;
    let since = app.seats.ready_times(chair.match_id).await?[chair.seat].unwrap_or_else(|| app.system().now());
    json(StatusCode::OK, &Ready { ready_at: since.to_string() })
}
