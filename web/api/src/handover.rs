//! Handing a match to another umpire.

use app::text::Purpose;
use app::views::HeadJson;
use app::{account, by_umpire};
use axum::http::StatusCode;
use axum::response::Response;
use ledger::UmpireId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::json;
use super::match_context::{AnybodysMatch, UmpireRequest, public_text};
use super::request::{Body, malformed, read_head};
use super::shapes::MatchStatus;
use web_http::Problem;

/// Handing a match over.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HandOver {
    /// The head that you read.
    head: HeadJson,
    /// The pseudonym of the umpire who goes on; your own to take it.
    #[schema(pattern = "^[a-z0-9]{1,32}$", example = "3f9a1c0b7d2e")]
    to: String,
    /// Why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "My evening ends here.")]
    text: String,
}

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
pub(super) async fn successors(request: UmpireRequest) -> Result<Response, Problem> {
    let app = request.app();
    let history = app.matches.history(request.match_id().await?).await?;
    let (me, all) = (request.by(), account::active_umpires(app.pool(), app.system()).await?);
    // Whose match it is not only takes it.
    let others = all.into_iter().filter(|umpire| (by_umpire(&umpire.id) == me) != (*history.umpire_now() == me));
    let umpires = others.map(|umpire| Successor { id: umpire.id, name: umpire.name }).collect();
    json(StatusCode::OK, &SuccessorList { umpires })
}

/// Hand a match to another umpire, or take it
///
/// A GET at the same address says to whom it can be handed.
#[utoipa::path(post, path = "/api/v1/matches/{slug}/handover", tag = "umpire", operation_id = "handOver", request_body = HandOver,
    responses((status = 200, description = "Handed.", body = MatchStatus)))]
pub(super) async fn hand_over(
    AnybodysMatch(on): AnybodysMatch,
    Body(sent): Body<HandOver>,
) -> Result<Response, Problem> {
    let head = read_head(&sent.head)?;
    let to: UmpireId = sent.to.parse().map_err(|_| malformed("An umpire is named by a pseudonym."))?;
    let all = account::active_umpires(on.app.pool(), on.app.system()).await?;
    if !all.iter().any(|umpire| umpire.id == sent.to) {
        return Err(Problem::refused("There is no such umpire here."));
    }
    on.answer(
        on.app.commands.hand_over(&on.act, on.match_id, head, &to, public_text(Purpose::Reason, &sent.text)?).await,
    )
}
