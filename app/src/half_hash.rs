//! The first half of a SHA-256: enough to tell things apart, where nobody chooses them to be alike.

use sha2::{Digest, Sha256};

pub(crate) fn first_half(hash: [u8; 32]) -> [u8; 16] {
    std::array::from_fn(|at| hash.get(at).copied().unwrap_or(0))
}

pub fn half_hash(text: &str) -> [u8; 16] {
    first_half(Sha256::digest(text).into())
}
