//! The umpires to whom a match can be handed.

use app::{account, by_umpire};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::json;
use super::match_context::UmpireRequest;
use web_http::Problem;

/// An umpire to whom a match can be handed.
#[derive(Serialize, ToSchema)]
struct Successor {
    /// The pseudonym, as entries name them.
    #[schema(example = "3f9a1c0b7d2e")]
    id: String,
    /// The name that umpires know them by here. No entry has it.
    name: String,
}

/// To whom a match can be handed.
#[derive(Serialize, ToSchema)]
struct SuccessorList {
    /// By name; you alone where it is not yours.
    umpires: Vec<Successor>,
}

/// To whom a match can be handed
///
/// The same umpires as the desk offers: those whose account is open, where the match is yours; else you alone.
#[utoipa::path(get, path = "/api/v1/matches/{slug}/handover", tag = "umpire", operation_id = "listSuccessors",
    responses((status = 200, description = "By name.", body = SuccessorList)))]
pub(super) async fn list(request: UmpireRequest) -> Result<Response, Problem> {
    let app = request.app();
    let history = app.matches.history(request.match_id().await?).await?;
    let (me, all) = (request.by(), account::active_umpires(app.pool(), app.system()).await?);
    // Whose match it is not only takes it.
    let others = all.into_iter().filter(|umpire| (by_umpire(&umpire.id) == me) != (*history.umpire_now() == me));
    let umpires = others.map(|umpire| Successor { id: umpire.id, name: umpire.name }).collect();
    json(StatusCode::OK, &SuccessorList { umpires })
}
