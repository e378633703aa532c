//! The acts of an umpire on a match. Each address takes one kind of them, and all are performed in one way.

use app::UmpireAct;
use app::umpire_act::{
    Admission, DrawLine, Explanation, NewCorrection, NewExtension, NewPause, NewRemark, NewRuling, NewStrike,
    NewWarning, ObjectionAnswer, OnHead, Succession, UmpireWord,
};
use axum::http::StatusCode;
use axum::response::Response;
use record::write::Plan;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::json;
use super::match_context::{AnybodysMatch, MatchContext};
use super::request::Body;
use super::shapes::MatchStatus;
use web_http::Problem;

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

impl ChangedStep {
    fn all(plan: &Plan) -> Vec<Self> {
        let step = plan.changes.iter().map(|change| Self {
            step: change.number,
            round: change.round,
            was: change.was.clone(),
            becomes: change.becomes.clone(),
            differs: change.differs(),
        });
        step.collect()
    }
}

impl MatchContext {
    /// Performs an act, and answers where the match stands after it.
    async fn perform(&self, act: UmpireAct) -> Result<Response, Problem> {
        let after = self.performed(&act).await?;
        json(StatusCode::OK, &MatchStatus::of(&after))
    }

    /// The same for an act that changes steps. When it is repeated after it was done, there is no plan any more; the act is
    /// recognized.
    async fn change(&self, act: UmpireAct) -> Result<Response, Problem> {
        let steps =
            act.plan(&self.history).and_then(Result::ok).map(|plan| ChangedStep::all(&plan)).unwrap_or_default();
        let after = self.performed(&act).await?;
        json(StatusCode::OK, &Change { done: !act.is_dry_run(), steps, stands: MatchStatus::of(&after) })
    }
}

/// Start the clocks that wait, and resume those that are paused
#[utoipa::path(post, path = "/api/v1/matches/{slug}/clock/run", tag = "umpire", operation_id = "runClocks", request_body = OnHead,
    responses((status = 200, description = "They run.", body = MatchStatus)))]
pub(super) async fn run_clocks(on: MatchContext, Body(act): Body<OnHead>) -> Result<Response, Problem> {
    on.perform(UmpireAct::RunClocks(act)).await
}

/// Pause the clocks that run
#[utoipa::path(post, path = "/api/v1/matches/{slug}/clock/pause", tag = "umpire", operation_id = "pauseClocks", request_body = NewPause,
    responses((status = 200, description = "They are paused.", body = MatchStatus)))]
pub(super) async fn pause_clocks(on: MatchContext, Body(act): Body<NewPause>) -> Result<Response, Problem> {
    on.perform(UmpireAct::PauseClocks(act)).await
}

/// Give time to a decision whose clock runs
#[utoipa::path(post, path = "/api/v1/matches/{slug}/clock/extend", tag = "umpire", operation_id = "extendClock", request_body = NewExtension,
    responses((status = 200, description = "It has more time.", body = MatchStatus)))]
pub(super) async fn extend_clock(on: MatchContext, Body(act): Body<NewExtension>) -> Result<Response, Problem> {
    on.perform(UmpireAct::ExtendClock(act)).await
}

/// Say what became of the answers, in a declared game
///
/// It is the umpire's word: no rules are applied to it.
#[utoipa::path(post, path = "/api/v1/matches/{slug}/word", tag = "umpire", operation_id = "announce", request_body = UmpireWord,
    responses((status = 200, description = "Said, and the next question is asked.", body = MatchStatus)))]
pub(super) async fn announce(on: MatchContext, Body(act): Body<UmpireWord>) -> Result<Response, Problem> {
    on.perform(UmpireAct::Announce(act)).await
}

/// Draw for the host, or enter what was drawn elsewhere
#[utoipa::path(post, path = "/api/v1/matches/{slug}/draw", tag = "umpire", operation_id = "draw", request_body = DrawLine,
    responses((status = 200, description = "Drawn.", body = MatchStatus)))]
pub(super) async fn draw(on: MatchContext, Body(act): Body<DrawLine>) -> Result<Response, Problem> {
    on.perform(UmpireAct::Draw(act)).await
}

/// Make the next draw without the round of the beacon
///
/// For a beacon that is silent. Everybody sees it, and the draw has the grade of one that the host could know.
#[utoipa::path(post, path = "/api/v1/matches/{slug}/without-round", tag = "umpire", operation_id = "drawWithoutRound",
    request_body = Explanation,
    responses((status = 200, description = "Ruled, and drawn.", body = MatchStatus)))]
pub(super) async fn draw_without_round(on: MatchContext, Body(act): Body<Explanation>) -> Result<Response, Problem> {
    on.perform(UmpireAct::DrawWithoutRound(act)).await
}

/// Gather new shares of the draws
///
/// The host opens its share of before. What was drawn keeps its cards; the rest follows from the new shares.
#[utoipa::path(post, path = "/api/v1/matches/{slug}/shares", tag = "umpire", operation_id = "beginShares", request_body = Explanation,
    responses((status = 200, description = "Ruled; the seats are asked again.", body = MatchStatus)))]
pub(super) async fn begin_shares(on: MatchContext, Body(act): Body<Explanation>) -> Result<Response, Problem> {
    on.perform(UmpireAct::BeginShares(act)).await
}

/// Rule, and decide the result where the ruling does
#[utoipa::path(post, path = "/api/v1/matches/{slug}/rulings", tag = "umpire", operation_id = "rule", request_body = NewRuling,
    responses((status = 200, description = "Recorded.", body = MatchStatus)))]
pub(super) async fn rule(on: MatchContext, Body(act): Body<NewRuling>) -> Result<Response, Problem> {
    on.perform(UmpireAct::Rule(act)).await
}

/// Make a public remark
#[utoipa::path(post, path = "/api/v1/matches/{slug}/notes", tag = "umpire", operation_id = "note", request_body = NewRemark,
    responses((status = 200, description = "Recorded.", body = MatchStatus)))]
pub(super) async fn note(on: MatchContext, Body(act): Body<NewRemark>) -> Result<Response, Problem> {
    on.perform(UmpireAct::Note(act)).await
}

/// Warn a seat
#[utoipa::path(post, path = "/api/v1/matches/{slug}/warnings", tag = "umpire", operation_id = "warn", request_body = NewWarning,
    responses((status = 200, description = "Recorded.", body = MatchStatus)))]
pub(super) async fn warn(on: MatchContext, Body(act): Body<NewWarning>) -> Result<Response, Problem> {
    on.perform(UmpireAct::Warn(act)).await
}

/// Rule that what a seat sent too late counts
#[utoipa::path(post, path = "/api/v1/matches/{slug}/late/admissions", tag = "umpire", operation_id = "admitLate", request_body = Admission,
    responses((status = 200, description = "Admitted: the last line that is kept for the seat counts.", body = MatchStatus)))]
pub(super) async fn admit(on: MatchContext, Body(act): Body<Admission>) -> Result<Response, Problem> {
    on.perform(UmpireAct::Admit(act)).await
}

/// Rule on an objection, where the step stays as it is
#[utoipa::path(post, path = "/api/v1/matches/{slug}/objections/answers", tag = "umpire", operation_id = "answerObjection", request_body = ObjectionAnswer,
    responses((status = 200, description = "Recorded.", body = MatchStatus)))]
pub(super) async fn answer_objection(on: MatchContext, Body(act): Body<ObjectionAnswer>) -> Result<Response, Problem> {
    on.perform(UmpireAct::AnswerObjection(act)).await
}

/// Let a live match go on as a recorded one: from here on you type for both seats
#[utoipa::path(post, path = "/api/v1/matches/{slug}/recorded", tag = "umpire", operation_id = "goOnRecorded", request_body = Explanation,
    responses((status = 200, description = "Recorded.", body = MatchStatus)))]
pub(super) async fn go_on_recorded(on: MatchContext, Body(act): Body<Explanation>) -> Result<Response, Problem> {
    on.perform(UmpireAct::GoOnRecorded(act)).await
}

/// Strike every step from one on, or tell what that would change
#[utoipa::path(post, path = "/api/v1/matches/{slug}/strikes", tag = "umpire", operation_id = "strike", request_body = NewStrike,
    responses((status = 200, description = "What changed, or would.", body = Change)))]
pub(super) async fn strike(on: MatchContext, Body(act): Body<NewStrike>) -> Result<Response, Problem> {
    on.change(UmpireAct::Strike(act)).await
}

/// Correct one step and keep the later ones, or tell what that would change
#[utoipa::path(post, path = "/api/v1/matches/{slug}/corrections", tag = "umpire", operation_id = "correct", request_body = NewCorrection,
    responses((status = 200, description = "What changed, or would.", body = Change)))]
pub(super) async fn correct(on: MatchContext, Body(act): Body<NewCorrection>) -> Result<Response, Problem> {
    on.change(UmpireAct::Correct(act)).await
}

/// Enter the result of a match that is over, and open everything that was still secret
#[utoipa::path(post, path = "/api/v1/matches/{slug}/end", tag = "umpire", operation_id = "endMatch", request_body = OnHead,
    responses((status = 200, description = "Ended.", body = MatchStatus)))]
pub(super) async fn end(on: MatchContext, Body(act): Body<OnHead>) -> Result<Response, Problem> {
    on.perform(UmpireAct::End(act)).await
}

/// Hand a match to another umpire, or take it
///
/// A GET at the same address says to whom it can be handed.
#[utoipa::path(post, path = "/api/v1/matches/{slug}/handover", tag = "umpire", operation_id = "handOver", request_body = Succession,
    responses((status = 200, description = "Handed.", body = MatchStatus)))]
pub(super) async fn hand(AnybodysMatch(on): AnybodysMatch, Body(act): Body<Succession>) -> Result<Response, Problem> {
    on.perform(UmpireAct::Hand(act)).await
}
