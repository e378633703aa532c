//! The score sheet: the steps that count, row by row.

use engine::{Duel, Place, Seat};
use ledger::DecisionId;

use crate::words::row_words;
use crate::{History, StepRecord, StepSource};

/// A row of the score sheet: a round, a part of it, or a replay of it.
#[derive(Clone, Debug)]
pub struct SheetRow<'h> {
    /// Such as `7`, `7b` if round 7 was played again, and `7.2` for the second part of round 7.
    pub label: String,
    /// The round.
    pub round: u32,
    /// Its steps.
    pub steps: Vec<&'h StepRecord>,
}

impl SheetRow<'_> {
    /// The match after the row's last step, if it could be replayed.
    #[must_use]
    pub fn after(&self) -> Option<&Duel> {
        self.steps.last().and_then(|step| step.after.as_ref())
    }
}

impl History {
    /// The score sheet, row by row.
    #[must_use]
    pub fn rows(&self) -> Vec<SheetRow<'_>> {
        let mut rows: Vec<SheetRow<'_>> = Vec::new();
        // The number of times the round was begun, and of its parts so far.
        let (mut played, mut parts) = (0, 0);
        for step in &self.steps {
            let round = step.row.round;
            let same_round = rows.last().is_some_and(|row| row.round == round);
            match (rows.last_mut(), step.row.place) {
                (Some(row), Place::Same) => {
                    row.steps.push(step);
                    continue;
                }
                (Some(_), Place::Part) if same_round => parts += 1,
                (Some(_), Place::Round) if same_round => (played, parts) = (played + 1, 1),
                _ => (played, parts) = (1, 1),
            }
            let again = if played > 1 { repetition(played - 1) } else { String::new() };
            let part = if parts > 1 { format!(".{parts}") } else { String::new() };
            rows.push(SheetRow { label: format!("{round}{again}{part}"), round, steps: vec![step] });
        }
        rows
    }

    /// The step that answers a decision, or the one that a correction put in its place.
    #[must_use]
    pub fn step_of(&self, decision: &DecisionId) -> Option<&StepRecord> {
        let answers = StepSource::Decision(decision.clone());
        self.steps.iter().find(|step| step.source == answers).or_else(|| {
            let mut struck = self.strikes.iter().flat_map(|strike| &strike.struck);
            let number = struck.find(|step| step.source == answers)?.number;
            let corrects = |step: &&StepRecord| matches!(step.source, StepSource::Correction { .. });
            self.steps.iter().find(|step| step.number == number).filter(corrects)
        })
    }

    /// The round of a decision that was asked since the last step, also where it was taken back.
    #[must_use]
    pub fn coming_words(&self, decision: &DecisionId) -> String {
        let round = self.duel().coming_round();
        round.map_or_else(|| self.decision_words(decision), |round| format!("Round {round}"))
    }

    /// The round of a decision, such as "Round 20"; "Question 3" where the game counts no rounds, and where it was struck.
    #[must_use]
    pub fn decision_words(&self, decision: &DecisionId) -> String {
        let step = self.step_of(decision).map(|step| step.number);
        let row = self.rows().into_iter().find(|row| row.steps.iter().any(|other| Some(other.number) == step));
        let round = || {
            let is_open = self.open.iter().any(|open| open.asked.decision == *decision);
            self.duel().coming_round().filter(|_| is_open).map(|round| format!("Round {round}"))
        };
        let number = || match decision.as_str().strip_prefix('d') {
            Some(number) => format!("Question {number}"),
            None => decision.to_string(),
        };
        row.map(|row| row_words(&row.label)).or_else(round).unwrap_or_else(number)
    }

    #[must_use]
    pub(crate) fn question_words(&self, decision: &DecisionId, what: &str) -> String {
        let round = self.decision_words(decision);
        if what == "round" { round } else { format!("{round}, {what}") }
    }

    /// The words after a name: "Juniper, round 7".
    #[must_use]
    pub(crate) fn seat_words(&self, seat: Seat, decision: &DecisionId) -> String {
        format!("{}, {}", self.name(seat), self.decision_words(decision).to_lowercase())
    }
}

/// `b` for the second time a round is played, `c` for the third, and after `z` plain numbers.
fn repetition(played: usize) -> String {
    match u8::try_from(played).ok().and_then(|played| b'a'.checked_add(played)) {
        Some(letter @ b'b'..=b'z') => char::from(letter).to_string(),
        _ => format!("-{}", played + 1),
    }
}
