//! Acts of an umpire with a public reason: warnings, handovers, resuming as recorded, and admitting late answers.

use app::App;
use app::account;
use app::by_umpire;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use ledger::UmpireId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

use super::answer::{Acts, OwnReads, json};
use super::caller::Umpire;
use super::once::Key;
use super::playing::{decision, settled, stands};
use super::ruling::{known_clause, said};
use super::sent::{Body, Named, act, malformed, seen};
use super::shape::{SeatWord, Stands};
use crate::http::Problem;
use crate::page::HeadJson;

/// The error for a missing reason.
const WHY: &str = "Say why: everybody reads it.";

/// A warning.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewWarning)]
pub(super) struct NewWarning {
    /// The head that you read.
    head: HeadJson,
    seat: SeatWord,
    /// Why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "Talked to the audience about the hand.")]
    text: String,
    /// The clause that it rests on.
    #[serde(default)]
    #[schema(nullable = false, max_length = 40)]
    clause: Option<String>,
}

/// Going on as a recorded match.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = GoOnRecorded)]
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
    /// The clause that it rests on.
    #[serde(default)]
    #[schema(nullable = false, max_length = 40)]
    clause: Option<String>,
}

/// Handing a match over.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HandOver)]
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
#[schema(as = SuccessorList)]
struct Successors {
    /// By name; you among them where it is not yours.
    umpires: Vec<Successor>,
}

/// Letting in what came late.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Admission)]
pub(super) struct Admission {
    /// The head that you read.
    head: HeadJson,
    #[schema(pattern = "^[a-z0-9-]{1,32}$", example = "d1")]
    decision: String,
    seat: SeatWord,
    /// Why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "The chat delivered it a minute late.")]
    text: String,
    /// The clause that it rests on.
    #[serde(default)]
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

/// Warn a seat
#[utoipa::path(post, path = "/api/v1/matches/{slug}/warnings", tag = "umpire", operation_id = "warn", request_body = NewWarning,
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731"),
        ("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "warn-1")),
    security(("token" = [])),
    responses((status = 200, description = "Recorded.", body = Stands), Acts))]
pub(super) async fn warn(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: Named,
    key: Key,
    Body(sent): Body<NewWarning>,
) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    let (act, head) = (act(umpire.by(), &key), seen(&sent.head)?);
    let (clause, text) = (known_clause(&history, sent.clause.as_deref())?, said(&sent.text, WHY)?);
    stands(&history, app.commands.warn(&act, match_id, head, sent.seat.into(), clause, text).await)
}

/// Let a live match go on as a recorded one: from here on you type for both seats
#[utoipa::path(post, path = "/api/v1/matches/{slug}/recorded", tag = "umpire", operation_id = "goOnRecorded", request_body = GoOnRecorded,
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731"),
        ("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "recorded-1")),
    security(("token" = [])),
    responses((status = 200, description = "Recorded.", body = Stands), Acts))]
pub(super) async fn go_on_recorded(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: Named,
    key: Key,
    Body(sent): Body<GoOnRecorded>,
) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    let (act, head) = (act(umpire.by(), &key), seen(&sent.head)?);
    let (clause, text) = (known_clause(&history, sent.clause.as_deref())?, said(&sent.text, WHY)?);
    stands(&history, app.commands.go_on_recorded(&act, match_id, head, clause, text).await)
}

/// To whom a match can be handed
///
/// The same umpires as the desk offers: those whose account is open, without the one whose match it is.
#[utoipa::path(get, path = "/api/v1/matches/{slug}/handover", tag = "umpire", operation_id = "listSuccessors",
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731")),
    security(("token" = [])),
    responses((status = 200, description = "By name.", body = Successors), OwnReads))]
pub(super) async fn successors(State(app): State<Arc<App>>, _: Umpire, slug: Named) -> Result<Response, Problem> {
    let history = app.matches.history(slug.id(&app).await?).await?;
    let now = history.umpire_now();
    let all = account::in_office(app.pool(), app.system()).await?;
    let others = all.into_iter().filter(|umpire| by_umpire(&umpire.id) != *now);
    let umpires = others.map(|umpire| Successor { id: umpire.id, name: umpire.name }).collect();
    json(StatusCode::OK, &Successors { umpires })
}

/// Hand a match to another umpire, or take it
///
/// A GET at the same address says to whom it can be handed.
#[utoipa::path(post, path = "/api/v1/matches/{slug}/handover", tag = "umpire", operation_id = "handOver", request_body = HandOver,
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731"),
        ("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "hand-1")),
    security(("token" = [])),
    responses((status = 200, description = "Handed.", body = Stands), Acts))]
pub(super) async fn hand_over(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: Named,
    key: Key,
    Body(sent): Body<HandOver>,
) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    let (act, head) = (act(umpire.by(), &key), seen(&sent.head)?);
    let to: UmpireId = sent.to.parse().map_err(|_| malformed("An umpire is named by a pseudonym."))?;
    let all = account::in_office(app.pool(), app.system()).await?;
    if !all.iter().any(|umpire| umpire.id == sent.to) {
        return Err(Problem::refused("There is no such umpire here."));
    }
    stands(&history, app.commands.hand_over(&act, match_id, head, &to, said(&sent.text, WHY)?).await)
}

/// What came late, and waits for a ruling
#[utoipa::path(get, path = "/api/v1/matches/{slug}/late", tag = "umpire", operation_id = "readLate", params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731")),
    security(("token" = [])),
    responses((status = 200, description = "In the order in which it came.", body = LateList), OwnReads))]
pub(super) async fn late(State(app): State<Arc<App>>, _: Umpire, slug: Named) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    let looks = app.umpires.umpire_looks(match_id).await?;
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
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731"),
        ("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "admit-1")),
    security(("token" = [])),
    responses((status = 200, description = "Admitted: the last line that is kept for the seat counts.", body = Stands), Acts))]
pub(super) async fn admit(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: Named,
    key: Key,
    Body(sent): Body<Admission>,
) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    let (act, head) = (act(umpire.by(), &key), seen(&sent.head)?);
    let (clause, text) = (known_clause(&history, sent.clause.as_deref())?, said(&sent.text, WHY)?);
    let decision = decision(&sent.decision)?;
    let admitted = app.commands.admit(&act, match_id, head, &decision, sent.seat.into(), clause, text).await;
    stands(&history, admitted)
}
