//! The body of `unsealed`: everything that was still secret when the match ended.

use serde::{Deserialize, Serialize};

use super::{OpenedKey, Opening, ReplacedSubmission};

/// `unsealed`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unsealed {
    /// Every opening that was still secret.
    pub openings: Vec<Opening>,
    /// Every submission without another entry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<ReplacedSubmission>,
    /// Keys of draws that were still secret.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<OpenedKey>,
}
