//! Decisions that were closed early: because all seats had called their answers final, or while a seat had sent nothing. There may be a reason; still, it takes that seat's
//! time away, and is reported.

use std::time::Duration;

use engine::Seat;
use ledger::{Author, DecisionId, Seq};

/// A decision that was closed early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlyClose {
    /// The entry that closed it.
    pub entry: Seq,
    /// Its author.
    pub by: Author,
    /// The decision.
    pub decision: DecisionId,
    /// The question's word.
    pub what: String,
    /// The seats that were asked, and whose default counted.
    pub seats: Vec<Seat>,
    /// The time they had left.
    pub left: TimeLeft,
}

/// A decision that closed early, because every seat that was asked had called its answer final.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalClose {
    /// The entry that closed it.
    pub entry: Seq,
    /// The decision.
    pub decision: DecisionId,
    /// The question's word.
    pub what: String,
    /// The time that was left.
    pub left: TimeLeft,
}

/// The time left on a clock when its decision was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLeft {
    /// The clock had not started.
    NotBegun,
    /// The clock was stopped.
    Stopped,
    /// This much, with every extension of the seat.
    Time(Duration),
}
