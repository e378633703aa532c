//! A tree of the log, as bodies write it.

use ledger::Hash;
use serde::{Deserialize, Serialize};

/// A tree of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// The number of leaves.
    pub size: u64,
    /// Its root.
    pub root: Hash,
}

impl From<&Tree> for ledger::Tree {
    fn from(tree: &Tree) -> Self {
        Self { size: ledger::TreeSize(tree.size), root: tree.root }
    }
}

impl From<ledger::Tree> for Tree {
    fn from(tree: ledger::Tree) -> Self {
        Self { size: tree.size.0, root: tree.root }
    }
}
