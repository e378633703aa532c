//! The answers that an umpire types for the players of a live match, and closing a decision early.

use app::AppError;
use app::commands::{TypedMove, TypedOutcome};
use app::submissions::{SubmissionRefusal, last_of};
use axum::response::Response;
use engine::{Seat, name_seats};
use ledger::DecisionId;
use record::limits::{MOVE_MAX_CHARS, too_long};
use record::words::{listed, sentence};

use super::act_form::{ActForm, Confirmation, Refusal, answer_lines};
use super::match_context::MatchContext;
use super::question::TypedLines;
use super::sent_at;
use web_http::Problem;

pub(super) async fn type_for(form: ActForm) -> Result<Response, Problem> {
    let typed = TypedLines::of_form(&form.sent);
    let done = store(&form, &typed).await.map(|stored| match stored {
        TypedOutcome::Late => "late",
        TypedOutcome::Stored => "stored",
    });
    answer_lines(done, form, typed).await
}

/// `POST .../close`: closes a decision now, with the answers up to now. Input in the form is stored first. A page asks
/// first if a player has not answered.
pub(super) async fn close(form: ActForm) -> Result<Response, Problem> {
    let mut typed = TypedLines::of_form(&form.sent);
    let done = store_and_close(&form, &mut typed).await;
    answer_lines(done, form, typed).await
}

async fn store_and_close(form: &ActForm, typed: &mut TypedLines) -> Result<Confirmation, Refusal> {
    // If somebody else or the clock has closed it meanwhile, the input is shown again and not lost.
    if store(form, typed).await? == TypedOutcome::Late {
        return Ok("late");
    }
    let (context, decision) = (&form.context, form.decision()?);
    if form.text("ask") == "first" && form.text("sure") != "yes" {
        let missing = missing(context, &decision).await?;
        if !missing.is_empty() {
            typed.unsure = true;
            let has = if missing.len() == 1 { "has" } else { "have" };
            return Err(Refusal::Input(format!(
                "{} {has} not answered. Close anyway? It counts as no move.",
                listed(&missing)
            )));
        }
    }
    context.app.recorder.close_now(&form.act, context.match_id, &decision).await?;
    Ok("")
}

async fn missing(context: &MatchContext, decision: &DecisionId) -> Result<Vec<String>, Refusal> {
    let open = context.history.open.iter().find(|open| open.asked.decision == *decision);
    let seats: Vec<Seat> = open.map(|open| open.asked.seats.iter().map(|seat| seat.0).collect()).unwrap_or_default();
    let rows = context.app.submissions.received(context.match_id, decision).await?;
    let missing = seats.into_iter().filter(|seat| last_of(&rows, *seat).is_none());
    Ok(missing.map(|seat| context.history.name(seat).to_owned()).collect())
}

/// Stores the lines of a form that have input: late if one of them came late.
async fn store(form: &ActForm, typed: &TypedLines) -> Result<TypedOutcome, Refusal> {
    let (context, decision) = (&form.context, form.decision()?);
    let times = sent_at::times(&form.sent, context.app.system().now());
    let (mut stored, mut refused) = (TypedOutcome::Stored, None);
    for seat in Seat::BOTH.into_iter().filter(|seat| !typed.moves[*seat].is_empty()) {
        let text = &typed.moves[seat];
        let done = match (too_long(text, MOVE_MAX_CHARS), times[seat]) {
            (Some(long), _) => Err(long),
            (None, Err(no_time)) => Err(no_time.to_owned()),
            (None, Ok(at)) => {
                let line = TypedMove { decision: &decision, seat, text, sent: at, is_edited: false };
                match context.app.commands.type_sent(&form.act, context.match_id, line).await {
                    Ok(done) => Ok(done),
                    Err(SubmissionRefusal::App(error)) => return Err(error.into()),
                    Err(SubmissionRefusal::Late | SubmissionRefusal::Closed | SubmissionRefusal::Reused) => {
                        return Err(AppError::Overtaken.into());
                    }
                    Err(refusal) => Err(refusal.to_string()),
                }
            }
        };
        match done {
            Ok(TypedOutcome::Late) => stored = TypedOutcome::Late,
            Ok(TypedOutcome::Stored) => {}
            Err(why) => {
                let names = context.history.both_names();
                refused = Some(sentence(&format!("{}: {}", names[seat], name_seats(&why, names))));
            }
        }
    }
    refused.map_or(Ok(stored), |why| Err(Refusal::Input(why)))
}
