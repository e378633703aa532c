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
    let parts: Vec<&str> = private.splitn(5, '+').collect();
    let [_, _, name, id, seed] = parts[..] else { panic!("five parts") };
    for (text, refused) in [
        (String::new(), SignerError::NotAKey),
        (format!("PRIVATE+KEY+{name}"), SignerError::NotAKey),
        (format!("PRIVATE+KEY+{name}+{id}"), SignerError::NotAKey),
        (format!("PRIVATE+KEY++{id}+{seed}"), SignerError::Name(KeyNameError)),
        (format!("PRIVATE+KEY+{name}.org+{id}+{seed}"), SignerError::WrongId),
        (format!("PRIVATE+KEY+{name}+{}+{seed}", id.to_uppercase()), SignerError::WrongId),
        (format!("PRIVATE+KEY+{name}+{id}+{seed}\n"), SignerError::NotBase64),
        (format!("PRIVATE+KEY+{name}+{id}+AQ=="), SignerError::NotBase64),
    ] {
        assert_eq!(SignerKey::read(&text).unwrap_err(), refused, "{text}");
    }
    assert_eq!(format!("{key:?}"), format!("SignerKey(example.com/log+{id}, ..)"));
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
fn what_is_no_verifier_key() {
    for (text, refused) in [
        ("", VkeyError::NotAVkey),
        ("example.com/foo+530d903a", VkeyError::NotAVkey),
        (" +530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", VkeyError::Name(KeyNameError)),
        ("example.com/bar+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", VkeyError::WrongId),
        ("example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", VkeyError::WrongId),
        ("example.com/foo+530d903+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", VkeyError::WrongId),
        ("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2", VkeyError::NotBase64),
        ("example.com/foo+530d903a+", VkeyError::NotBase64),
        ("example.com/foo+530d903a+AQ==", VkeyError::NotBase64),
        (
            "example.com/foo+530d903a+AQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            VkeyError::Key(crate::ed25519::Ed25519Error::Weak),
        ),
    ] {
        assert_eq!(text.parse::<VerifierKey>(), Err(refused), "{text:?}");
    }
}

#[test]
fn what_is_no_note() {
    let line = "\u{2014} a AAAAAAA=";
    for (note, refused) in [
        (String::new(), "a note has a blank line between its text and its signatures"),
        ("text\n".into(), "a note has a blank line between its text and its signatures"),
        ("text\n\n".into(), "a note ends with one or more signature lines, each with its line break"),
        (format!("text\n\n{line}"), "a note ends with one or more signature lines, each with its line break"),
        (format!("text\n{line}\n"), "a note has a blank line between its text and its signatures"),
        (format!("te\txt\n\n{line}\n"), "a note holds no control characters but line breaks"),
        (format!("text\r\n\n{line}\n"), "a note holds no control characters but line breaks"),
        (format!("text\n\n{}", format!("{line}\n").repeat(101)), "a note has at most 100 signatures"),
        (format!("{}\n\n{line}\n", "x".repeat(NOTE_MAX_BYTES)), "a note has at most 1000000 bytes"),
    ] {
        assert_eq!(note.parse::<Note>().unwrap_err().to_string(), refused, "{note:.40}");
    }
    assert_eq!(Note::read(b"\xff\n\n").unwrap_err().to_string(), "a note is UTF-8");
    let (shape, name, base64) = (
        "a signature line is an em dash, the name of a key and base64, with single spaces between them",
        "the name of a key is not empty, and has no spaces, plus signs or control characters",
        "a signature line ends with the base64 of four bytes for the key and of its signature",
    );
    for (line, refused) in [
        ("- a AAAAAAA=", shape),
        ("\u{2014}a AAAAAAA=", shape),
        ("\u{2014} a", shape),
        ("\u{2014}  a AAAAAAA=", name),
        ("\u{2014} a+b AAAAAAA=", name),
        ("\u{2014} a\u{3000}b AAAAAAA=", name),
        ("\u{2014} a\tb AAAAAAA=", name),
        ("\u{2014} a  AAAAAAA=", base64),
        ("\u{2014} a AAAAAAA", base64),
        ("\u{2014} a AAAAAAB=", base64),
        ("\u{2014} a AAAAAA==", base64),
        ("\u{2014} a AAAAAAA=\r", base64),
        ("\u{2014} a AAAAAAA= ", base64),
    ] {
        let refusal = format!("text\n\n{line}\n").parse::<Note>().unwrap_err();
        assert_eq!(refusal.to_string(), refused, "{line:?}");
    }
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
    assert_eq!("text".parse::<NoteText>().unwrap_err().to_string(), "the text of a note ends with a line break");
}

#[test]
fn sentences_about_keys() {
    let vkey = [VkeyError::NotAVkey, VkeyError::WrongId, VkeyError::NotBase64].map(|error| error.to_string());
    assert_eq!(
        vkey,
        [
            "a verifier key is written name+id+key, such as example.com/log+530d903a+AekyeRrm56hApGFk...",
            "the id in the verifier key is not the one of its name and key: a part of it was altered",
            "the last part of a verifier key is the base64 of its type and its public key",
        ]
    );
    let private = [SignerError::NotAKey, SignerError::WrongId, SignerError::NotBase64].map(|error| error.to_string());
    assert_eq!(
        private,
        [
            "a private key is written PRIVATE+KEY+name+id+key",
            "the id in the private key is not the one of its name and key: a part of it was altered",
            "the last part of a private key is the base64 of its type and of 32 bytes",
        ]
    );
    assert_eq!(VerifyError::NoKnownKey.to_string(), "the note bears no signature of a known key");
}
