//! The two hashes of an RFC 6962 tree. Their first byte prevents a leaf from passing for a node.

use sha2::{Digest, Sha256};

use crate::hash::Hash;

/// The leaf hash of an entry: SHA-256(0x00 || entry). RFC 6962, section 2.1.
#[must_use]
pub fn leaf_hash(entry: &[u8]) -> Hash {
    let digest = Sha256::new().chain_update([0x00]).chain_update(entry).finalize();
    Hash::new(digest.into())
}

/// The hash of an inner node: SHA-256(0x01 || left || right). RFC 6962, section 2.1.
#[must_use]
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    let digest = Sha256::new().chain_update([0x01]).chain_update(left).chain_update(right).finalize();
    Hash::new(digest.into())
}
