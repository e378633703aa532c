//! The probes of transparency-dev/merkle: 98 for inclusion, 98 for consistency; nearly all must fail.

use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use matchbook_ledger::proof::InclusionError;
use matchbook_ledger::{ConsistencyProof, Hash, InclusionProof, LeafIndex, Tree, TreeSize};
use sha2::{Digest, Sha256};

use crate::{files_below, folder};

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Inclusion {
    leaf_idx: u64,
    tree_size: u64,
    root: String,
    leaf_hash: String,
    proof: Option<Vec<String>>,
    desc: String,
    want_err: bool,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Consistency {
    size1: u64,
    size2: u64,
    root1: String,
    root2: String,
    proof: Option<Vec<String>>,
    desc: String,
    want_err: bool,
}

/// The suite also uses texts of other lengths, and empty ones, as hashes. Ours have 32 bytes by type: an empty text is
/// refused when it is read, and another is replaced by its hash, so that equal ones stay equal and the arithmetic is
/// still tested.
fn hash(base64: &str) -> Option<Hash> {
    let bytes = STANDARD.decode(base64).unwrap();
    if bytes.is_empty() {
        return Hash::from_base64(base64).ok();
    }
    Some(Hash::try_from(bytes.as_slice()).unwrap_or_else(|_| Hash::new(Sha256::digest(&bytes).into())))
}

fn path(proof: Option<Vec<String>>) -> Option<Vec<Hash>> {
    proof.unwrap_or_default().iter().map(|one| hash(one)).collect()
}

impl Inclusion {
    /// The result of the proof, if every hash of the probe can be read.
    fn checked(self) -> Option<Result<(), InclusionError>> {
        let tree = Tree { size: TreeSize(self.tree_size), root: hash(&self.root)? };
        let proof = InclusionProof { path: path(self.proof)? };
        Some(proof.check(LeafIndex(self.leaf_idx), hash(&self.leaf_hash)?, &tree))
    }
}

#[test]
fn inclusion() {
    let (mut tried, mut unread) = (0, 0);
    for file in files_below(&folder("merkle/inclusion")) {
        let probe: Inclusion = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let (desc, want_err) = (probe.desc.clone(), probe.want_err);
        let checked = probe.checked();
        assert_eq!(checked != Some(Ok(())), want_err, "{}: {desc}: {checked:?}", file.display());
        unread += usize::from(checked.is_none());
        tried += 1;
    }
    assert_eq!((tried, unread), (98, 21));
}

#[test]
fn consistency() {
    let (mut tried, mut unread) = (0, 0);
    let mut of_witnesses = Vec::new();
    for file in files_below(&folder("merkle/consistency")) {
        let probe: Consistency = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let old = hash(&probe.root1).map(|root| Tree { size: TreeSize(probe.size1), root });
        let new = hash(&probe.root2).map(|root| Tree { size: TreeSize(probe.size2), root });
        tried += 1;
        let (Some(old), Some(new), Some(path)) = (old, new, path(probe.proof)) else {
            assert!(probe.want_err, "{}: {}", file.display(), probe.desc);
            unread += 1;
            continue;
        };
        let proof = ConsistencyProof { path };
        let checked = proof.check(&old, &new);
        assert_eq!(checked.is_err(), probe.want_err, "{}: {}: {checked:?}", file.display(), probe.desc);
        if proof.check_growth(&old, &new).is_err() != probe.want_err {
            of_witnesses.push(probe.desc);
        }
    }
    assert_eq!((tried, unread), (98, 8));
    // The witness's entry point differs only in its policy on the empty tree.
    assert_eq!(of_witnesses, ["size1 is zero and size2 is not zero"]);
}

/// Two probes test policy rather than arithmetic, with roots that no tree has. With the roots of real trees:
#[test]
fn the_two_probes_of_policy() {
    let nothing = ConsistencyProof::default();
    // "sizes are equal (zero) and proof is empty": refused by the suite and the Merkle check, accepted by witnesses.
    assert!(nothing.check(&Tree::empty(), &Tree::empty()).is_err());
    assert!(nothing.check_growth(&Tree::empty(), &Tree::empty()).is_ok());
    // "sizes are equal (one) and proof is empty": accepted by all.
    let one = Tree { size: TreeSize(1), root: hash("bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=").unwrap() };
    assert!(nothing.check(&one, &one).is_ok());
    assert!(nothing.check_growth(&one, &one).is_ok());
}
