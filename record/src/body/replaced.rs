//! Submissions that no `sealed` entry holds: replaced ones, and those of a decision that closed without an answer.

use ledger::{Commitment, DecisionId, Field, Moment};
use serde::{Deserialize, Serialize};

use super::Seated;
use super::key::{SubmitSignature, present};

/// A submission that did not count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replaced {
    /// The decision.
    pub decision: DecisionId,
    /// Whose.
    pub seat: Seated,
    /// Which of the seat's submissions for the decision it is, from 0.
    pub ordinal: u32,
    /// When it came.
    pub came: Moment,
    /// One for every field that was asked, in that order.
    pub commitments: Vec<Commitment>,
    /// The seat's signature, where it has a key.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub signature: Option<SubmitSignature>,
    /// What opens them, where it is known, in the order of the fields.
    pub openings: Vec<ReplacedOpening>,
}

/// What opens one of its commitments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplacedOpening {
    /// The field.
    pub field: Field,
    /// The key, 64 hex digits.
    pub key: String,
    /// The value.
    pub value: String,
}
