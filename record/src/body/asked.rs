//! The body of `asked`: a question to seats.

use ledger::{DecisionId, Field, Moment};
use serde::{Deserialize, Serialize};

use super::Seated;

/// `asked`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The decision.
    pub decision: DecisionId,
    /// The question's word, such as `round`.
    pub what: String,
    /// Who is asked.
    pub seats: Vec<Seated>,
    /// Every field to seal, in order.
    pub fields: Vec<Field>,
    /// Seconds on the clock.
    pub clock: u32,
    /// When it closes.
    pub closes: Closing,
    /// When it is due, where its clock runs from now on.
    pub deadline: Option<Moment>,
}

/// When a decision closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Closing {
    /// When the umpire has typed what came.
    Umpire,
    /// At its deadline.
    Deadline,
    /// With the first valid answer.
    FirstValid,
    /// When all are in.
    AllIn,
}
