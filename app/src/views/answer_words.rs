//! An answer to a decision, as people name it: "Grow and Steal".

use engine::{Duel, Seat};
use ledger::DecisionId;
use record::History;

use super::LineReading;

/// The answer of a seat in full words, from the values that it sealed; none if it cannot be read any more.
#[must_use]
pub fn answer_words(history: &History, seat: Seat, decision: &DecisionId, values: &[&str]) -> Option<String> {
    let (before, what) = asked_in(history, decision)?;
    line_words(history, seat, decision, &before.join(what, values))
}

/// The line of a seat in full words; none if it cannot be read any more.
#[must_use]
pub fn line_words(history: &History, seat: Seat, decision: &DecisionId, line: &str) -> Option<String> {
    let (before, what) = asked_in(history, decision)?;
    let reading = LineReading::read(history, before, seat, what, line);
    Some(reading.words.trim_end_matches('.').to_owned()).filter(|words| !words.is_empty())
}

/// The state in which a decision was asked, and its question.
fn asked_in<'h>(history: &'h History, decision: &DecisionId) -> Option<(&'h Duel, &'h str)> {
    if let Some(open) = history.open.iter().find(|open| open.asked.decision == *decision) {
        return Some((history.duel(), &open.asked.what));
    }
    let step = history.step_of(decision)?;
    Some((history.before(step.number)?, &step.what))
}
