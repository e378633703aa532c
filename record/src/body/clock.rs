//! The bodies of `paused`, `resumed` and `extended`: changes of a decision's clock.

use ledger::{Commitment, DecisionId, Moment};
use serde::{Deserialize, Serialize};

use super::{SeatWord, key};

/// `paused`: the clock stops at this entry, and keeps the time that is left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paused {
    /// The decision.
    pub decision: DecisionId,
    /// Commitment to the reason, if one is given.
    #[serde(deserialize_with = "key::required")]
    pub reason: Option<Commitment>,
}

/// `resumed`: the clock starts, or runs again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resumed {
    /// The decision.
    pub decision: DecisionId,
    /// The new deadline.
    pub deadline: Moment,
}

/// `extended`: time is added to a running clock, from a seat's bank, for an outage of the server, or by an umpire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extended {
    /// The decision.
    pub decision: DecisionId,
    /// The time that is added.
    pub seconds: u32,
    /// The new deadline.
    pub deadline: Moment,
    /// The extension from a seat's bank, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub bank: Option<BankExtension>,
    /// The outage for which the server gives the time, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub outage: Option<Outage>,
    /// Commitment to the reason, if an umpire gives the time.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub reason: Option<Commitment>,
}

/// An extension that began by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BankExtension {
    /// The seat whose extension it was.
    pub seat: SeatWord,
    /// The extensions that the seat has left.
    pub left: u32,
}

/// A time in which the server took no moves, by its own clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outage {
    /// The last moment at which the server could take moves.
    pub from: Moment,
    /// The first moment at which it could again.
    pub until: Moment,
}

/// The start of a match's clocks, if it is not at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockStart {
    /// The umpire posts the question.
    Posted,
}
