//! The decisions of an umpire: rulings, remarks, strikes, corrections, the end.

use app::App;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use engine::{Seat, Verdict};
use record::History;
use record::limits::too_long;
use record::write::{Amendment, Plan, plan_correction, plan_strike};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

use super::answer::{Acts, json};
use super::caller::Umpire;
use super::once::Key;
use super::playing::{refused, settled, stands};
use super::sent::{Body, Named, act, seen};
use super::shape::{Lines, Stands};
use crate::http::Problem;
use crate::http::whole::whole;
use crate::page::HeadJson;

/// The longest ruling, remark or reason.
pub(super) const TEXT_MAX_CHARS: usize = 1000;

/// A ruling.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewRuling)]
pub(super) struct NewRuling {
    /// The head that you read.
    head: HeadJson,
    /// What was decided, and why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "The block stands: it was sent in time.")]
    text: String,
    /// The clause that it rests on, as the ruleset numbers them.
    #[serde(default)]
    #[schema(nullable = false, max_length = 40, example = "1.4")]
    clause: Option<String>,
    /// The result that it decides; left out, the match goes on.
    #[serde(default)]
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
#[schema(as = NewRemark)]
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
#[schema(as = NewStrike)]
pub(super) struct NewStrike {
    /// The head that you read.
    head: HeadJson,
    /// The first step that no longer counts.
    #[serde(deserialize_with = "whole")]
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
#[schema(as = NewCorrection)]
pub(super) struct NewCorrection {
    /// The head that you read.
    head: HeadJson,
    /// The step.
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 1, example = 3)]
    step: u32,
    /// The new line of each seat that is to be corrected.
    #[serde(default)]
    moves: Lines,
    /// What the host drew, where that is to be corrected.
    #[serde(default)]
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
#[schema(as = OnHead)]
pub(super) struct OnHead {
    /// The head that you read.
    pub(super) head: HeadJson,
}

/// What a strike or a correction does to the match, and whether it was done.
#[derive(Serialize, ToSchema)]
#[schema(as = Change)]
struct Changed {
    /// Whether it was recorded; else it was a dry run.
    done: bool,
    /// Every step from there on.
    steps: Vec<ChangedStep>,
    /// How the match stands now.
    stands: Stands,
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

impl Changed {
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

/// A required text.
pub(super) fn said<'t>(text: &'t str, missing: &'static str) -> Result<&'t str, Problem> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Problem::refused(missing));
    }
    too_long(text, TEXT_MAX_CHARS).map_or(Ok(text), |why| Err(Problem::refused(why)))
}

/// The clause, if the ruleset has it.
pub(super) fn known_clause<'t>(history: &History, clause: Option<&'t str>) -> Result<Option<&'t str>, Problem> {
    let clause = clause.map(str::trim).filter(|clause| !clause.is_empty());
    let clauses = engine::ruleset(&history.setup.ruleset).map(|ruleset| ruleset.clauses()).unwrap_or_default();
    match clause {
        Some(clause) if !clauses.iter().any(|known| known.number == clause) => {
            Err(Problem::refused("The ruleset has no such clause."))
        }
        clause => Ok(clause),
    }
}

/// Rule, and decide the result where the ruling does
#[utoipa::path(post, path = "/api/v1/matches/{slug}/rulings", tag = "umpire", operation_id = "rule", request_body = NewRuling,
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731"),
        ("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "ruling-1")),
    security(("token" = [])),
    responses((status = 200, description = "Recorded.", body = Stands), Acts))]
pub(super) async fn rule(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: Named,
    key: Key,
    Body(ruling): Body<NewRuling>,
) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    let (act, head) = (act(umpire.by(), &key), seen(&ruling.head)?);
    let text = said(&ruling.text, "Say what was decided, and why: everybody reads it.")?;
    let clause = known_clause(&history, ruling.clause.as_deref())?;
    let ruled = app.commands.rule(&act, match_id, head, clause, text, ruling.result.map(Into::into)).await;
    stands(&history, ruled)
}

/// Make a public remark
#[utoipa::path(post, path = "/api/v1/matches/{slug}/notes", tag = "umpire", operation_id = "note", request_body = NewRemark,
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731"),
        ("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "note-1")),
    security(("token" = [])),
    responses((status = 200, description = "Recorded.", body = Stands), Acts))]
pub(super) async fn note(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: Named,
    key: Key,
    Body(remark): Body<NewRemark>,
) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    let (act, head) = (act(umpire.by(), &key), seen(&remark.head)?);
    let noted = app.commands.note(&act, match_id, head, said(&remark.text, "A remark says something.")?).await;
    stands(&history, noted)
}

/// Strike every step from one on, or tell what that would change
#[utoipa::path(post, path = "/api/v1/matches/{slug}/strikes", tag = "umpire", operation_id = "strike", request_body = NewStrike,
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731"),
        ("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "strike-1")),
    security(("token" = [])),
    responses((status = 200, description = "What changed, or would.", body = Changed), Acts))]
pub(super) async fn strike(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: Named,
    key: Key,
    Body(strike): Body<NewStrike>,
) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    let (act, head) = (act(umpire.by(), &key), seen(&strike.head)?);
    let reason = (!strike.dry_run).then(|| said(&strike.reason, "Say why: everybody reads it.")).transpose()?;
    // When a strike is repeated after it was done, there is no plan any more; the book recognizes the act.
    let plan = plan_strike(&history, strike.from);
    let steps = plan.as_ref().map(Changed::steps).unwrap_or_default();
    let after = match reason {
        None => {
            plan.map_err(|why| refused(&history, why.into()))?;
            history.clone()
        }
        Some(reason) => {
            let struck = app.commands.strike(&act, match_id, head, strike.from, reason).await;
            struck.map_err(|error| refused(&history, error))?
        }
    };
    json(StatusCode::OK, &Changed { done: !strike.dry_run, steps, stands: Stands::of(&after) })
}

/// Correct one step and keep the later ones, or tell what that would change
#[utoipa::path(post, path = "/api/v1/matches/{slug}/corrections", tag = "umpire", operation_id = "correct", request_body = NewCorrection,
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731"),
        ("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "correct-1")),
    security(("token" = [])),
    responses((status = 200, description = "What changed, or would.", body = Changed), Acts))]
pub(super) async fn correct(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: Named,
    key: Key,
    Body(sent): Body<NewCorrection>,
) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    let (act, head) = (act(umpire.by(), &key), seen(&sent.head)?);
    let reason = (!sent.dry_run).then(|| said(&sent.reason, "Say why: everybody reads it.")).transpose()?;
    let moves = sent.moves.by_seat();
    let draw = sent.draw.as_deref().map(str::trim).filter(|draw| !draw.is_empty());
    if draw.is_none() && Seat::BOTH.into_iter().all(|seat| moves[seat].is_none()) {
        return Err(Problem::refused("Say what is corrected: the line of a seat, or what was drawn."));
    }
    let amended = Amendment { moves: moves.as_ref().map(|line| line.as_deref()), draw };
    let plan = plan_correction(&history, sent.step, amended);
    let steps = plan.as_ref().map(Changed::steps).unwrap_or_default();
    let after = match reason {
        None => {
            plan.map_err(|why| refused(&history, why.into()))?;
            history.clone()
        }
        Some(reason) => {
            let corrected = app.commands.correct(&act, match_id, head, sent.step, amended, reason).await;
            corrected.map_err(|error| refused(&history, error))?
        }
    };
    json(StatusCode::OK, &Changed { done: !sent.dry_run, steps, stands: Stands::of(&after) })
}

/// Enter the result of a match that is over, and open everything that was still secret
#[utoipa::path(post, path = "/api/v1/matches/{slug}/end", tag = "umpire", operation_id = "endMatch", request_body = OnHead,
    params(("slug" = String, Path, description = "The match's short name.", pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731"),
        ("Idempotency-Key" = String, Header, description = "Another one for every act; the same when you send the same again.", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$", example = "end-1")),
    security(("token" = [])),
    responses((status = 200, description = "Ended.", body = Stands), Acts))]
pub(super) async fn end(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: Named,
    key: Key,
    Body(OnHead { head }): Body<OnHead>,
) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    let ended = app.commands.end(&act(umpire.by(), &key), match_id, seen(&head)?).await;
    stands(&history, ended)
}
