//! The body of `sealed`: a seat's answer, closed.

use ledger::{Commitment, DecisionId, Moment};
use serde::{Deserialize, Serialize};

use super::{Seated, SubmitSignature, key};

/// `sealed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    /// The decision.
    pub decision: DecisionId,
    /// Whose.
    pub seat: Seated,
    /// Which of the seat's submissions for the decision it is, from 0; the last one counts.
    pub ordinal: u32,
    /// When it came.
    pub came: Moment,
    /// One for every field that was asked, in that order.
    pub commitments: Vec<Commitment>,
    /// The seat's signature, where it has a key.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub signature: Option<SubmitSignature>,
}
