//! Decisions that were closed before their time was over, while a seat had sent nothing. Whoever closes may have a reason,
//! and takes that seat's time away all the same: it is told.

use std::time::Duration;

use engine::Seat;
use ledger::{By, DecisionId, Seq};

/// A decision that was closed before its time was over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hastened {
    /// The entry that closed it.
    pub entry: Seq,
    /// By whom.
    pub by: By,
    /// The decision.
    pub decision: DecisionId,
    /// The question's word.
    pub what: String,
    /// The seats that were asked, and for which the default counted.
    pub seats: Vec<Seat>,
    /// What was left of their time.
    pub left: Left,
}

/// What was left on a clock when its decision was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// It had not begun.
    NotBegun,
    /// It stood still.
    Stopped,
    /// So much, with every extension that the seat had in store.
    Time(Duration),
}
