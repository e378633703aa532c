//! Openings that are not public yet.

use std::collections::BTreeMap;

use ledger::{Field, SealKey, Seq};

/// What opens one commitment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Its key.
    pub key: SealKey,
    /// Its value.
    pub value: String,
}

/// The openings that somebody holds, by the entry that holds the commitment, and the commitment's name in it.
pub type Secrets = BTreeMap<(Seq, Field), Secret>;
