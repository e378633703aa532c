//! A decision and an answer to it, as people name them: "Round 20", "Grow and Steal".

use engine::{Duel, Seat};
use ledger::DecisionId;
use record::words::row_words;
use record::{History, StepRecord, StepSource};

use super::LineReading;

/// The round of a decision, such as "Round 20"; its number where the game counts no rounds.
#[must_use]
pub fn decision_words(history: &History, decision: &DecisionId) -> String {
    let step = step_of(history, decision).map(|step| step.number);
    let row = history.rows().into_iter().find(|row| row.steps.iter().any(|other| Some(other.number) == step));
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
    let step = step_of(history, decision)?;
    Some((history.before(step.number)?, &step.what))
}

/// The step that answers a decision, or the one that a correction put in its place.
fn step_of<'h>(history: &'h History, decision: &DecisionId) -> Option<&'h StepRecord> {
    let answers = StepSource::Decision(decision.clone());
    history.steps.iter().find(|step| step.source == answers).or_else(|| {
        let mut struck = history.strikes.iter().flat_map(|strike| &strike.struck);
        let number = struck.find(|step| step.source == answers)?.number;
        let corrects = |step: &&StepRecord| matches!(step.source, StepSource::Correction { .. });
        history.steps.iter().find(|step| step.number == number).filter(corrects)
    })
}
