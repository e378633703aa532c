//! A checkpoint of a public log with cosignatures of public witnesses: none of their programs is ours.

use std::fs;

use matchbook_ledger::note::SignatureType;
use matchbook_ledger::policy::{JudgeError, QuorumStatus};
use matchbook_ledger::{Note, Policy, VerifierKey};

use crate::folder;

fn note() -> String {
    fs::read_to_string(folder("witnessed/arche2025h1.note")).unwrap()
}

fn policy() -> Policy {
    Policy::read(&fs::read(folder("witnessed/policy")).unwrap()).unwrap()
}

#[test]
fn is_witnessed() {
    let note: Note = note().parse().unwrap();
    assert_eq!(note.to_string(), self::note());
    // Two lines of the log, one of an ignored type, and four of witnesses, one unknown.
    assert_eq!(note.signatures().len(), 6);
    let policy = policy();
    let judgement = policy.judge(&note).unwrap();
    assert_eq!(judgement.quorum, QuorumStatus::Witnessed);
    assert_eq!(judgement.checkpoint.tree().size.0, 1_432_088_532);
    let cosigned: Vec<(String, u64)> =
        judgement.cosigned.iter().map(|one| (one.witness.name.to_string(), one.at.seconds())).collect();
    let at = 1_779_573_024;
    assert_eq!(cosigned, [("little-garden".into(), at), ("smartit".into(), at), ("remora".into(), at)]);
}

#[test]
fn is_not_when_it_says_something_else() {
    let note = note().replacen("1432088532", "1432088533", 1).parse().unwrap();
    assert!(matches!(policy().judge(&note), Err(JudgeError::NotSigned(_))));
    let earlier = note_with("— remora.n621.de 2net5wAAAABqEiEg", "— remora.n621.de 2net5wAAAABqEiEf");
    assert!(matches!(policy().judge(&earlier), Err(JudgeError::FalseCosignature(_))));
    let renamed = note_with("— remora.n621.de", "— remora.n621.eu");
    assert_eq!(policy().judge(&renamed).unwrap().quorum, QuorumStatus::NotWitnessed);
}

fn note_with(from: &str, to: &str) -> Note {
    let (before, after) = (note(), note().replacen(from, to, 1));
    assert_ne!(before, after);
    after.parse().unwrap()
}

/// Keys of types that cannot be verified here are read, stored and written back: 0x02 of Rekor, 0x05 of a log of
/// Certificate Transparency.
#[test]
fn published_keys_of_other_types() {
    for (key, signature_type) in [
        (
            "rekor.sigstore.dev+c0d23d6a+AjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNhtmPtrWm3U1eQXBogSMdGvXwBcK5AW5i0hrZLOC96l+smGNM7nwZ4QvFK/4sueRoVj//QP22Ni4Qt9DPfkWLc=",
            0x02,
        ),
        (
            "ct.googleapis.com/logs/us1/argon2024+7deb49d0+BTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABB25bKnLaZTFXOa2pgO70rjcVEMXKJkMBgFQHZ1kwFlGK9zIAx0FtC2oCfeZQe0E++VXuiYE9hFSzhRlOy92K8A=",
            0x05,
        ),
    ] {
        let read: VerifierKey = key.parse().unwrap();
        assert_eq!((read.signature_type(), read.can_verify()), (SignatureType::Other(signature_type), false));
        assert_eq!(read.to_string(), key);
    }
}
