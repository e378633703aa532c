//! Merkle proofs (RFC 6962, sections 2.1.1 and 2.1.2): that a leaf is in a tree, and that one tree extends another.
//!
//! Proving takes hashes of perfect subtrees from whatever holds them; checking takes nothing but the proof.

mod consistency;
mod inclusion;
mod subtree;

use thiserror::Error;

use crate::id::{LeafIndex, TreeSize};

pub use consistency::{ConsistencyError, ConsistencyProof};
pub use inclusion::{InclusionError, InclusionProof};
pub use subtree::{Level, Subtree, Subtrees, root, subtrees_of_root};

/// The longest path of a proof in a tree that can be counted: C2SP tlog-witness allows no more.
pub const PROOF_MAX_HASHES: usize = 63;

/// Why a proof cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ProveError {
    /// The tree ends before the leaf.
    #[error("leaf {leaf} is not in a tree of {size} leaves")]
    NoSuchLeaf {
        /// The leaf.
        leaf: LeafIndex,
        /// How many there are.
        size: TreeSize,
    },
    /// Nothing is proved from the empty tree, or from a larger to a smaller one.
    #[error("no proof leads from a tree of {old} leaves to one of {new}")]
    NoSuchGrowth {
        /// The size before.
        old: TreeSize,
        /// The size after.
        new: TreeSize,
    },
    /// Whoever has the hashes does not have this one.
    #[error("the hash of {0} is missing")]
    Missing(Subtree),
}
