//! The players who are ready to begin. Only the umpire and the seat itself see it, and nothing waits for it.

use app::App;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

use super::answer::{Acts, OwnReads, json};
use super::caller::{Seated, Umpire};
use super::once::Key;
use super::sent::Named;
use crate::http::Problem;

/// When each seat said that it is ready; null where it did not.
#[derive(Serialize, ToSchema)]
#[schema(as = Readiness)]
struct Readiness {
    p1: Option<String>,
    p2: Option<String>,
}

/// When a seat said that it is ready.
#[derive(Serialize, ToSchema)]
#[schema(as = Ready)]
struct Ready {
    ready_at: String,
}

/// Which seats said that they are ready
#[utoipa::path(get, path = "/api/v1/matches/{slug}/readiness", tag = "umpire", operation_id = "readReadiness",
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731")),
    security(("token" = [])),
    responses((status = 200, description = "When each did.", body = Readiness), OwnReads))]
pub(super) async fn read(State(app): State<Arc<App>>, _: Umpire, slug: Named) -> Result<Response, Problem> {
    let ready = app.seats.who_is_ready(slug.id(&app).await?).await?.map(|at| at.map(|at| at.to_string()));
    json(StatusCode::OK, &Readiness { p1: ready.p1, p2: ready.p2 })
}

/// Say that you are ready to begin
///
/// Only the umpire is told. Said again, it stays as it was.
#[utoipa::path(post, path = "/api/v1/seat/ready", tag = "player", operation_id = "sayReady",
    params(("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "ready-1")),
    security(("seat" = [])),
    responses((status = 200, description = "Since when you are.", body = Ready), Acts))]
pub(super) async fn say(State(app): State<Arc<App>>, Seated(chair): Seated, _: Key) -> Result<Response, Problem> {
    app.seats.ready(chair).await?;
    let since = app.seats.who_is_ready(chair.match_id).await?[chair.seat].unwrap_or_else(|| app.system().now());
    json(StatusCode::OK, &Ready { ready_at: since.to_string() })
}
