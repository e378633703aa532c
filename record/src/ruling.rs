//! The results of rulings and handovers: the umpire of the match, the warnings, and the late answers that count.

use engine::{BySeat, Seat};
use ledger::{Author, DecisionId, Moment, Seq};

use crate::body::{RulingEffect, SeatWord};
use crate::history::{History, Mode, Remark, StepRecord, StepSource};
use crate::text::CommittedText;

/// Another umpire takes over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handover {
    /// The entry.
    pub entry: Seq,
    /// The umpire who handed the match over, or took it.
    pub by: Author,
    /// The time.
    pub at: Moment,
    /// The new umpire of the match.
    pub to: Author,
    /// The reason.
    pub reason: CommittedText,
}

impl History {
    /// The present umpire of the match.
    #[must_use]
    pub fn umpire_now(&self) -> &Author {
        self.handovers.last().map_or(&self.umpire, |handover| &handover.to)
    }

    /// The umpire of the match when an entry was made.
    #[must_use]
    pub fn umpire_at(&self, entry: Seq) -> &Author {
        let before = self.handovers.iter().rfind(|handover| handover.entry < entry);
        before.map_or(&self.umpire, |handover| &handover.to)
    }

    /// All umpires of the match, in order, each once.
    #[must_use]
    pub fn umpires(&self) -> Vec<&Author> {
        let mut all = vec![&self.umpire];
        for handover in &self.handovers {
            if !all.contains(&&handover.to) {
                all.push(&handover.to);
            }
        }
        all
    }

    /// An umpire's decisions in a match of the past, each with its reason. They are lines among its steps; in a match
    /// that was recorded here, each has a ruling of its own.
    pub fn decided_in_import(&self) -> impl Iterator<Item = (&StepRecord, &str)> {
        let imported = self.opened.mode == Mode::Imported;
        let steps = self.steps.iter().filter(move |step| imported && step.source != StepSource::Ruling);
        steps.filter_map(|step| {
            let decided = step.text.as_deref()?.strip_prefix("umpire: result ")?;
            Some((step, decided.split_once(' ').map_or("", |(_, reason)| reason)))
        })
    }

    /// The number of warnings of each seat.
    #[must_use]
    pub fn warnings(&self) -> BySeat<usize> {
        let warned = |seat| {
            self.remarks.iter().filter(|remark| remark.does == Some(RulingEffect::Warns(SeatWord(seat)))).count()
        };
        BySeat::from_fn(warned)
    }

    /// The ruling that admits a seat's late answer to a decision.
    #[must_use]
    pub fn admitted(&self, decision: &DecisionId, seat: Seat) -> Option<Seq> {
        let admits = |remark: &&Remark| match &remark.does {
            Some(RulingEffect::Admits(admitted)) => admitted.decision == *decision && admitted.seat.0 == seat,
            _ => false,
        };
        self.remarks.iter().find(admits).map(|remark| remark.entry)
    }
}
