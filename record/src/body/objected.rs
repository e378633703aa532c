//! A player's objection to a step in the record.

use ledger::Commitment;
use serde::{Deserialize, Serialize};

/// `objected`, by a seat: "this is not what I sent".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Objected {
    /// The step.
    pub step: u32,
    /// Commitment to the player's words.
    pub text: Commitment,
}
