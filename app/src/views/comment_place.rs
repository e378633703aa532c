//! Where a comment belongs: to a side of a step, so that it stays with what it was written about. A round that is struck or
//! corrected takes its comments along, and a round that goes on does not move them.

use ledger::Seq;
use record::{History, SheetRow, StepRecord};
use store::matches::comments::{CommentPlace, Side};

use super::beat::Beat;
use super::before_strike::BeforeStrike;
use super::scene::act;

#[must_use]
pub fn comment_place(row: &SheetRow<'_>, beat: Beat) -> Option<CommentPlace> {
    let (step, side) = match beat {
        Beat::Before => (*row.steps.first()?, Side::Before),
        Beat::Choices => (*row.steps.first()?, Side::Choices),
        Beat::Act(number) => (act(row, number)?.0, Side::After),
        Beat::After => (*row.steps.last()?, Side::After),
    };
    Some(CommentPlace { step: step.number, entry: step.entry, side })
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentedMoment {
    pub label: String,
    pub beat: Beat,
    pub strike: Option<Seq>,
}

impl CommentedMoment {
    #[must_use]
    pub fn of(history: &History, place: &CommentPlace) -> Option<Self> {
        let is_it = |step: &StepRecord| step.number == place.step && step.entry == place.entry;
        if let Some(found) = Self::among(&history.rows(), place.side, is_it) {
            return Some(found);
        }
        let strike = history.strikes.iter().find(|strike| strike.struck.iter().any(is_it))?;
        let found = Self::among(&BeforeStrike::of(history, strike).rows(), place.side, is_it)?;
        Some(Self { strike: Some(strike.entry), ..found })
    }

    fn among(rows: &[SheetRow<'_>], side: Side, is_it: impl Fn(&StepRecord) -> bool) -> Option<Self> {
        rows.iter().find_map(|row| {
            let at = row.steps.iter().position(|step| is_it(step))?;
            let beat = match side {
                Side::Before => Beat::Before,
                Side::Choices => Beat::Choices,
                Side::After if at + 1 == row.steps.len() => Beat::After,
                Side::After => Beat::Act(u16::try_from(at + 1).ok()?),
            };
            Some(Self { label: row.label.clone(), beat, strike: None })
        })
    }
}
