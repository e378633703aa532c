//! What was sent too late, and letting it count.

use app::text::Purpose;
use app::views::HeadJson;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::json;
use super::match_context::{MatchContext, OwnMatch, public_text};
use super::moves::decision;
use super::request::{Body, read_head};
use super::shapes::{MatchStatus, SeatWord};
use web_http::Problem;

/// Letting in what came late.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Admission {
    /// The head that you read.
    head: HeadJson,
    #[schema(pattern = "^[a-z0-9-]{1,32}$", example = "d1")]
    decision: String,
    seat: SeatWord,
    /// Why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "The chat delivered it a minute late.")]
    text: String,
    /// The clause that applies.
    #[schema(nullable = false, max_length = 40)]
    clause: Option<String>,
}

/// What was sent too late, by a player or to an umpire.
#[derive(Serialize, ToSchema)]
struct LateList {
    late: Vec<LateLine>,
}

/// One of them.
#[derive(Serialize, ToSchema)]
struct LateLine {
    #[schema(example = "d1")]
    decision: String,
    seat: SeatWord,
    sent_at: String,
    typed_at: String,
    /// What an umpire typed, or the player sent; null while only the player may know it.
    text: Option<String>,
    /// Whether its question is still open, so that it can be admitted. What came of a closed one can be corrected.
    open: bool,
    /// Whether a ruling lets it count.
    admitted: bool,
}

/// What came late, and waits for a ruling
#[utoipa::path(get, path = "/api/v1/matches/{slug}/late", tag = "umpire", operation_id = "readLate",
    responses((status = 200, description = "In the order in which it came.", body = LateList)))]
pub(super) async fn late(OwnMatch { umpire, match_id, history }: OwnMatch) -> Result<Response, Problem> {
    let app = &umpire.app;
    let looks = history.umpire_looks() == Some(true);
    let late = app.recorder.all_late_inputs(match_id).await?.into_iter().map(|late| {
        let open = history.open.iter().any(|open| open.asked.decision == late.decision);
        LateLine {
            admitted: history.admitted(&late.decision, late.seat).is_some(),
            // A player's text is private while the question is open and the umpire may not read it.
            text: (looks || !open || !late.is_of_player()).then(|| late.text().to_owned()),
            open,
            decision: late.decision.to_string(),
            seat: late.seat.into(),
            sent_at: late.sent.to_string(),
            typed_at: late.typed.to_string(),
        }
    });
    json(StatusCode::OK, &LateList { late: late.collect() })
}

/// Rule that what a seat sent too late counts
#[utoipa::path(post, path = "/api/v1/matches/{slug}/late/admissions", tag = "umpire", operation_id = "admitLate", request_body = Admission,
    responses((status = 200, description = "Admitted: the last line that is kept for the seat counts.", body = MatchStatus)))]
pub(super) async fn admit(on: MatchContext, Body(sent): Body<Admission>) -> Result<Response, Problem> {
    let head = read_head(&sent.head)?;
    let (clause, text) = (on.clause(sent.clause.as_deref())?, public_text(Purpose::Reason, &sent.text)?);
    let decision = decision(&sent.decision)?;
    let admitted = on.app.commands.admit(&on.act, on.match_id, head, &decision, sent.seat.into(), clause, text).await;
    on.answer(admitted)
}
