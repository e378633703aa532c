//! An umpire's rulings: rulings, their effects, and handovers.

use ledger::{Commitment, DecisionId, Hash, UmpireId};
use serde::{Deserialize, Serialize};

use super::SeatWord;
use super::key::present;

/// `ruled`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruled {
    /// The clause that it applies, if any.
    #[serde(deserialize_with = "super::key::required")]
    pub rule: Option<String>,
    /// Commitment to the decision and its reason.
    pub text: Commitment,
    /// The result that it decides, if any.
    #[serde(deserialize_with = "super::key::required")]
    pub result: Option<DecidedResult>,
    /// Its effect besides its text, if any.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub does: Option<RulingEffect>,
}

/// A result that an umpire decides; a step of the match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecidedResult {
    /// The step.
    pub step: u32,
    /// `p1`, `p2`, `undecided` or `void`.
    pub verdict: String,
    /// SHA-256 of the public state after the step.
    pub digest: Hash,
}

/// The effect of a ruling besides its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RulingEffect {
    /// It warns this seat.
    Warns(SeatWord),
    /// An answer of the seat counts although it came after the deadline.
    Admits(AdmittedAnswer),
    /// It answers this `objected` entry.
    Answers(u32),
    /// The umpire types for both seats of a live match from here on, and no clock closes any question.
    Records,
    /// The shares of the draws are gathered anew, with a new share of the host's.
    Shares,
    /// The draws that wait for a round of the beacon are made without it.
    WithoutRound,
}

/// An answer that counts although it was late.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdmittedAnswer {
    /// The decision.
    pub decision: DecisionId,
    /// The seat.
    pub seat: SeatWord,
}

/// `handed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handed {
    /// The new umpire of the match.
    pub to: UmpireId,
    /// Commitment to the reason.
    pub reason: Commitment,
}
