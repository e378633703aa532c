//! The results of rulings and handovers: the umpire of the match, the warnings, and the late answers that count.

use engine::{BySeat, Outcome, Reason, Seat};
use ledger::{Author, DecisionId, Moment, Seq};

use crate::body::RulingEffect;
use crate::history::{Correction, History, Mode, Remark, StepRecord, StepSource, Strike};
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

impl Remark {
    /// The seat that it warns, if any.
    #[must_use]
    pub const fn warns(&self) -> Option<Seat> {
        match self.does {
            Some(RulingEffect::Warns(seat)) => Some(seat.0),
            _ => None,
        }
    }
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

    /// The text of the ruling that ended the match; none if the rules ended it, or if the text was withdrawn.
    #[must_use]
    pub fn ending_ruling(&self) -> Option<&str> {
        let outcome = self.outcome();
        let by_ruling = matches!(outcome, Outcome::Over(ending) if ending.reason == Reason::UMPIRE);
        let ruling = self.remarks.iter().rfind(|remark| by_ruling && remark.result == Some(outcome))?;
        ruling.text.text()
    }

    /// An umpire's rulings in a match of the past, each with its reason. They are lines among its steps; in a match
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
        BySeat::from_fn(|seat| self.remarks.iter().filter(|remark| remark.warns() == Some(seat)).count())
    }

    /// What a ruling or a remark is, and whom it is about: "Warning to Bram".
    #[must_use]
    pub fn remark_title(&self, remark: &Remark) -> String {
        match (&remark.does, remark.objects) {
            (_, Some((seat, _))) => format!("Objection of {}", self.name(seat)),
            (Some(RulingEffect::Warns(seat)), _) => format!("Warning to {}", self.name(seat.0)),
            (Some(RulingEffect::Admits(admitted)), _) => {
                format!("Late move of {} admitted", self.name(admitted.seat.0))
            }
            (Some(RulingEffect::Answers(_)), _) => "Ruling on an objection".to_owned(),
            _ if remark.ruling => "Ruling".to_owned(),
            _ => "Remark".to_owned(),
        }
    }

    /// The strike that removed the step after which a remark was made; none if that step counts still, or was only
    /// corrected. The remark came before the strike, and belongs to the rows that it removed.
    #[must_use]
    pub fn struck_after(&self, remark: &Remark) -> Option<&Strike> {
        let removes = |strike: &&Strike| {
            strike.entry > remark.entry && strike.from <= remark.after_step && strike.correction == Correction::None
        };
        self.strikes.iter().find(removes).filter(|_| remark.objects.is_none())
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
