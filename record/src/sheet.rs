//! The score sheet: the steps that count, row by row.

use engine::{Duel, Place};

use crate::{History, StepRecord};

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
}

/// `b` for the second time a round is played, `c` for the third, and after `z` plain numbers.
fn repetition(played: usize) -> String {
    match u8::try_from(played).ok().and_then(|played| b'a'.checked_add(played)) {
        Some(letter @ b'b'..=b'z') => char::from(letter).to_string(),
        _ => format!("-{}", played + 1),
    }
}
