//! What was sent too late.

use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::json;
use super::match_context::OwnMatch;
use super::shapes::SeatWord;
use web_http::Problem;

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
