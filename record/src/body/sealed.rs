//! The body of `sealed`: a seat's sealed answer.

use ledger::{Commitment, DecisionId, Moment};
use serde::{Deserialize, Serialize};

use super::{SeatWord, SubmitSignature, key};

/// `sealed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    /// The decision.
    pub decision: DecisionId,
    /// The seat.
    pub seat: SeatWord,
    /// Its number among the seat's submissions for the decision, from 0; the last one counts.
    pub ordinal: u32,
    /// The time of arrival.
    pub came: Moment,
    /// One for every field of the question, in order.
    pub commitments: Vec<Commitment>,
    /// Set if the seat called it final.
    #[serde(rename = "final", default, skip_serializing_if = "key::is_unset", deserialize_with = "key::mark")]
    pub is_final: bool,
    /// The seat's signature, if it has a key.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub signature: Option<SubmitSignature>,
}
