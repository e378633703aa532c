//! What an umpire decides: rulings, what they do beside what they say, and who the umpire is from then on.

use ledger::{Commitment, DecisionId, Hash, UmpireId};
use serde::{Deserialize, Serialize};

use super::Seated;
use super::key::present;

/// `ruled`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruled {
    /// The clause that it rests on, where it rests on one.
    pub rule: Option<String>,
    /// Commitment to what was decided, and why.
    pub text: Commitment,
    /// The result that it decides, where it does.
    pub result: Option<Decided>,
    /// What it does beside what it says, where it does anything.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub does: Option<Does>,
}

/// A result that an umpire decides; a step of the match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// The step.
    pub step: u32,
    /// `p1`, `p2`, `undecided` or `void`.
    pub verdict: String,
    /// SHA-256 of the public state after the step.
    pub digest: Hash,
}

/// What a ruling does beside what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Does {
    /// It warns this seat.
    Warns(Seated),
    /// What the seat sent after the deadline counts.
    Admits(Admitted),
    /// It answers this `objected` entry.
    Answers(u32),
    /// The umpire types for both seats of a live match from here on, and no clock closes anything.
    Records,
}

/// An answer that counts although it was late.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Admitted {
    /// The decision that it answers.
    pub decision: DecisionId,
    /// Whose it is.
    pub seat: Seated,
}

/// `handed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handed {
    /// The umpire whose match it is from here on.
    pub to: UmpireId,
    /// Commitment to why.
    pub reason: Commitment,
}
