//! A match as it stood before a strike. What was struck no longer counts, and can still be looked at.

use record::{History, SheetRow, Strike};

/// The match before one of its strikes.
#[derive(Clone, Debug)]
pub struct Stood {
    /// All of it, with the steps that counted then.
    pub then: History,
    from: u32,
}

impl Stood {
    /// Before this strike. Later strikes are taken back first: one of them may reach further back.
    #[must_use]
    pub fn before(history: &History, strike: &Strike) -> Self {
        let mut steps = history.steps.clone();
        for later in history.strikes.iter().rev().take_while(|later| later.entry >= strike.entry) {
            steps.retain(|step| step.number < later.from);
            steps.extend(later.struck.iter().cloned());
        }
        Self { then: History { steps, ..history.clone() }, from: strike.from }
    }

    /// The rows that were struck, under the names that they had; of a row that began before, what was struck of it.
    #[must_use]
    pub fn rows(&self) -> Vec<SheetRow<'_>> {
        let mut rows = self.then.rows();
        for row in &mut rows {
            row.steps.retain(|step| step.number >= self.from);
        }
        rows.retain(|row| !row.steps.is_empty());
        rows
    }
}
