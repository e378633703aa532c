//! The body of `resolved`: a decision's step, and its openings.

use ledger::{DecisionId, Hash};
use serde::{Deserialize, Serialize};

use super::{Opening, SeatPair, Tree, key};

/// `resolved`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resolved {
    /// The decision.
    pub decision: DecisionId,
    /// The step.
    pub step: u32,
    /// The step's line in Death Match Notation, with `?` for a value that stays sealed.
    pub dmn: String,
    /// The `sealed` entry that counted for each seat; none if its default applied.
    pub counted: SeatPair<Option<u32>>,
    /// Every opening that this step makes public.
    pub openings: Vec<Opening>,
    /// A tree that covers the seals.
    pub tree: Tree,
    /// SHA-256 of the public state after the step.
    pub digest: Hash,
    /// In a match that waits for witnesses, where a seal counts: true if enough of them had cosigned the tree, false if
    /// the limit had passed.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub witnessed: Option<bool>,
}
