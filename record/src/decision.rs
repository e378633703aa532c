//! The questions for seats, while they are open and afterwards.

use engine::{Ask, Seat, To};
use ledger::{Hash, Moment, Seq};

use crate::body::{Asked, Closing, Sealed};

/// A question for seats, open or closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The entry that asked.
    pub entry: Seq,
    /// Its leaf hash, which every seal for it names.
    pub leaf: Hash,
    /// The time of the question.
    pub at: Moment,
    /// The seats that are asked.
    pub seats: Vec<Seat>,
    /// The fields to seal, in order.
    pub fields: Vec<ledger::Field>,
    /// The event that closes it.
    pub closes: Closing,
}

/// A decision that waits for its answers.
#[derive(Clone, Debug)]
pub struct OpenDecision {
    /// The question.
    pub asked: Asked,
    /// The entry that asked.
    pub entry: Seq,
    /// Its leaf hash, which every seal for it names.
    pub leaf: Hash,
    /// The time of the question.
    pub at: Moment,
    /// The seals that entered for it.
    pub sealed: Vec<(Seq, Sealed)>,
}

impl OpenDecision {
    /// True if this is the question that it asks.
    #[must_use]
    pub fn puts(&self, ask: &Ask) -> bool {
        ask.what == *self.asked.what && self.to() == Some(ask.to)
    }

    /// The parties that are asked.
    #[must_use]
    pub fn to(&self) -> Option<To> {
        match self.asked.seats.as_slice() {
            [one] => Some(To::One(one.0)),
            [_, _] => Some(To::Both),
            _ => None,
        }
    }
}
