//! Merkle proofs (RFC 6962, sections 2.1.1 and 2.1.2) that a leaf is in a tree, and that one tree extends another.
//!
//! A prover needs the hashes of perfect subtrees from some source; a checker needs only the proof.

mod consistency;
mod inclusion;
mod subtree;

use thiserror::Error;

use crate::id::{LeafIndex, TreeSize};

pub use consistency::{ConsistencyError, ConsistencyProof};
pub use inclusion::{InclusionError, InclusionProof};
pub use subtree::{Level, Subtree, Subtrees, root, subtrees_of_root};

/// The longest path of a proof in any tree with a 64-bit size: C2SP tlog-witness allows no more.
pub const PROOF_MAX_HASHES: usize = 63;

/// The reason why a proof cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ProveError {
    /// The tree ends before the leaf.
    #[error("leaf {leaf} is not in a tree of {size} leaves")]
    NoSuchLeaf {
        /// The leaf.
        leaf: LeafIndex,
        /// The number of leaves.
        size: TreeSize,
    },
    /// There is no proof from the empty tree, or from a larger tree to a smaller one.
    #[error("no proof leads from a tree of {old} leaves to one of {new}")]
    NoSuchGrowth {
        /// The size before.
        old: TreeSize,
        /// The size after.
        new: TreeSize,
    },
    /// The source does not have this hash.
    #[error("the hash of {0} is missing")]
    Missing(Subtree),
}
