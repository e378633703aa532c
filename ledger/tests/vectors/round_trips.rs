//! Every accepted input is written back byte for byte, and no input stops the program. Each reader gets random bytes,
//! and good inputs with bytes altered, removed, repeated and swapped: near misses find more than noise.

use matchbook_ledger::policy::Policy;
use matchbook_ledger::tile::TileWidth;
use matchbook_ledger::{
    AddCheckpoint, Checkpoint, CosignedAt, CosignerKey, EntryBundle, Frontier, InclusionProof, LeafIndex, Note,
    Signature, SignerKey, Subtree, TilePath, TlogProof, TreeSize, VerifierKey, leaf_hash,
};
use proptest::prelude::*;

/// Reads bytes with every reader, and compares accepted inputs with their written form. Returns the number of readers
/// that accepted.
fn read_in_every_way(bytes: &[u8]) -> usize {
    let mut written: Vec<Vec<u8>> = Vec::new();
    if let Ok(note) = Note::read(bytes) {
        written.push(note.to_string().into());
        if let Ok(checkpoint) = Checkpoint::read(note.text()) {
            assert_eq!(checkpoint.to_string(), note.text().as_str());
        }
        let _ = note.verify([log().verifier(), witness().verifier()]);
        let _ = policy().judge(&note);
    }
    written.extend(TlogProof::read(bytes).map(|proof| {
        let _ = proof.check(leaf_hash(b"one"), &policy());
        proof.to_string().into()
    }));
    written.extend(AddCheckpoint::read(bytes).map(|request| {
        let _ = request.decide([log().verifier()], None);
        request.to_string().into()
    }));
    for width in [1, 2, 3, 256].into_iter().filter_map(TileWidth::new) {
        written.extend(EntryBundle::read(width, bytes).map(|bundle| bundle.to_bytes()));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        written.extend(text.parse::<VerifierKey>().map(|key| key.to_string().into()));
        written.extend(text.parse::<TilePath>().map(|path| path.to_string().into()));
        written.extend(SignerKey::read(text).map(|key| key.to_private_text().into()));
        written.extend(CosignerKey::read(text).map(|key| key.to_private_text().into()));
        if let Ok(lines) = Signature::read_lines(text) {
            written.push(lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect());
        }
    }
    for again in &written {
        assert_eq!(String::from_utf8_lossy(again), String::from_utf8_lossy(bytes));
    }
    let _ = Policy::read(bytes);
    written.len()
}

fn log() -> SignerKey {
    SignerKey::from_seed("example.com/log".parse().unwrap(), &[1; 32])
}

fn witness() -> CosignerKey {
    CosignerKey::from_seed("witness.example/w".parse().unwrap(), &[2; 32])
}

fn policy_file() -> String {
    let (log, witness) = (log().verifier().to_string(), witness().verifier().to_string());
    format!("# A policy.\nlog {log}\nwitness w {witness} https://witness.example/\ngroup g any w\nquorum g\n")
}

fn policy() -> Policy {
    Policy::read(policy_file().as_bytes()).unwrap()
}

/// One good input of each kind, with the number of readers that accept it. The bytes of a proof file and of a request
/// are those of a signed note, too; a policy is not written back.
fn good() -> Vec<(Vec<u8>, usize)> {
    let leaves = [leaf_hash(b"one"), leaf_hash(b"two"), leaf_hash(b"three")];
    let tree = leaves.iter().copied().collect::<Frontier>().tree();
    let mut note = Checkpoint::new(log().verifier().name(), tree).sign(&log());
    note.add(witness().cosign(note.text(), CosignedAt::from_seconds(1_700_000_000).unwrap())).unwrap();
    let source = |at: Subtree| {
        let first = at.first_leaf().0 as usize;
        Some(leaves.get(first..at.covered_by().0 as usize)?.iter().copied().collect::<Frontier>().root())
    };
    let inclusion = InclusionProof::prove(LeafIndex(0), TreeSize(3), &source).unwrap();
    let proof = TlogProof { extra: None, leaf: LeafIndex(0), inclusion, checkpoint: note.clone() };
    let growth = matchbook_ledger::ConsistencyProof::prove(TreeSize(2), TreeSize(3), &source).unwrap();
    let request = AddCheckpoint::new(TreeSize(2), growth, note.clone()).unwrap();
    let bundle = EntryBundle::new([b"one".to_vec(), b"two".to_vec(), b"three".to_vec()]).unwrap();
    vec![
        (note.to_string().into(), 1),
        (proof.to_string().into(), 2),
        (request.to_string().into(), 2),
        (bundle.to_bytes(), 1),
        (log().verifier().to_string().into(), 1),
        (log().to_private_text().into(), 1),
        (witness().to_private_text().into(), 1),
        (format!("{}\n", note.signatures()[1]).into(), 1),
        (b"tile/0/x001/234.p/5".to_vec(), 1),
        (b"tile/entries/x001/234".to_vec(), 1),
        (policy_file().into(), 0),
    ]
}

#[test]
fn good_inputs_come_back() {
    for (input, readers) in good() {
        let accepted = read_in_every_way(&input);
        assert_eq!(accepted, readers, "{}", String::from_utf8_lossy(&input));
    }
}

#[test]
fn every_good_input_cut_short_anywhere() {
    for (input, _) in good() {
        for end in 0..input.len() {
            read_in_every_way(&input[..end]);
            read_in_every_way(&input[end..]);
        }
    }
}

/// One change of a good input.
#[derive(Debug, Clone)]
enum Change {
    Put(usize, u8),
    Remove(usize),
    Insert(usize, u8),
    Repeat(usize, usize),
    Swap(usize, usize),
}

/// A byte with a meaning in one of the formats, or any other.
fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![3 => prop::sample::select(b"\n\n\n +-=/.0129xpA\t\r\xe2\x80\x94\0".to_vec()), 1 => any::<u8>()]
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (any::<usize>(), byte()).prop_map(|(at, byte)| Change::Put(at, byte)),
        any::<usize>().prop_map(Change::Remove),
        (any::<usize>(), byte()).prop_map(|(at, byte)| Change::Insert(at, byte)),
        (any::<usize>(), 1..80_usize).prop_map(|(at, count)| Change::Repeat(at, count)),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Change::Swap(a, b)),
    ]
}

impl Change {
    fn of(&self, bytes: &mut Vec<u8>) {
        let length = bytes.len().max(1);
        match *self {
            _ if bytes.is_empty() => {}
            Self::Put(at, byte) => bytes[at % length] = byte,
            Self::Remove(at) => {
                bytes.remove(at % length);
            }
            Self::Insert(at, byte) => bytes.insert(at % length, byte),
            Self::Repeat(at, count) => {
                let start = at % length;
                let again = bytes[start..(start + count).min(length)].to_vec();
                bytes.splice(start..start, again);
            }
            Self::Swap(a, b) => bytes.swap(a % length, b % length),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn near_misses(which in 0..11_usize, changes in prop::collection::vec(change(), 1..4)) {
        let (mut bytes, _) = good().swap_remove(which);
        changes.iter().for_each(|change| change.of(&mut bytes));
        read_in_every_way(&bytes);
    }

    #[test]
    fn noise(bytes in prop::collection::vec(byte(), 0..200)) {
        read_in_every_way(&bytes);
    }
}
