//! A match before a strike. Struck rounds no longer count, and can still be viewed.

use record::{History, SheetRow, Strike};

#[derive(Clone, Debug)]
pub struct BeforeStrike {
    pub history: History,
    from: u32,
}

impl BeforeStrike {
    /// The match before this strike. Later strikes are undone first, because one of them may reach further back.
    #[must_use]
    pub fn of(history: &History, strike: &Strike) -> Self {
        let mut steps = history.steps.clone();
        for later in history.strikes.iter().rev().take_while(|later| later.entry >= strike.entry) {
            steps.retain(|step| step.number < later.from);
            steps.extend(later.struck.iter().cloned());
        }
        Self { history: History { steps, ..history.clone() }, from: strike.from }
    }

    /// The struck rows with their labels of that time; if a row began before the strike, only its struck part.
    #[must_use]
    pub fn rows(&self) -> Vec<SheetRow<'_>> {
        let mut rows = self.history.rows();
        for row in &mut rows {
            row.steps.retain(|step| step.number >= self.from);
        }
        rows.retain(|row| !row.steps.is_empty());
        rows
    }
}
