//! The opening of a commitment, in any entry that makes one public.

use ledger::Field;
use serde::{Deserialize, Serialize};

/// The opening of a commitment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The entry that contains the commitment.
    pub entry: u32,
    /// The field.
    pub field: Field,
    /// The key, 64 hex digits.
    pub key: String,
    /// The value.
    pub value: String,
}
