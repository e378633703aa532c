//! The body of `asked`: a question to seats.

use ledger::{DecisionId, Field, Moment};
use serde::{Deserialize, Serialize};

use super::{SeatWord, key};

/// `asked`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The decision.
    pub decision: DecisionId,
    /// The question's word, such as `round`.
    pub what: String,
    /// The seats that are asked.
    pub seats: Vec<SeatWord>,
    /// Every field to seal, in order.
    pub fields: Vec<Field>,
    /// Seconds on the clock at the start.
    pub clock: u32,
    /// The event that closes it.
    pub closes: Closing,
    /// The deadline, if its clock starts now.
    #[serde(deserialize_with = "key::required")]
    pub deadline: Option<Moment>,
}

/// The event that closes a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Closing {
    /// The umpire has typed the answers.
    Umpire,
    /// The deadline.
    Deadline,
    /// The first valid answer.
    FirstValid,
    /// The deadline, or before it the moment at which the last answer of every seat that is asked is final.
    AllIn,
}
