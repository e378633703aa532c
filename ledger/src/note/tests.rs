use super::*;

/// The example of C2SP signed-note.
const VKEY: &str = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const EXAMPLE: &str = "This is an example message.\n\n\u{2014} example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

fn signer(name: &str, seed: u8) -> SignerKey {
    SignerKey::from_seed(name.parse().unwrap(), &[seed; 32])
}

fn text(text: &str) -> NoteText {
    text.parse().unwrap()
}

#[test]
fn the_published_example() {
    let key: VerifierKey = VKEY.parse().unwrap();
    assert_eq!(key.to_string(), VKEY);
    assert_eq!(key.signature_type(), SignatureType::Ed25519);
    let note: Note = EXAMPLE.parse().unwrap();
    assert_eq!(note.to_string(), EXAMPLE);
    assert_eq!(note.text().as_str(), "This is an example message.\n");
    assert_eq!(note.verify([&key]).unwrap(), [VerifiedKey { key: &key, time: None }]);
    let altered: Note = EXAMPLE.replace("message", "massage").parse().unwrap();
    let refused = altered.verify([&key]).unwrap_err();
    assert_eq!(refused.to_string(), "the signature line of example.com/foo is not its signature of this text");
}

#[test]
fn a_private_key_in_the_notation_of_go() {
    let key = signer("example.com/log", 9);
    let private = key.to_private_text();
    assert!(private.starts_with("PRIVATE+KEY+example.com/log+"));
    assert_eq!(SignerKey::read(&private).unwrap().verifier(), key.verifier());
    // A key pair that golang.org/x/mod/sumdb/note publishes with its tests.
    let go = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
    let go = SignerKey::read(go).unwrap();
    assert_eq!(go.verifier().to_string(), "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
    assert_eq!(format!("{key:?}"), "SignerKey(example.com/log+a4c3805a, ..)");
}

#[test]
fn unknown_keys_are_ignored_and_known_ones_must_hold() {
    let (log, other, same_name) =
        (signer("example.com/log", 1), signer("example.com/b", 2), signer("example.com/log", 3));
    let mut note = Note::sign(text("one\n\ntwo\n"), &log);
    note.add(other.sign(note.text())).unwrap();
    note.add(same_name.sign(&text("something else\n"))).unwrap();
    let read: Note = note.to_string().parse().unwrap();
    assert_eq!(read, note);
    assert_eq!(read.verify([log.verifier()]).unwrap(), [VerifiedKey { key: log.verifier(), time: None }]);
    assert_eq!(read.verify([other.verifier(), log.verifier()]).unwrap().len(), 2);
    let unknown = signer("example.com/log", 4);
    assert_eq!(read.verify([unknown.verifier()]), Err(VerifyError::NoKnownKey));
    assert_eq!(VerifyError::NoKnownKey.to_string(), "the note bears no signature of a known key");
    assert_eq!(read.verify_any([unknown.verifier()]), Ok(vec![]));
    let refused = Err(VerifyError::BadSignature("example.com/log".parse().unwrap()));
    assert_eq!(read.verify([log.verifier(), same_name.verifier()]), refused);
}

#[test]
fn a_key_that_signed_twice_is_named_once() {
    let log = signer("example.com/log", 1);
    let mut note = Note::sign(text("one\n"), &log);
    note.add(log.sign(note.text())).unwrap();
    assert_eq!(note.signatures().len(), 1);
    let line = note.signatures()[0].to_string();
    let twice: Note = format!("one\n\n{line}\n{line}\n").parse().unwrap();
    assert_eq!(twice.verify([log.verifier(), log.verifier()]).unwrap().len(), 1);
    // A second, false line of the same key is not hidden by the first.
    let bad = log.sign(&text("two\n")).to_string();
    let refused: Note = format!("one\n\n{line}\n{bad}\n").parse().unwrap();
    assert!(refused.verify([log.verifier()]).is_err());
}

#[test]
fn keys_of_other_types_are_kept_and_ignored() {
    let name: KeyName = "example.com/pq".parse().unwrap();
    let public = vec![5; 1312];
    let key = [&[0x06], public.as_slice()].concat();
    let encode = |key: &[u8]| base64::Engine::encode(&base64::engine::general_purpose::STANDARD, key);
    let vkey = format!("{name}+{}+{}", KeyId::of(&name, 6, &public), encode(&key));
    let read: VerifierKey = vkey.parse().unwrap();
    assert_eq!((read.signature_type(), read.can_verify()), (SignatureType::Other(6), false));
    assert_eq!(read.to_string(), vkey);
    let line = Signature::new(name.clone(), read.id(), &[0; 2428]);
    assert_eq!(Note::with_signature(text("one\n"), line).verify([&read]), Err(VerifyError::NoKnownKey));
    assert_eq!(format!("{name}+00000000+{}", encode(&key)).parse::<VerifierKey>(), Err(VkeyError::WrongId));
}

#[test]
fn a_note_has_limits_and_is_utf_8() {
    let line = "\u{2014} a AAAAAAA=";
    for (note, refused) in [
        (format!("text\n\n{}", format!("{line}\n").repeat(101)), "a note has at most 100 signatures"),
        (format!("{}\n\n{line}\n", "x".repeat(NOTE_MAX_BYTES)), "a note has at most 1000000 bytes"),
    ] {
        assert_eq!(note.parse::<Note>().unwrap_err().to_string(), refused, "{note:.40}");
    }
    assert_eq!(Note::read(b"\xff\n\n").unwrap_err().to_string(), "a note is UTF-8");
}

#[test]
fn the_last_blank_line_separates() {
    let line = "\u{2014} a AAAAAAA=";
    for said in ["\n", "\n\n", "text\n\n", "a\n\nb\n", &format!("a\n\n{line}\n")] {
        let note = format!("{said}\n{line}\n");
        let read: Note = note.parse().unwrap();
        assert_eq!(read.text().as_str(), said);
        assert_eq!(read.to_string(), note);
    }
}
