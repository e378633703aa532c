//! An answer to a decision, as people name it: "Grow and Steal".

use engine::{Duel, Seat};
use ledger::DecisionId;
use record::History;

use super::LineReading;

#[must_use]
pub fn answer_words(history: &History, seat: Seat, decision: &DecisionId, values: &[&str]) -> Option<String> {
    let (before, what) = asked_in(history, decision)?;
    line_words(history, seat, decision, &before.join(what, values))
}

#[must_use]
pub fn line_words(history: &History, seat: Seat, decision: &DecisionId, line: &str) -> Option<String> {
    let (before, what) = asked_in(history, decision)?;
    let reading = LineReading::read(history, before, seat, what, line);
    Some(reading.words.trim_end_matches('.').to_owned()).filter(|words| !words.is_empty())
}

fn asked_in<'h>(history: &'h History, decision: &DecisionId) -> Option<(&'h Duel, &'h str)> {
    if let Some(open) = history.open.iter().find(|open| open.asked.decision == *decision) {
        return Some((history.duel(), &open.asked.what));
    }
    let step = history.step_of(decision)?;
    Some((history.before(step.number)?, &step.what))
}
