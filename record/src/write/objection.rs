//! A player's objection, and the ruling that answers it.

use engine::Seat;
use ledger::Seq;

use super::rule::ruling;
use super::{NewEntries, WriteContext, WriteError, place};
use crate::body::{Body, Objected, RulingEffect};
use crate::history::History;

/// The most objections of a seat in a match: more would say nothing new, and each takes up space for ever.
pub const OBJECTIONS_MAX: usize = 40;

/// Records a seat's statement that it did not send what a step says.
pub fn object(
    context: &mut WriteContext<'_>,
    history: &History,
    seat: Seat,
    step: u32,
    text: &str,
) -> Result<NewEntries, WriteError> {
    if text.trim().is_empty() {
        return Err(WriteError::Missing("say what you sent instead, and where"));
    }
    if history.opened.mode == crate::Mode::Imported {
        return Err(WriteError::NotNow("a match of the past is not ruled on here"));
    }
    let at = usize::try_from(step).ok().and_then(|step| step.checked_sub(1));
    if at.and_then(|at| history.steps.get(at)).is_none_or(|step| !step.is_of(seat)) {
        return Err(WriteError::NotNow("this step is not there, or nothing in it is yours"));
    }
    if history.open_objections().any(|open| (open.seat, open.step) == (seat, step)) {
        return Err(WriteError::NotNow("you objected to this already, and it waits for the umpire's ruling"));
    }
    if history.objections.iter().filter(|one| one.seat == seat).count() >= OBJECTIONS_MAX {
        return Err(WriteError::NotNow("there are 40 objections of yours in this match; tell the umpire the rest"));
    }
    let mut written = NewEntries::default();
    let text = context.word(&mut written, place(history, 0), "text", text)?;
    written.drafts.push(context.draft(&Body::Objected(Objected { step, text })));
    Ok(written)
}

/// Answers an objection with a ruling that leaves the result as it is.
pub fn answer(
    context: &mut WriteContext<'_>,
    history: &History,
    objection: Seq,
    clause: Option<&str>,
    text: &str,
) -> Result<NewEntries, WriteError> {
    if !history.open_objections().any(|open| open.entry == objection) {
        return Err(WriteError::NotNow("this objection is answered already"));
    }
    ruling(context, history, clause, text, Some(RulingEffect::Answers(objection.0)))
}
