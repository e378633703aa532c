//! A decision and an answer to it, as people name them: "Round 20", "Grow and Steal".

use engine::{Duel, Seat};
use ledger::DecisionId;
use record::words::row_words;
use record::{History, StepSource};

use super::LineReading;

/// The round of a decision, such as "Round 20"; its number where the game counts no rounds.
#[must_use]
pub fn decision_words(history: &History, decision: &DecisionId) -> String {
    let answers = StepSource::Decision(decision.clone());
    let row = history.rows().into_iter().find(|row| row.steps.iter().any(|step| step.source == answers));
    let round = || {
        let is_open = history.open.iter().any(|open| open.asked.decision == *decision);
        history.duel().coming_round().filter(|_| is_open).map(|round| format!("Round {round}"))
    };
    let number = || format!("Question {}", decision.as_str().trim_start_matches('d'));
    row.map(|row| row_words(&row.label)).or_else(round).unwrap_or_else(number)
}

/// The answer of a seat in full words, from the values that it sealed; none if it cannot be read any more.
#[must_use]
pub fn answer_words(history: &History, seat: Seat, decision: &DecisionId, values: &[&str]) -> Option<String> {
    let (before, what) = asked_in(history, decision)?;
    let reading = LineReading::read(history, before, seat, what, &before.join(what, values));
    Some(reading.words.trim_end_matches('.').to_owned()).filter(|words| !words.is_empty())
}

/// The state in which a decision was asked, and its question.
fn asked_in<'h>(history: &'h History, decision: &DecisionId) -> Option<(&'h Duel, &'h str)> {
    if let Some(open) = history.open.iter().find(|open| open.asked.decision == *decision) {
        return Some((history.duel(), &open.asked.what));
    }
    let answers = StepSource::Decision(decision.clone());
    let step = history.steps.iter().find(|step| step.source == answers)?;
    Some((history.before(step.number)?, &step.what))
}
