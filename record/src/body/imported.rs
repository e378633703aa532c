//! The body of `imported`: a match of the past, whole.

use std::collections::BTreeMap;

use ledger::{Commitment, Hash};
use serde::{Deserialize, Serialize};

/// `imported`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imported {
    /// The steps in Death Match Notation. An umpire's reason is `*` there, and has a text of its own.
    pub dmn: Vec<String>,
    /// Commitment to the source of the match.
    #[serde(deserialize_with = "super::key::required")]
    pub source: Option<Commitment>,
    /// Commitments to the reasons, by step.
    pub reasons: BTreeMap<u32, Commitment>,
    /// Commitments to the other texts of the steps, which are `*` there, in their order, none for a text that was withdrawn
    /// before; left out where there is no `*`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Option<Commitment>>,
    /// SHA-256 of the public state after the last step.
    pub digest: Hash,
}
