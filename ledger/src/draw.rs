//! Draws that nobody can choose: a seed of three shares, a key for every draw, and the numbers of a key.
//!
//! `docs/record-format.md`, "Draws". Only somebody who knows the host's share knows coming draws. A key reveals nothing
//! about the seed or another key, so one can be opened while the next stays closed.

use std::fmt;

use hkdf::Hkdf;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use thiserror::Error;

use crate::beacon::{NetworkHash, Round, RoundSignature};
use crate::hash::Hash;
use crate::id::{LeafIndex, TreeSize};
use crate::leaf::leaf_hash;
use crate::proof::{InclusionProof, Subtree, Subtrees};
use crate::seal::hmac_sha256;
use crate::serde_as_text::{debug_hidden, secret_as_hex};
use crate::share::Share;
use crate::tree::{Frontier, Tree};

/// The number of keys under one root.
pub const BATCH_KEYS: u32 = 256;
const SIZE: TreeSize = TreeSize(256);

/// The number of a draw among all draws of a match: 0 first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct DrawIndex(pub u32);

/// The pseudorandom key from which all keys of a match are made. Secret until the host's share is open; `Debug` does
/// not show it.
pub struct Seed(Hkdf<Sha256>);

/// The key of one draw. Secret until the draw is open; `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct DrawKey([u8; 32]);

/// The tree over the [`BATCH_KEYS`] keys of one batch.
pub struct KeyTree {
    leaves: Vec<Hash>,
    root: Hash,
}

/// The hashes beside the path from a key to its root, lowest first: eight of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyPath(pub Vec<Hash>);

/// The numbers of a draw key, each of 64 bits.
pub struct DrawStream {
    key: DrawKey,
    block: u64,
    words: std::array::IntoIter<u64, 4>,
}

/// The reason why a text is not a draw key, or not the right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DrawError {
    /// Not a key.
    #[error("the key of a draw is 64 lower-case hex digits")]
    NotAKey,
    /// The key and its path do not lead to the root.
    #[error("this key is not the one that the root stands for at this place")]
    OtherKey,
}

impl DrawIndex {
    /// The number of its root: 0 for the draws 0 to 255, 1 for the next 256.
    #[must_use]
    pub const fn batch(self) -> u32 {
        self.0 / BATCH_KEYS
    }

    fn place(self) -> LeafIndex {
        LeafIndex(u64::from(self.0 % BATCH_KEYS))
    }
}

impl fmt::Display for DrawIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Seed {
    /// PRK = HKDF-Extract(salt, IKM = host || p1 || p2), RFC 5869, section 2.2. `salt` is the leaf hash of the entry
    /// that sealed the host's share.
    #[must_use]
    pub fn new(salt: &Hash, host: &Share, p1: &Share, p2: &Share) -> Self {
        let shares = [*host.bytes(), *p1.bytes(), *p2.bytes()].concat();
        Self(Hkdf::new(Some(salt.bytes()), &shares))
    }

    /// Key k = HKDF-Expand(PRK, `matchbook/draw/1\n` + k in decimal, 32), RFC 5869, section 2.3.
    #[must_use]
    pub fn key(&self, index: DrawIndex) -> DrawKey {
        let mut key = [0; 32];
        // Only more than 255 blocks of output fail, and this is one.
        let _ = self.0.expand(format!("matchbook/draw/1\n{index}").as_bytes(), &mut key);
        DrawKey(key)
    }

    /// The tree over the keys of a batch.
    #[must_use]
    pub fn tree(&self, batch: u32) -> KeyTree {
        let first = batch.saturating_mul(BATCH_KEYS);
        let mut edge = Frontier::new();
        let leaves = (0..BATCH_KEYS).map(|at| self.key(DrawIndex(first.saturating_add(at))).leaf());
        let leaves: Vec<Hash> = leaves.inspect(|leaf| edge.push(*leaf)).collect();
        KeyTree { leaves, root: edge.root() }
    }
}

impl KeyTree {
    /// The root (RFC 6962, section 2.1), which is published before the first draw of the batch.
    #[must_use]
    pub const fn root(&self) -> Hash {
        self.root
    }

    /// Proves that a key of this batch is in the tree.
    #[must_use]
    pub fn prove(&self, index: DrawIndex) -> KeyPath {
        // Every hash of the path is here, so this cannot fail.
        KeyPath(InclusionProof::prove(index.place(), SIZE, self).map(|proof| proof.path).unwrap_or_default())
    }
}

impl Subtrees for KeyTree {
    fn hash_of(&self, subtree: Subtree) -> Option<Hash> {
        let first = usize::try_from(subtree.first_leaf().0).ok()?;
        let after = usize::try_from(subtree.covered_by().0).ok()?;
        let mut edge = Frontier::new();
        edge.extend(self.leaves.get(first..after)?.iter().copied());
        Some(edge.root())
    }
}

impl DrawKey {
    /// Its leaf in the tree: the leaf hash of its 32 bytes.
    fn leaf(&self) -> Hash {
        leaf_hash(&self.0)
    }

    /// Checks that this is the key at this index under the root of its batch.
    pub fn check(&self, index: DrawIndex, path: &KeyPath, root: &Hash) -> Result<(), DrawError> {
        let (proof, tree) = (InclusionProof { path: path.0.clone() }, Tree { size: SIZE, root: *root });
        proof.check(index.place(), self.leaf(), &tree).map_err(|_| DrawError::OtherKey)
    }

    /// True if both are the same key; takes the same time wherever they differ.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }

    /// The key of the draw where it waits for a round of a beacon: HMAC-SHA256(this key, `matchbook/draw/2\n` + network's
    /// hash + `\n` + round + `\n` + signature), the hash and the signature in hex, the round in decimal.
    #[must_use]
    pub fn with_round(&self, network: &NetworkHash, round: Round, signature: &RoundSignature) -> Self {
        let message = format!("matchbook/draw/2\n{network}\n{round}\n{signature}");
        Self(*hmac_sha256(&self.0, message.as_bytes()).bytes())
    }

    /// The numbers of the draw, from the first on.
    #[must_use]
    pub fn stream(&self) -> DrawStream {
        DrawStream { key: self.clone(), block: 0, words: self.block(0) }
    }

    /// Block j = HMAC-SHA256(key, `matchbook/stream/1\n` + j in decimal), four big-endian words.
    fn block(&self, block: u64) -> std::array::IntoIter<u64, 4> {
        let block = hmac_sha256(&self.0, format!("matchbook/stream/1\n{block}").as_bytes());
        let mut words = [0; 4];
        for (word, eight) in words.iter_mut().zip(block.bytes().as_chunks::<8>().0) {
            *word = u64::from_be_bytes(*eight);
        }
        words.into_iter()
    }
}

impl Iterator for DrawStream {
    type Item = u64;

    /// The next number. It never ends.
    fn next(&mut self) -> Option<u64> {
        self.words.next().or_else(|| {
            self.block = self.block.wrapping_add(1);
            self.words = self.key.block(self.block);
            self.words.next()
        })
    }
}

impl fmt::Debug for KeyTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyTree({})", self.root())
    }
}

secret_as_hex!(DrawKey, DrawError, DrawError::NotAKey);
debug_hidden!(Seed, DrawKey, DrawStream);

#[cfg(test)]
#[path = "draw/tests.rs"]
mod tests;
