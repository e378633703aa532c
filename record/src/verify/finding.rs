//! The results of a verification.

use std::fmt;

use engine::{BySeat, Seat, name_seats};
use ledger::Seq;

use super::interventions::Interventions;
use crate::history::{Fault, History};
use crate::rule::Rule;

/// The whole result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// In one line.
    pub verdict: Verdict,
    /// Whether it is shown that the match is in the log.
    pub proof: LogProof,
    /// The eight findings, in order.
    pub findings: Vec<Finding>,
}

/// Whether a bundle shows that the whole match, and each tree that it names, is in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogProof {
    /// It does; with a policy, as that asks.
    Shown,
    /// It does not. Somebody may have left that out.
    NotShown,
    /// The reader's policy is not shown to be satisfied.
    NotByPolicy,
}

/// The verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that can be checked holds.
    Verified {
        /// The strength of the proof.
        grade: Grade,
        /// The strength of the draws.
        draws: DrawGrade,
        /// What people decided beside the moves.
        interventions: Interventions,
        /// True if the bundle has the end of the match. Without it, everything holds so far.
        ended: bool,
        /// True if the umpire declared the game, so that what became of the answers is the umpire's word.
        declared: bool,
    },
    /// Something is still sealed.
    NotYet {
        /// The first step that cannot be replayed.
        step: u32,
    },
    /// The match needs another version of this program.
    CannotCheck {
        /// The part of the match that it does not know.
        why: String,
    },
    /// It was never official: its origin names a log of practice matches. Nothing else is wrong with it.
    Practice,
    /// Something is wrong.
    Failed {
        /// The first entry at fault.
        entry: Seq,
        /// The last round before the fault; 0 if there is none.
        unaffected: u32,
    },
}

/// The strength of a match's seals as proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// Everything was signed with the seats' keys, and registered players vouched for both.
    Registered,
    /// Everything was signed with the seats' keys.
    Signed,
    /// The players sent their moves here, and the server sealed some of them.
    Escrow {
        /// The seat, where all of these are of one.
        only: Option<Seat>,
    },
    /// The umpire typed the players' moves.
    Recorded,
    /// It was entered whole, after it was over.
    Imported,
}

/// The strength of a match's draws: the weakest of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawGrade {
    /// Nothing says that anybody could have chosen them; also where nothing was drawn.
    Fair,
    /// The host could have chosen, alone or together with a player.
    Steerable,
    /// They were typed in.
    Typed,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// From 1 to 8.
    pub number: u8,
    /// Its name.
    pub title: &'static str,
    /// Its status.
    pub status: Status,
    /// In a sentence or two.
    pub summary: String,
    /// The rules that the summary speaks of, beside those of the places.
    pub rules: Vec<Rule>,
    /// Place by place.
    pub details: Vec<Detail>,
}

/// The status of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It holds.
    Holds,
    /// Nothing is wrong, but there is something to know.
    Reported,
    /// It cannot be decided yet.
    NotYet,
    /// This copy does not show it.
    NotShown,
    /// It does not hold.
    Failed,
}

/// A place where something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The rule that it belongs to.
    pub rule: Rule,
    /// The result, in a sentence.
    pub text: String,
    /// The expected value.
    pub expected: Option<String>,
    /// The value found.
    pub found: Option<String>,
    /// The entry.
    pub entry: Option<Seq>,
    /// The round that it belongs to.
    pub round: Option<u32>,
    /// It is wrong, and not just worth knowing.
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
    pub(super) fn new(number: u8, status: Status, summary: impl Into<String>) -> Self {
        let title = TITLES.get(usize::from(number).saturating_sub(1)).copied().unwrap_or_default();
        Self { number, title, status, summary: summary.into(), rules: Vec::new(), details: Vec::new() }
    }

    pub(super) fn says(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Adds the faults that belong to the finding. A fault replaces its summary.
    pub(super) fn with_faults(mut self, history: &History) -> Self {
        let said = self.details.len();
        let faults = history.faults.iter().filter(|fault| fault.rule.finding() == self.number);
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
    pub(super) fn note(rule: Rule, text: impl Into<String>, entry: Option<Seq>, round: Option<u32>) -> Self {
        Self { rule, text: text.into(), expected: None, found: None, entry, round, wrong: false }
    }

    fn of(fault: &Fault, history: &History) -> Self {
        Self {
            rule: fault.rule,
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
    /// True if nothing is wrong.
    #[must_use]
    pub const fn is_good(&self) -> bool {
        self.verdict.is_good()
    }

    /// True if nothing is wrong, and it is shown that the match is in the log.
    #[must_use]
    pub const fn is_accepted(&self) -> bool {
        self.is_good() && matches!(self.proof, LogProof::Shown)
    }

    /// The verdict in a line, no larger than its proof, with `{p1}` and `{p2}` for the players.
    #[must_use]
    pub fn sentence(&self) -> String {
        self.verdict.sentence_by(self.proof)
    }

    /// The verdict in a line, no larger than its proof.
    #[must_use]
    pub fn words(&self, history: Option<&History>) -> String {
        self.verdict.words_by(self.proof, history)
    }
}

impl Verdict {
    /// True if it is a record, and nothing is wrong.
    #[must_use]
    pub const fn is_good(&self) -> bool {
        !matches!(self, Self::Failed { .. } | Self::CannotCheck { .. } | Self::Practice)
    }

    /// The verdict in a line, with `{p1}` and `{p2}` for the players. It can be stored: their names may be withdrawn.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Verified { grade, draws, interventions, ended, declared } => {
                let outcomes = if *declared { "; outcomes by the umpire" } else { "" };
                let with = match interventions.total() {
                    0 => String::new(),
                    _ => format!(" with {interventions}"),
                };
                let so_far = if *ended { "" } else { "so far " };
                match grade {
                    Grade::Imported if *declared => {
                        format!("{so_far}imported{with}; the answers fit the declaration{outcomes}")
                    }
                    Grade::Imported => format!("{so_far}imported{with}; the moves follow the rules"),
                    // Elsewhere the moves themselves rest on the server or the umpire.
                    Grade::Registered | Grade::Signed => {
                        format!("{so_far}verified{with} ({}{}){outcomes}", grade.phrase(), draws.phrase())
                    }
                    Grade::Escrow { .. } | Grade::Recorded => {
                        format!("{so_far}verified{with} ({}){outcomes}", grade.phrase())
                    }
                }
            }
            Self::NotYet { step: 0 | 1 } => {
                "not yet checkable: values are sealed until the end of the match".to_owned()
            }
            Self::NotYet { step } => {
                let checked = step.saturating_sub(1);
                format!("checked up to step {checked}: later values are sealed until the end of the match")
            }
            Self::CannotCheck { why } => format!("cannot check: {why}"),
            Self::Practice => "practice: its entries fit together, but it is not official".to_owned(),
            Self::Failed { entry, unaffected: 0 } => format!("failed at entry {entry}"),
            Self::Failed { entry, unaffected } => {
                format!("failed at entry {entry}; rounds up to {unaffected} are not affected")
            }
        }
    }

    /// The verdict in a line, with the players' names where the match could be read.
    #[must_use]
    pub fn words(&self, history: Option<&History>) -> String {
        named(&self.sentence(), history)
    }

    /// The sentence, which says so if it is not shown that the match is in the log.
    #[must_use]
    pub fn sentence_by(&self, proof: LogProof) -> String {
        let sentence = self.sentence();
        match proof {
            LogProof::NotShown if self.is_good() => format!("not shown to be in the log; otherwise {sentence}"),
            LogProof::NotByPolicy if self.is_good() => {
                format!("not shown to satisfy the policy; otherwise {sentence}")
            }
            LogProof::Shown | LogProof::NotShown | LogProof::NotByPolicy => sentence,
        }
    }

    /// The same with the players' names where the match could be read.
    #[must_use]
    pub fn words_by(&self, proof: LogProof, history: Option<&History>) -> String {
        named(&self.sentence_by(proof), history)
    }
}

fn named(sentence: &str, history: Option<&History>) -> String {
    let seats = BySeat { p1: "seat 1", p2: "seat 2" };
    name_seats(sentence, history.map_or(seats, History::both_names))
}

impl Status {
    /// The status in a word or two.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Reported => "note",
            Self::NotYet => "not yet",
            Self::NotShown => "not shown",
            Self::Failed => "failed",
        }
    }
}

impl DrawGrade {
    const fn phrase(self) -> &'static str {
        match self {
            Self::Fair => "",
            Self::Steerable => "; the host could have chosen the draws",
            Self::Typed => "; the draws were typed in",
        }
    }
}

impl Grade {
    /// The meaning of the grade, in a few words, with `{p1}` and `{p2}` for the players.
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Registered => "signed by registered players",
            Self::Signed => "signed with the seats' keys",
            Self::Escrow { only: None } => "sealed by the server, unsigned",
            Self::Escrow { only: Some(Seat::P1) } => "moves of {p1} sealed by the server, unsigned",
            Self::Escrow { only: Some(Seat::P2) } => "moves of {p2} sealed by the server, unsigned",
            Self::Recorded => "recorded by the umpire",
            Self::Imported => "imported after it was over",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(None))
    }
}
