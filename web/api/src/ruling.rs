//! The decisions of an umpire: rulings, remarks, strikes, corrections, the end.

use std::sync::Arc;

use app::AppError;
use app::text::Purpose;
use app::views::HeadJson;
use app::views::integer::integer;
use axum::http::StatusCode;
use axum::response::Response;
use engine::{Seat, Verdict};
use record::History;
use record::write::{Amendment, Plan, WriteError, plan_correction, plan_strike};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::json;
use super::match_context::{MatchContext, public_text, refused};
use super::request::{Body, read_head};
use super::shapes::{Lines, MatchStatus};
use web_http::Problem;

/// A ruling.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewRuling {
    /// The head that you read.
    head: HeadJson,
    /// What was decided, and why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "The block counts: it was sent in time.")]
    text: String,
    /// The clause that applies, as the ruleset numbers them.
    #[schema(nullable = false, max_length = 40, example = "1.4")]
    clause: Option<String>,
    /// The result that it decides; left out, the match goes on.
    #[schema(nullable = false)]
    result: Option<VerdictWord>,
}

/// What an umpire can decide.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum VerdictWord {
    P1,
    P2,
    Undecided,
    Void,
}

impl From<VerdictWord> for Verdict {
    fn from(word: VerdictWord) -> Self {
        match word {
            VerdictWord::P1 => Self::Won(Seat::P1),
            VerdictWord::P2 => Self::Won(Seat::P2),
            VerdictWord::Undecided => Self::Undecided,
            VerdictWord::Void => Self::Void,
        }
    }
}

/// A public remark.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewRemark {
    /// The head that you read.
    head: HeadJson,
    #[schema(
        min_length = 1,
        max_length = 1000,
        pattern = "\\S",
        example = "The players agreed to a break of ten minutes."
    )]
    text: String,
}

/// A strike.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewStrike {
    /// The head that you read.
    head: HeadJson,
    /// The first step that no longer counts.
    #[serde(deserialize_with = "integer")]
    #[schema(minimum = 1, example = 3)]
    from: u32,
    /// Why: everybody reads it. Not needed for a dry run.
    #[serde(default)]
    #[schema(max_length = 1000)]
    reason: String,
    /// Only tell what would change.
    #[serde(default)]
    dry_run: bool,
}

/// A correction.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewCorrection {
    /// The head that you read.
    head: HeadJson,
    /// The step.
    #[serde(deserialize_with = "integer")]
    #[schema(minimum = 1, example = 3)]
    step: u32,
    /// The new line of each seat that is to be corrected.
    #[serde(default)]
    moves: Lines,
    /// What the host drew, where that is to be corrected.
    #[schema(nullable = false, max_length = 600)]
    draw: Option<String>,
    /// Why: everybody reads it. Not needed for a dry run.
    #[serde(default)]
    #[schema(max_length = 1000)]
    reason: String,
    /// Only tell what would change.
    #[serde(default)]
    dry_run: bool,
}

/// An act that names nothing but the head.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OnHead {
    /// The head that you read.
    pub(super) head: HeadJson,
}

/// What a strike or a correction does to the match, and whether it was done.
#[derive(Serialize, ToSchema)]
struct Change {
    /// Whether it was recorded; else it was a dry run.
    done: bool,
    /// Every step from there on.
    steps: Vec<ChangedStep>,
    /// How the match stands now.
    stands: MatchStatus,
}

/// What becomes of one step.
#[derive(Serialize, ToSchema)]
struct ChangedStep {
    step: u32,
    round: u32,
    /// What it said, as the public may read it.
    was: String,
    /// What it says then; null where it no longer counts.
    becomes: Option<String>,
    /// Whether anything after this step is different.
    differs: bool,
}

impl Change {
    fn steps(plan: &Plan) -> Vec<ChangedStep> {
        let step = plan.changes.iter().map(|change| ChangedStep {
            step: change.number,
            round: change.round,
            was: change.was.clone(),
            becomes: change.becomes.clone(),
            differs: change.differs(),
        });
        step.collect()
    }
}

/// Rule, and decide the result where the ruling does
#[utoipa::path(post, path = "/api/v1/matches/{slug}/rulings", tag = "umpire", operation_id = "rule", request_body = NewRuling,
    responses((status = 200, description = "Recorded.", body = MatchStatus)))]
pub(super) async fn rule(on: MatchContext, Body(ruling): Body<NewRuling>) -> Result<Response, Problem> {
    let head = read_head(&ruling.head)?;
    let text = public_text(Purpose::Ruling, &ruling.text)?;
    let clause = on.clause(ruling.clause.as_deref())?;
    let ruled = on.app.commands.rule(&on.act, on.match_id, head, clause, text, ruling.result.map(Into::into)).await;
    on.answer(ruled)
}

/// Make a public remark
#[utoipa::path(post, path = "/api/v1/matches/{slug}/notes", tag = "umpire", operation_id = "note", request_body = NewRemark,
    responses((status = 200, description = "Recorded.", body = MatchStatus)))]
pub(super) async fn note(on: MatchContext, Body(remark): Body<NewRemark>) -> Result<Response, Problem> {
    let head = read_head(&remark.head)?;
    let noted = on.app.commands.note(&on.act, on.match_id, head, public_text(Purpose::Remark, &remark.text)?).await;
    on.answer(noted)
}

/// Strike every step from one on, or tell what that would change
#[utoipa::path(post, path = "/api/v1/matches/{slug}/strikes", tag = "umpire", operation_id = "strike", request_body = NewStrike,
    responses((status = 200, description = "What changed, or would.", body = Change)))]
pub(super) async fn strike(on: MatchContext, Body(strike): Body<NewStrike>) -> Result<Response, Problem> {
    let head = read_head(&strike.head)?;
    let reason = (!strike.dry_run).then(|| public_text(Purpose::Reason, &strike.reason)).transpose()?;
    let plan = plan_strike(&on.history, strike.from);
    let struck = |reason| on.app.commands.strike(&on.act, on.match_id, head, strike.from, reason);
    changed(&on, plan, reason, struck).await
}

/// Correct one step and keep the later ones, or tell what that would change
#[utoipa::path(post, path = "/api/v1/matches/{slug}/corrections", tag = "umpire", operation_id = "correct", request_body = NewCorrection,
    responses((status = 200, description = "What changed, or would.", body = Change)))]
pub(super) async fn correct(on: MatchContext, Body(sent): Body<NewCorrection>) -> Result<Response, Problem> {
    let head = read_head(&sent.head)?;
    let reason = (!sent.dry_run).then(|| public_text(Purpose::Reason, &sent.reason)).transpose()?;
    let moves = sent.moves.by_seat();
    let draw = sent.draw.as_deref().map(str::trim).filter(|draw| !draw.is_empty());
    if draw.is_none() && Seat::BOTH.into_iter().all(|seat| moves[seat].is_none()) {
        return Err(Problem::refused("Say what is corrected: the line of a seat, or what was drawn."));
    }
    let amended = Amendment { moves: moves.as_ref().map(|line| line.as_deref()), draw };
    let plan = plan_correction(&on.history, sent.step, amended);
    let corrected = |reason| on.app.commands.correct(&on.act, on.match_id, head, sent.step, amended, reason);
    changed(&on, plan, reason, corrected).await
}

/// The answer of a strike or a correction; without a reason it is a dry run.
///
/// When an act is repeated after it was done, there is no plan any more; the act is recognized.
async fn changed<'r, F>(
    on: &MatchContext,
    plan: Result<Plan, WriteError>,
    reason: Option<&'r str>,
    act: impl FnOnce(&'r str) -> F,
) -> Result<Response, Problem>
where
    F: Future<Output = Result<Arc<History>, AppError>>,
{
    let steps = plan.as_ref().map(Change::steps).unwrap_or_default();
    let after = match reason {
        None => plan.map(|_| on.history.clone()).map_err(AppError::from),
        Some(reason) => act(reason).await,
    };
    let after = after.map_err(|error| refused(&on.history, error))?;
    json(StatusCode::OK, &Change { done: reason.is_some(), steps, stands: MatchStatus::of(&after) })
}

/// Enter the result of a match that is over, and open everything that was still secret
#[utoipa::path(post, path = "/api/v1/matches/{slug}/end", tag = "umpire", operation_id = "endMatch", request_body = OnHead,
    responses((status = 200, description = "Ended.", body = MatchStatus)))]
pub(super) async fn end(on: MatchContext, Body(OnHead { head }): Body<OnHead>) -> Result<Response, Problem> {
    on.answer(on.app.commands.end(&on.act, on.match_id, read_head(&head)?).await)
}
