//! The RFC 6962 tree: its size and root, and its growing edge, with which leaves can be appended without the earlier
//! ones.

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::hash::Hash;
use crate::id::TreeSize;
use crate::leaf::node_hash;

/// The roots of the perfect subtrees of a tree, largest first: one for every bit that is set in its size. At most 64
/// hashes, however large the log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frontier {
    size: u64,
    peaks: Vec<Hash>,
}

/// A tree as somebody states it: the number of leaves, and their root. Two of the same size are the same tree, or one
/// of them is a lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tree {
    /// The number of leaves.
    pub size: TreeSize,
    /// Its root.
    pub root: Hash,
}

/// The number of hashes does not fit a frontier of that size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a tree of {size} leaves has a frontier of {expected} hashes, not {found}")]
pub struct FrontierError {
    /// The size that was claimed, in leaves.
    pub size: TreeSize,
    /// The number of bits that are set in it.
    pub expected: u32,
    /// The number of hashes found.
    pub found: usize,
}

impl Tree {
    /// The tree without leaves, whose root is SHA-256 of nothing (RFC 6962, section 2.1).
    #[must_use]
    pub fn empty() -> Self {
        Frontier::new().tree()
    }
}

impl Frontier {
    /// The frontier of the empty tree.
    #[must_use]
    pub const fn new() -> Self {
        Self { size: 0, peaks: Vec::new() }
    }

    /// The frontier with these peaks, largest subtree first. Only its root can show that they belong to a tree.
    ///
    /// # Errors
    /// [`FrontierError`] if the number of peaks does not fit the size.
    pub fn from_peaks(size: TreeSize, peaks: Vec<Hash>) -> Result<Self, FrontierError> {
        let expected = size.0.count_ones();
        if usize::try_from(expected) == Ok(peaks.len()) {
            Ok(Self { size: size.0, peaks })
        } else {
            Err(FrontierError { size, expected, found: peaks.len() })
        }
    }

    /// Appends one leaf, given its [leaf hash](crate::leaf_hash).
    pub fn push(&mut self, leaf: Hash) {
        let mut peak = leaf;
        // Every subtree of the same size as the new one is its left sibling: one for each trailing 1 of the size.
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.peaks.pop() {
                peak = node_hash(&left, &peak);
            }
        }
        self.peaks.push(peak);
        self.size = self.size.saturating_add(1);
    }

    /// The number of leaves so far.
    #[must_use]
    pub const fn size(&self) -> TreeSize {
        TreeSize(self.size)
    }

    /// Size and root.
    #[must_use]
    pub fn tree(&self) -> Tree {
        Tree { size: self.size(), root: self.root() }
    }

    /// The roots of the perfect subtrees, largest first.
    #[must_use]
    pub fn peaks(&self) -> &[Hash] {
        &self.peaks
    }

    /// The root of the tree (RFC 6962, section 2.1); of the empty tree, SHA-256 of nothing.
    #[must_use]
    pub fn root(&self) -> Hash {
        let folded = self.peaks.iter().rev().copied().reduce(|right, left| node_hash(&left, &right));
        folded.unwrap_or_else(|| Hash::new(Sha256::digest([]).into()))
    }
}

impl Extend<Hash> for Frontier {
    fn extend<I: IntoIterator<Item = Hash>>(&mut self, leaves: I) {
        for leaf in leaves {
            self.push(leaf);
        }
    }
}

impl FromIterator<Hash> for Frontier {
    fn from_iter<I: IntoIterator<Item = Hash>>(leaves: I) -> Self {
        let mut frontier = Self::new();
        frontier.extend(leaves);
        frontier
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaf::leaf_hash;

    /// RFC 6962, section 2.1, word for word: split at the largest power of two below n.
    fn oracle(leaves: &[Hash]) -> Hash {
        match leaves {
            [] => Hash::new(Sha256::digest([]).into()),
            [leaf] => *leaf,
            _ => {
                let split = leaves.len().next_power_of_two() / 2;
                node_hash(&oracle(&leaves[..split]), &oracle(&leaves[split..]))
            }
        }
    }

    #[test]
    fn the_roots_of_the_published_vectors() {
        let entries =
            ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
        let roots = [
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        ];
        let mut frontier = Frontier::new();
        assert_eq!(frontier.root().to_string(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        for (entry, root) in entries.iter().zip(roots) {
            frontier.push(leaf_hash(&hex::decode(entry).unwrap()));
            assert_eq!(frontier.root().to_string(), root, "size {}", frontier.size());
        }
    }

    #[test]
    fn every_size_agrees_with_the_definition() {
        let leaves: Vec<Hash> = (0..300u32).map(|i| leaf_hash(&i.to_be_bytes())).collect();
        let mut frontier = Frontier::new();
        for size in 0..=leaves.len() {
            assert_eq!(frontier.size(), TreeSize(size as u64));
            assert_eq!(frontier.root(), oracle(&leaves[..size]), "size {size}");
            let again = Frontier::from_peaks(frontier.size(), frontier.peaks().to_vec()).unwrap();
            assert_eq!(again, frontier);
            assert_eq!(leaves[..size].iter().copied().collect::<Frontier>(), frontier);
            frontier.extend(leaves.get(size).copied());
        }
    }

    #[test]
    fn peaks_must_fit_the_size() {
        let error = Frontier::from_peaks(TreeSize(5), vec![Hash::ZERO]).unwrap_err();
        assert_eq!(error.to_string(), "a tree of 5 leaves has a frontier of 2 hashes, not 1");
    }
}
