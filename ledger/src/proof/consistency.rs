//! Proofs that one tree extends another: its first leaves are the other's.

use thiserror::Error;

use super::ProveError;
use super::subtree::{LeafRange, Subtree, Subtrees};
use crate::hash::Hash;
use crate::id::TreeSize;
use crate::leaf::node_hash;
use crate::tree::Tree;

/// The hashes from which both roots can be computed. RFC 6962, section 2.1.2.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConsistencyProof {
    /// From the deepest node up.
    pub path: Vec<Hash>,
}

/// The reason why a proof does not show that one tree extends another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ConsistencyError {
    /// Every tree extends the empty one, and there is no Merkle proof of that.
    #[error("there is no consistency proof from the empty tree")]
    FromEmpty,
    /// The later tree is the smaller one.
    #[error("a tree of {new} leaves does not extend one of {old}")]
    Shrinks {
        /// The size before.
        old: TreeSize,
        /// The size after.
        new: TreeSize,
    },
    /// There are too many hashes.
    #[error("the consistency proof has more hashes than it needs")]
    TooLong,
    /// There are too few hashes.
    #[error("the consistency proof has fewer hashes than it needs")]
    TooShort,
    /// The tree without leaves has only one possible root.
    #[error("the root of an empty tree is not SHA-256 of nothing")]
    EmptyRoot,
    /// It leads to another root of the earlier tree.
    #[error("the consistency proof does not lead to the root of the earlier tree")]
    OtherOldRoot,
    /// It leads to another root of the later tree.
    #[error("the consistency proof does not lead to the root of the later tree")]
    OtherNewRoot,
    /// Two roots for one size: two histories.
    #[error("the two trees are of one size and have different roots")]
    TwoRoots,
}

impl ConsistencyProof {
    /// Proves that the tree of the second size extends that of the first.
    ///
    /// # Errors
    /// [`ProveError::NoSuchGrowth`] from the empty tree or to a smaller one, [`ProveError::Missing`] for a hash that
    /// the source does not have.
    pub fn prove(old: TreeSize, new: TreeSize, source: &impl Subtrees) -> Result<Self, ProveError> {
        let path = ranges(old, new)?.into_iter().map(|range| range.hash(source)).collect::<Result<_, _>>()?;
        Ok(Self { path })
    }

    /// The subtrees whose hashes [`ConsistencyProof::prove`] needs, so that they can be fetched first.
    pub fn subtrees(old: TreeSize, new: TreeSize) -> Result<Vec<Subtree>, ProveError> {
        Ok(ranges(old, new)?.into_iter().flat_map(LeafRange::subtrees).collect())
    }

    /// Checks that `new` extends `old`, by the steps of RFC 9162, section 2.1.4.2. Trees of one size need an empty
    /// proof and the same root. The empty tree is refused; [`ConsistencyProof::check_growth`] accepts it.
    ///
    /// # Errors
    /// [`ConsistencyError`] if the proof does not show it.
    pub fn check(&self, old: &Tree, new: &Tree) -> Result<(), ConsistencyError> {
        if old.size > new.size {
            return Err(ConsistencyError::Shrinks { old: old.size, new: new.size });
        }
        if old.size == TreeSize(0) {
            return Err(ConsistencyError::FromEmpty);
        }
        if old.size == new.size {
            return self.check_same(old, new);
        }
        // The indexes of the last leaves; levels that are complete in the old tree need no hash.
        let (mut node, mut last) = (old.size.0.saturating_sub(1), new.size.0.saturating_sub(1));
        let complete = node.trailing_ones();
        (node, last) = (node >> complete, last >> complete);
        let mut path = self.path.iter();
        // If the old tree is perfect, its root is the first hash: RFC 9162, section 2.1.4.2, step 2.
        let first = if old.size.0.is_power_of_two() { Some(&old.root) } else { path.next() };
        let first = *first.ok_or(ConsistencyError::TooShort)?;
        let (mut made_old, mut made_new) = (first, first);
        for beside in path {
            if last == 0 {
                return Err(ConsistencyError::TooLong);
            }
            if node & 1 == 1 || node == last {
                // SHA-256(0x01 || beside || made) for both trees: RFC 9162, section 2.1.4.2, step 6.2.
                made_old = node_hash(beside, &made_old);
                made_new = node_hash(beside, &made_new);
                let up = node.trailing_zeros().min(63);
                if node & 1 == 0 {
                    (node, last) = (node >> up, last >> up);
                }
            } else {
                // SHA-256(0x01 || made || beside) for the new tree alone: the other case of step 6.2.
                made_new = node_hash(&made_new, beside);
            }
            (node, last) = (node >> 1, last >> 1);
        }
        if last != 0 {
            return Err(ConsistencyError::TooShort);
        }
        if made_old != old.root {
            return Err(ConsistencyError::OtherOldRoot);
        }
        if made_new == new.root { Ok(()) } else { Err(ConsistencyError::OtherNewRoot) }
    }

    /// The check of a witness (C2SP tlog-witness): the same, and every tree extends the empty one by an empty proof.
    ///
    /// # Errors
    /// [`ConsistencyError`] if the proof does not show it, also for an empty tree with an impossible root.
    pub fn check_growth(&self, old: &Tree, new: &Tree) -> Result<(), ConsistencyError> {
        let empty = Tree::empty();
        if [old, new].iter().any(|tree| tree.size == empty.size && tree.root != empty.root) {
            return Err(ConsistencyError::EmptyRoot);
        }
        if *old != empty {
            return self.check(old, new);
        }
        if self.path.is_empty() { Ok(()) } else { Err(ConsistencyError::TooLong) }
    }

    fn check_same(&self, old: &Tree, new: &Tree) -> Result<(), ConsistencyError> {
        if !self.path.is_empty() {
            return Err(ConsistencyError::TooLong);
        }
        if old.root == new.root { Ok(()) } else { Err(ConsistencyError::TwoRoots) }
    }
}

/// The ranges of leaves whose hashes make the proof: SUBPROOF of RFC 6962, section 2.1.2.
fn ranges(old: TreeSize, new: TreeSize) -> Result<Vec<LeafRange>, ProveError> {
    if old == TreeSize(0) || old > new {
        return Err(ProveError::NoSuchGrowth { old, new });
    }
    let mut range = LeafRange { start: 0, end: new.0 };
    let mut ranges = Vec::new();
    while old.0 < range.end {
        let (left, right) = range.split();
        let (inside, outside) = if old.0 <= left.end { (left, right) } else { (right, left) };
        ranges.push(outside);
        range = inside;
    }
    // The rest ends at the end of the old tree. If it is the whole old tree, the checker has its root.
    if range.start > 0 {
        ranges.push(range);
    }
    ranges.reverse();
    Ok(ranges)
}
