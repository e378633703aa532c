//! The body of `announced`: the umpire's word in a declared game.

use ledger::{Commitment, Hash};
use serde::{Deserialize, Serialize};

use super::Opening;

/// `announced`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announced {
    /// The step.
    pub step: u32,
    /// The step's line in Death Match Notation, with `*` for each sentence.
    pub dmn: String,
    /// Commitments to the sentences, in the order of the line.
    pub words: Vec<Commitment>,
    /// Openings of hidden cards that it names.
    pub openings: Vec<Opening>,
    /// SHA-256 of the public state after the step.
    pub digest: Hash,
}
