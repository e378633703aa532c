//! The bodies of `paused`, `resumed` and `extended`: what happens to the clock of a decision.

use ledger::{Commitment, DecisionId, Moment};
use serde::{Deserialize, Serialize};

use super::{Seated, key};

/// `paused`: the clock stands still from this entry on, and what is left on it stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paused {
    /// The decision.
    pub decision: DecisionId,
    /// Commitment to why, where it is said.
    pub reason: Option<Commitment>,
}

/// `resumed`: the clock begins to run, or runs on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resumed {
    /// The decision.
    pub decision: DecisionId,
    /// When its time is over from now on.
    pub deadline: Moment,
}

/// `extended`: time is added to a clock that runs, by the bank of a seat or by an umpire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extended {
    /// The decision.
    pub decision: DecisionId,
    /// How much is added.
    pub seconds: u32,
    /// When its time is over from now on.
    pub deadline: Moment,
    /// The bank that it comes from; none where an umpire gives it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub bank: Option<Spent>,
    /// Commitment to why, where an umpire gives it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub reason: Option<Commitment>,
}

/// An extension that began by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spent {
    /// Whose it was.
    pub seat: Seated,
    /// How many the seat has after it.
    pub left: u32,
}

/// When the clocks of a match begin, where not at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Starts {
    /// When the umpire posts what is asked.
    Posted,
}
