//! What a verification found.

use std::fmt;

use ledger::Seq;

use crate::history::{Fault, History};

/// The whole of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// In one line.
    pub verdict: Verdict,
    /// The eight findings, in order.
    pub findings: Vec<Finding>,
}

/// The verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that can be checked holds.
    Verified {
        /// How much that shows.
        grade: Grade,
        /// How many rulings and strikes there were.
        interventions: usize,
    },
    /// Something is still sealed.
    NotYet {
        /// The first step that cannot be replayed.
        step: u32,
    },
    /// The match needs another version of this program.
    CannotCheck {
        /// What it does not know.
        why: String,
    },
    /// It was never official: its origin names a log of practice matches. Nothing else is wrong with it.
    Practice,
    /// Something is wrong.
    Failed {
        /// The first entry at fault.
        entry: Seq,
        /// The last round that is not affected by it; 0 where none is.
        unaffected: u32,
    },
}

/// How much the seals of a match show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// The players signed everything they sent, with keys that the server never had.
    Signed,
    /// The players sent it here, and the server sealed some of it.
    Escrow,
    /// The umpire typed what the players sent.
    Recorded,
    /// It was entered whole, after it was over.
    Imported,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// From 1 to 8.
    pub number: u8,
    /// Its name.
    pub title: &'static str,
    /// How it came out.
    pub status: Status,
    /// In a sentence or two.
    pub summary: String,
    /// Place by place.
    pub details: Vec<Detail>,
}

/// How a finding came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It holds.
    Holds,
    /// There is something to know, and nothing wrong.
    Told,
    /// It cannot be said yet.
    NotYet,
    /// This copy does not show it.
    NotShown,
    /// It does not hold.
    Failed,
}

/// A place where something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// What, in a sentence.
    pub text: String,
    /// What was expected.
    pub expected: Option<String>,
    /// What was found.
    pub found: Option<String>,
    /// The entry.
    pub entry: Option<Seq>,
    /// The round that it belongs to.
    pub round: Option<u32>,
    /// Whether it is wrong, rather than worth knowing.
    pub wrong: bool,
}

const TITLES: [&str; 8] = [
    "Complete up to its last entry",
    "Logged",
    "Sealed before opened",
    "In time",
    "Draws fair",
    "Rules applied",
    "What people changed",
    "What this cannot show",
];

impl Finding {
    /// A finding without places.
    pub(super) fn new(number: u8, status: Status, summary: impl Into<String>) -> Self {
        let title = TITLES.get(usize::from(number).saturating_sub(1)).copied().unwrap_or_default();
        Self { number, title, status, summary: summary.into(), details: Vec::new() }
    }

    /// Adds the faults that belong to the finding. What it said before does not hold then.
    pub(super) fn with_faults(mut self, history: &History) -> Self {
        let said = self.details.len();
        let faults = history.faults.iter().filter(|fault| fault.finding == self.number);
        self.details.extend(faults.map(|fault| Detail::of(fault, history)));
        let wrong = self.details.len() - said;
        if wrong > 0 && self.status != Status::Failed {
            self.status = Status::Failed;
            self.summary = format!("{} wrong here.", count(wrong, "thing is", "things are"));
        }
        self
    }
}

impl Detail {
    /// Something worth knowing.
    pub(super) fn told(text: impl Into<String>, entry: Option<Seq>, round: Option<u32>) -> Self {
        Self { text: text.into(), expected: None, found: None, entry, round, wrong: false }
    }

    fn of(fault: &Fault, history: &History) -> Self {
        Self {
            text: fault.text.clone(),
            expected: Some(fault.expected.clone()),
            found: Some(fault.found.clone()),
            entry: Some(fault.entry),
            round: history.steps.iter().find(|step| step.entry == fault.entry).map(|step| step.row.round),
            wrong: true,
        }
    }
}

/// "1 entry", "7 entries".
pub(super) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

impl Report {
    /// Whether nothing is wrong.
    #[must_use]
    pub const fn is_good(&self) -> bool {
        self.verdict.is_good()
    }
}

impl Verdict {
    /// Whether it is a record, and nothing is wrong.
    #[must_use]
    pub const fn is_good(&self) -> bool {
        !matches!(self, Self::Failed { .. } | Self::CannotCheck { .. } | Self::Practice)
    }
}

impl Status {
    /// The status in a word or two.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Told => "to know",
            Self::NotYet => "not yet",
            Self::NotShown => "not shown",
            Self::Failed => "failed",
        }
    }
}

impl Grade {
    /// What the grade says, in a few words.
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Signed => "signed by the players",
            Self::Escrow => "sealed by the server, unsigned",
            Self::Recorded => "recorded by the umpire",
            Self::Imported => "imported after it was over",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verified { grade, interventions: 0 } => write!(f, "verified ({})", grade.phrase()),
            Self::Verified { grade, interventions: 1 } => write!(f, "verified with 1 ruling ({})", grade.phrase()),
            Self::Verified { grade, interventions } => {
                write!(f, "verified with {interventions} rulings ({})", grade.phrase())
            }
            Self::NotYet { step } => {
                write!(f, "not yet checkable from step {step} on: values are sealed until the end of the match")
            }
            Self::CannotCheck { why } => write!(f, "cannot check: {why}"),
            Self::Practice => f.write_str("practice: its entries fit together, and they are no record"),
            Self::Failed { entry, unaffected: 0 } => write!(f, "failed at entry {entry}"),
            Self::Failed { entry, unaffected } => {
                write!(f, "failed at entry {entry}; rounds up to {unaffected} are not affected")
            }
        }
    }
}
