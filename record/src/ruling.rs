//! What rulings and handovers come to: whose match it is, who was warned, and which late answers count.

use engine::{BySeat, Seat};
use ledger::{By, DecisionId, Moment, Seq};

use crate::body::{Does, Seated};
use crate::history::{History, Mode, Remark, StepRecord, StepSource};
use crate::word::Said;

/// Another umpire takes over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handover {
    /// The entry.
    pub entry: Seq,
    /// Who handed the match over, or took it.
    pub by: By,
    /// When.
    pub at: Moment,
    /// Whose match it is from then on.
    pub to: By,
    /// Why.
    pub reason: Said,
}

impl History {
    /// Whose match it is now.
    #[must_use]
    pub fn umpire_now(&self) -> &By {
        self.handovers.last().map_or(&self.umpire, |handover| &handover.to)
    }

    /// Whose match it was when an entry was made.
    #[must_use]
    pub fn umpire_at(&self, entry: Seq) -> &By {
        let before = self.handovers.iter().rfind(|handover| handover.entry < entry);
        before.map_or(&self.umpire, |handover| &handover.to)
    }

    /// Everybody whose match it was or is, in order, each once.
    #[must_use]
    pub fn umpires(&self) -> Vec<&By> {
        let mut all = vec![&self.umpire];
        for handover in &self.handovers {
            if !all.contains(&&handover.to) {
                all.push(&handover.to);
            }
        }
        all
    }

    /// An umpire's decisions in a match of the past, each with its reason. There they are lines among its steps; a match that
    /// was recorded here has a ruling of its own for each.
    pub fn decided_in_import(&self) -> impl Iterator<Item = (&StepRecord, &str)> {
        let imported = self.opened.mode == Mode::Imported;
        let steps = self.steps.iter().filter(move |step| imported && step.source != StepSource::Ruling);
        steps.filter_map(|step| {
            let decided = step.text.as_deref()?.strip_prefix("umpire: result ")?;
            Some((step, decided.split_once(' ').map_or("", |(_, reason)| reason)))
        })
    }

    /// How often each seat was warned.
    #[must_use]
    pub fn warnings(&self) -> BySeat<usize> {
        let warned = |seat| self.remarks.iter().filter(|remark| remark.does == Some(Does::Warns(Seated(seat)))).count();
        BySeat::from_fn(warned)
    }

    /// The ruling that admits what a seat sent too late for a decision.
    #[must_use]
    pub fn admitted(&self, decision: &DecisionId, seat: Seat) -> Option<Seq> {
        let admits = |remark: &&Remark| match &remark.does {
            Some(Does::Admits(admitted)) => admitted.decision == *decision && admitted.seat.0 == seat,
            _ => false,
        };
        self.remarks.iter().find(admits).map(|remark| remark.entry)
    }
}
