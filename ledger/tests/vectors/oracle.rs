//! RFC 6962, section 2.1, word for word: slow, recursive, over all leaves, and sharing no code with the ledger.

use matchbook_ledger::Hash;
use sha2::{Digest, Sha256};

/// The side of the hash beside the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// Leaf hashes that depend on their place.
pub(crate) fn leaves(count: u64) -> Vec<Hash> {
    (0..count).map(|place| sha256(&[&[0], &place.to_be_bytes()])).collect()
}

fn sha256(parts: &[&[u8]]) -> Hash {
    Hash::new(Sha256::digest(parts.concat()).into())
}

/// The largest power of two smaller than n.
fn split(n: usize) -> usize {
    let mut k = 1;
    while k * 2 < n {
        k *= 2;
    }
    k
}

/// MTH(D[n]).
pub(crate) fn root(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => sha256(&[]),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(split(leaves.len()));
            sha256(&[&[1], root(left).as_ref(), root(right).as_ref()])
        }
    }
}

/// PATH(m, D[n]).
pub(crate) fn path(m: usize, leaves: &[Hash]) -> Vec<(Side, Hash)> {
    if leaves.len() == 1 {
        return Vec::new();
    }
    let k = split(leaves.len());
    let (left, right) = leaves.split_at(k);
    let (mut path, beside) = if m < k {
        (path(m, left), (Side::Right, root(right)))
    } else {
        (path(m - k, right), (Side::Left, root(left)))
    };
    path.push(beside);
    path
}

/// PROOF(m, D[n]), with the side of each hash. The hash that both roots begin with has no side, if it is sent.
pub(crate) fn proof(m: usize, leaves: &[Hash]) -> Vec<(Option<Side>, Hash)> {
    subproof(m, leaves, true)
}

fn subproof(m: usize, leaves: &[Hash], complete: bool) -> Vec<(Option<Side>, Hash)> {
    if m == leaves.len() {
        return if complete { Vec::new() } else { vec![(None, root(leaves))] };
    }
    let k = split(leaves.len());
    let (left, right) = leaves.split_at(k);
    let (mut proof, beside) = if m <= k {
        (subproof(m, left, complete), (Some(Side::Right), root(right)))
    } else {
        (subproof(m - k, right, false), (Some(Side::Left), root(left)))
    };
    proof.push(beside);
    proof
}
