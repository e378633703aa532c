//! Proofs that a leaf is in a tree.

use thiserror::Error;

use super::ProveError;
use super::subtree::{LeafRange, Subtree, Subtrees};
use crate::hash::Hash;
use crate::id::{LeafIndex, TreeSize};
use crate::leaf::node_hash;
use crate::tree::Tree;

/// The hashes beside the path from a leaf to the root, the leaf's sibling first. RFC 6962, section 2.1.1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InclusionProof {
    /// From the leaf's sibling up to the root's child.
    pub path: Vec<Hash>,
}

/// The reason why a proof does not show that a leaf is in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InclusionError {
    /// The tree ends before the leaf.
    #[error("leaf {leaf} is not in a tree of {size} leaves")]
    NoSuchLeaf {
        /// The leaf.
        leaf: LeafIndex,
        /// The number of leaves.
        size: TreeSize,
    },
    /// The path continues above the root.
    #[error("the inclusion proof has more hashes than the tree has levels there")]
    TooLong,
    /// The path ends below the root.
    #[error("the inclusion proof has fewer hashes than the tree has levels there")]
    TooShort,
    /// It leads to another root: another leaf, another place, another tree, or an altered proof.
    #[error("the inclusion proof leads to another root than the tree's")]
    OtherRoot,
}

impl InclusionProof {
    /// Proves that a leaf is in the tree of a size.
    ///
    /// # Errors
    /// [`ProveError::NoSuchLeaf`], or [`ProveError::Missing`] for a hash that the source does not have.
    pub fn prove(leaf: LeafIndex, size: TreeSize, source: &impl Subtrees) -> Result<Self, ProveError> {
        let path = beside(leaf, size)?.into_iter().map(|range| range.hash(source)).collect::<Result<_, _>>()?;
        Ok(Self { path })
    }

    /// The subtrees whose hashes [`InclusionProof::prove`] needs, so that they can be fetched first.
    pub fn subtrees(leaf: LeafIndex, size: TreeSize) -> Result<Vec<Subtree>, ProveError> {
        Ok(beside(leaf, size)?.into_iter().flat_map(LeafRange::subtrees).collect())
    }

    /// Checks that the tree has this [leaf hash](crate::leaf_hash) at this place, by the steps of RFC 9162, section
    /// 2.1.3.2.
    pub fn check(&self, leaf: LeafIndex, hash: Hash, tree: &Tree) -> Result<(), InclusionError> {
        if !tree.size.covers(leaf) {
            return Err(InclusionError::NoSuchLeaf { leaf, size: tree.size });
        }
        // The index of the current node, and that of the last node of its level.
        let (mut node, mut last) = (leaf.0, tree.size.0.saturating_sub(1));
        let mut made = hash;
        for beside in &self.path {
            if last == 0 {
                return Err(InclusionError::TooLong);
            }
            if node & 1 == 1 || node == last {
                // SHA-256(0x01 || beside || made): RFC 9162, section 2.1.3.2, step 4.2.
                made = node_hash(beside, &made);
                // A last node without a sibling moves up to the level where it is a right child.
                let up = node.trailing_zeros().min(63);
                if node & 1 == 0 {
                    (node, last) = (node >> up, last >> up);
                }
            } else {
                // SHA-256(0x01 || made || beside): the other case of step 4.2.
                made = node_hash(&made, beside);
            }
            (node, last) = (node >> 1, last >> 1);
        }
        if last != 0 {
            return Err(InclusionError::TooShort);
        }
        if made == tree.root { Ok(()) } else { Err(InclusionError::OtherRoot) }
    }
}

/// The ranges of leaves beside the path from a leaf to the root: PATH of RFC 6962, section 2.1.1.
fn beside(leaf: LeafIndex, size: TreeSize) -> Result<Vec<LeafRange>, ProveError> {
    if !size.covers(leaf) {
        return Err(ProveError::NoSuchLeaf { leaf, size });
    }
    let mut range = LeafRange { start: 0, end: size.0 };
    let mut beside = Vec::new();
    while range.len() > 1 {
        let (left, right) = range.split();
        let (inside, outside) = if leaf.0 < left.end { (left, right) } else { (right, left) };
        beside.push(outside);
        range = inside;
    }
    beside.reverse();
    Ok(beside)
}
