//! Files of receipts, and the result of each alteration.

use ledger::{Author, Checkpoint, Draft, Frontier, InclusionProof, Kind, Moment, Seq, SignerKey, Subtree};

use super::*;
use crate::body::Sealed;

fn signer(seed: u8) -> SignerKey {
    SignerKey::from_seed("localhost/matchbook-0123abcd".parse().unwrap(), &[seed; 32])
}

/// One receipt whose entry is the second leaf of a tree of two.
fn file() -> ReceiptFile {
    let match_id: MatchId = "0197c5a4-6f1e-7000-8000-000000000001".parse().unwrap();
    let origin: Origin = "localhost/matchbook-0123abcd".parse().unwrap();
    let at: Moment = "2026-11-20T20:41:48.381204Z".parse().unwrap();
    let decision: ledger::DecisionId = "d1".parse().unwrap();
    let asked = Hash::new([0x11; 32]);
    let opening = ReplacedOpening { field: "move".parse().unwrap(), key: "07".repeat(32), value: "grow".to_owned() };
    let key = SealKey::from_hex(&opening.key).unwrap();
    let message = SealMessage {
        origin: &origin,
        match_id,
        decision: &decision,
        seat: Sealer::P1,
        field: &opening.field,
        asked,
        value: &opening.value,
    };
    let commitments = vec![message.seal(&key).unwrap()];
    let receipt = Receipt {
        origin: origin.clone(),
        match_id,
        decision: decision.clone(),
        asked,
        seat: Sealer::P1,
        ordinal: 0,
        at,
        previous: Hash::ZERO,
        commitments: commitments.clone(),
        is_final: false,
    };
    let signed = receipt.sign(&signer(1)).unwrap();
    let (seat, is_final) = (SeatWord(Seat::P1), false);
    let body = Sealed { decision, seat, ordinal: 0, came: at, commitments, is_final, signature: None };
    let draft = Draft { at, by: Author::P1, kind: Kind::Sealed, body: Body::Sealed(body).write() };
    let line = draft.write(match_id, Seq(5), Hash::new([0x22; 32])).unwrap();
    let other = leaf_hash(b"another entry");
    let mut frontier = Frontier::new();
    frontier.push(other);
    frontier.push(line.leaf());
    let source = |_: Subtree| Some(other);
    let leaf = ledger::LeafIndex(1);
    let inclusion = InclusionProof::prove(leaf, frontier.size(), &source).unwrap();
    let checkpoint = Checkpoint::new(&origin, frontier.tree()).sign(&signer(2));
    let proof = TlogProof { extra: None, leaf, inclusion, checkpoint };
    let entry = String::from_utf8(line.into_bytes()).unwrap();
    let host = Hash::try_from(signer(1).verifier().public()).unwrap().to_base64();
    let mut header = Header::new(origin, match_id, Seat::P1, host);
    header.log = Some(signer(2).verifier().clone());
    let entry = Some(EntryProof { entry, proof: Some(proof.to_string()) });
    ReceiptFile { header, receipts: vec![Line { receipt: signed.text(), openings: vec![opening], entry }] }
}

fn check(file: &ReceiptFile) -> String {
    let read = ReceiptFile::read(&file.write()).unwrap();
    let policy = Policy::read(b"quorum none\n").unwrap();
    read.check(&policy).into_iter().map(|checked| format!("{} {}", checked.name, checked.status)).collect()
}

#[test]
fn a_receipt_with_its_proof_is_proven() {
    let proven = "d1/0 proven: the host signed that it received this, and a signed tree covers its entry; it counted";
    assert_eq!(check(&file()), proven);
    assert!(file().is_proven());
    let mut without = file();
    without.receipts[0].entry.as_mut().unwrap().proof = None;
    assert!(check(&without).starts_with("d1/0 in the record:"), "{}", check(&without));
    without.receipts[0].entry = None;
    assert!(check(&without).contains("this is evidence against the server"), "{}", check(&without));
    assert!(!without.is_proven());
}

#[test]
fn whatever_is_altered_is_found() {
    type Change = fn(&mut ReceiptFile);
    let changes: [(&str, Change); 9] = [
        ("not signed by the host's key", |file| file.header.host_key = Hash::new([3; 32]).to_base64()),
        ("another log, match or seat", |file| file.header.seat = SeatWord(Seat::P2)),
        ("not signed by the host's key", |file| {
            file.receipts[0].receipt = file.receipts[0].receipt.replace("20:41:48", "20:41:47");
        }),
        ("do not open the seal", |file| file.receipts[0].openings[0].value = "claim".to_owned()),
        ("another submission", |file| {
            let entry = file.receipts[0].entry.as_mut().unwrap();
            entry.entry = entry.entry.replace("\"ordinal\":0", "\"ordinal\":1");
        }),
        ("another root", |file| {
            let entry = file.receipts[0].entry.as_mut().unwrap();
            entry.entry = entry.entry.replace("\"seq\":5", "\"seq\":6");
        }),
        ("no key of the log", |file| file.header.log = None),
        ("not signed by its log", |file| file.header.log = Some(signer(3).verifier().clone())),
        ("line break", |file| file.receipts[0].receipt.truncate(40)),
    ];
    for (said, change) in changes {
        let mut altered = file();
        change(&mut altered);
        let checked = check(&altered);
        assert!(checked.contains(" broken: ") || said == "line break", "{said}: {checked}");
        assert!(checked.contains(said) || said == "line break", "{said}: {checked}");
    }
}

#[test]
fn a_proof_of_another_log_is_none_although_the_policy_knows_it() {
    let mut altered = file();
    let other: Origin = "localhost/another".parse().unwrap();
    let key = SignerKey::from_seed(ledger::KeyName::from(&other), &[9; 32]);
    let entry = altered.receipts[0].entry.as_mut().unwrap();
    let mut proof = TlogProof::read(entry.proof.as_ref().unwrap().as_bytes()).unwrap();
    let tree = Checkpoint::read(proof.checkpoint.text()).unwrap().tree();
    proof.checkpoint = Checkpoint::new(&other, tree).sign(&key);
    entry.proof = Some(proof.to_string());
    let policy = format!("log {}\nlog {}\nquorum none\n", signer(2).verifier(), key.verifier());
    let checked = altered.check(&Policy::read(policy.as_bytes()).unwrap());
    assert_eq!(
        checked[0].status,
        ReceiptStatus::Broken { why: "the proof is of another log than the receipt".to_owned() }
    );
    altered.header.log = Some(key.verifier().clone());
    assert!(check(&altered).contains("the proof is of another log"), "{}", check(&altered));
    let names = ["", "/2", "/10", "/1", "/02", "/+2", "/x", "/2/2", "x"];
    let known = names.map(|rest| is_name_of(&other, &format!("{other}{rest}")));
    assert_eq!(known, [true, true, true, false, false, false, false, false, false]);
}

#[test]
fn whose_key_the_hosts_is_the_first_entry_shows() {
    let policy = Policy::read(b"quorum none\n").unwrap();
    let mut file = file();
    assert!(!file.shows_host(&policy), "without the first entry the key is what the file says");
    file.header.opened = file.receipts[0].entry.clone();
    assert!(!file.shows_host(&policy), "and no other entry shows it");
}

#[test]
fn what_is_no_file_of_receipts_is_refused_by_line() {
    let refused = |bytes: &[u8]| ReceiptFile::read(bytes).unwrap_err().to_string();
    assert!(refused(b"{}").starts_with("line 1: "));
    let other = String::from_utf8(file().write()).unwrap().replace("receipts/1", "receipts/2");
    assert_eq!(refused(other.as_bytes()), "line 1: this program reads receipts/1, and this is \"receipts/2\"");
    let mut torn = file().write();
    torn.extend(b"{\"receipt\"");
    assert!(refused(&torn).starts_with("line 3: "), "{}", refused(&torn));
}
