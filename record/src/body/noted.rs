//! The body of `noted`: a public remark.

use ledger::Commitment;
use serde::{Deserialize, Serialize};

/// `noted`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noted {
    /// Commitment to the remark.
    pub text: Commitment,
}
