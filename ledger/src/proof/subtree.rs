//! Perfect subtrees: the parts of any root or proof, and the only hashes that a log has to store.

use std::fmt;

use super::ProveError;
use crate::hash::Hash;
use crate::id::{LeafIndex, TreeSize};
use crate::leaf::node_hash;
use crate::tree::Frontier;

/// The height of a perfect subtree, which has 2^level leaves. 0 for a leaf, 63 at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// A perfect subtree: the leaves from `index * 2^level` up to, but not including, `(index + 1) * 2^level`. Its hash
/// never changes, once the log has that many leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subtree {
    level: Level,
    index: u64,
}

/// A source of hashes of perfect subtrees: tiles, a table, the leaves themselves.
pub trait Subtrees {
    /// The hash of a subtree, if the source has it.
    fn hash_of(&self, subtree: Subtree) -> Option<Hash>;
}

impl<F: Fn(Subtree) -> Option<Hash>> Subtrees for F {
    fn hash_of(&self, subtree: Subtree) -> Option<Hash> {
        self(subtree)
    }
}

impl Level {
    /// The level; none above 63.
    #[must_use]
    pub const fn new(level: u8) -> Option<Self> {
        if level < 64 { Some(Self(level)) } else { None }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl Subtree {
    /// The subtree of that level after `index` others of its size; none if a log cannot have it.
    #[must_use]
    pub const fn new(level: Level, index: u64) -> Option<Self> {
        // It must end within the leaves that 64 bits can count.
        match index.checked_add(1) {
            Some(next) if next <= u64::MAX >> level.0 => Some(Self { level, index }),
            _ => None,
        }
    }

    /// The subtree of one leaf.
    #[must_use]
    pub const fn leaf(leaf: LeafIndex) -> Self {
        Self { level: Level(0), index: leaf.0 }
    }

    /// Its height.
    #[must_use]
    pub const fn level(self) -> Level {
        self.level
    }

    /// The number of subtrees of its level before it.
    #[must_use]
    pub const fn index(self) -> u64 {
        self.index
    }

    /// Its first leaf.
    #[must_use]
    pub const fn first_leaf(self) -> LeafIndex {
        LeafIndex(self.index << self.level.0)
    }

    /// The smallest tree that contains all of it.
    #[must_use]
    pub const fn covered_by(self) -> TreeSize {
        TreeSize(self.first_leaf().0.saturating_add(1 << self.level.0))
    }

    /// Its two halves; none for a leaf.
    #[must_use]
    pub const fn halves(self) -> Option<(Self, Self)> {
        match self.level.0.checked_sub(1) {
            Some(level) => {
                let (level, left) = (Level(level), self.index << 1);
                Some((Self { level, index: left }, Self { level, index: left | 1 }))
            }
            None => None,
        }
    }
}

impl fmt::Display for Subtree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "subtree {} of level {}", self.index, self.level.0)
    }
}

/// Consecutive leaves, at least one, from `start` up to, but not including, `end`. In proofs, `start` is a multiple of
/// the largest power of two in the length, so the range is a list of perfect subtrees, largest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LeafRange {
    pub(super) start: u64,
    pub(super) end: u64,
}

impl LeafRange {
    pub(super) const fn len(self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// The two sides of its root: split after the largest power of two below its length. RFC 6962, section 2.1.
    pub(super) const fn split(self) -> (Self, Self) {
        let left = match self.len().saturating_sub(1).checked_ilog2() {
            Some(bits) => 1 << bits,
            None => 0,
        };
        let middle = self.start.saturating_add(left);
        (Self { start: self.start, end: middle }, Self { start: middle, end: self.end })
    }

    pub(super) fn subtrees(self) -> impl Iterator<Item = Subtree> {
        let mut start = self.start;
        std::iter::from_fn(move || {
            let bits = self.end.checked_sub(start)?.checked_ilog2()?.min(start.trailing_zeros());
            let level = u8::try_from(bits).ok().and_then(Level::new)?;
            let subtree = Subtree { level, index: start >> bits };
            start = start.saturating_add(1 << bits);
            Some(subtree)
        })
    }

    /// Its Merkle tree hash, MTH of RFC 6962, section 2.1.
    pub(super) fn hash(self, source: &impl Subtrees) -> Result<Hash, ProveError> {
        let hashes = self.subtrees().map(|subtree| source.hash_of(subtree).ok_or(ProveError::Missing(subtree)));
        let hashes = hashes.collect::<Result<Vec<_>, _>>()?;
        // The smallest ones are deepest: SHA-256(0x01 || left || hash of the rest on the right).
        let folded = hashes.into_iter().rev().reduce(|right, left| node_hash(&left, &right));
        Ok(folded.unwrap_or_else(|| Frontier::new().root()))
    }
}

/// The root of the tree of that size (RFC 6962, section 2.1).
pub fn root(size: TreeSize, source: &impl Subtrees) -> Result<Hash, ProveError> {
    LeafRange { start: 0, end: size.0 }.hash(source)
}

/// The subtrees whose hashes [`root`] needs.
#[must_use]
pub fn subtrees_of_root(size: TreeSize) -> Vec<Subtree> {
    LeafRange { start: 0, end: size.0 }.subtrees().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_falls_into_perfect_subtrees() {
        let pieces: Vec<(u8, u64)> =
            subtrees_of_root(TreeSize(13)).into_iter().map(|piece| (piece.level().get(), piece.index())).collect();
        assert_eq!(pieces, [(3, 0), (2, 2), (0, 12)]);
        assert_eq!(subtrees_of_root(TreeSize(0)), []);
        assert_eq!(subtrees_of_root(TreeSize(u64::MAX)).len(), 64);
        assert_eq!(root(TreeSize(0), &|_| None), Ok(Frontier::new().root()));
    }

    #[test]
    fn ends_where_counting_ends() {
        let level = Level::new(63).unwrap();
        assert_eq!(Subtree::new(level, 0).unwrap().covered_by(), TreeSize(1 << 63));
        assert_eq!(Subtree::new(level, 1), None);
        assert_eq!(Level::new(64), None);
        assert_eq!(Subtree::new(Level(0), u64::MAX), None);
        let (left, right) = Subtree::new(Level(3), 5).unwrap().halves().unwrap();
        assert_eq!((left.first_leaf(), right.first_leaf()), (LeafIndex(40), LeafIndex(44)));
        assert_eq!(Subtree::leaf(LeafIndex(7)).halves(), None);
        assert_eq!(
            root(TreeSize(3), &|_| None).unwrap_err().to_string(),
            "the hash of subtree 0 of level 1 is missing"
        );
    }
}
