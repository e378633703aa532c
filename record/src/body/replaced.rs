//! Submissions without a `sealed` entry: replaced ones, and those of a decision that closed without an answer.

use ledger::{Commitment, DecisionId, Field, Moment};
use serde::{Deserialize, Serialize};

use super::SeatWord;
use super::key::{SubmitSignature, is_unset, mark, present};

/// A submission that did not count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplacedSubmission {
    /// The decision.
    pub decision: DecisionId,
    /// The seat.
    pub seat: SeatWord,
    /// Its number among the seat's submissions for the decision, from 0.
    pub ordinal: u32,
    /// The time of arrival.
    pub came: Moment,
    /// One for every field of the question, in order.
    pub commitments: Vec<Commitment>,
    /// Set if the seat called it final.
    #[serde(rename = "final", default, skip_serializing_if = "is_unset", deserialize_with = "mark")]
    pub is_final: bool,
    /// The seat's signature, if it has a key.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub signature: Option<SubmitSignature>,
    /// Their openings, if known, in the order of the fields.
    pub openings: Vec<ReplacedOpening>,
}

/// The opening of one of its commitments.
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
