//! The body of `ended`: the result.

use serde::{Deserialize, Serialize};

/// `ended`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// `p1`, `p2`, `undecided` or `void`.
    pub result: String,
    /// The reason's word.
    pub reason: String,
    /// The number of steps that counted.
    pub steps: u32,
}
