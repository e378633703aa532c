use ed25519_dalek::{Signer, SigningKey};

use super::*;

const SITE: &str = "https://record.example.org";
const CHALLENGE: &str = "Y2hhbGxlbmdl";
/// SubjectPublicKeyInfo of Ed25519, before the key's 32 bytes.
const ED25519_KEY: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// A device and its browser. They say what the site asked for, but for what a test changes.
#[derive(Clone)]
struct Device {
    id: Vec<u8>,
    key: SigningKey,
    name: &'static str,
    origin: &'static str,
    purpose: Option<&'static str>,
    challenge: &'static str,
    cross_origin: bool,
    flags: u8,
    counter: u32,
}

impl Device {
    fn new() -> Self {
        Self {
            id: b"a passkey".to_vec(),
            key: SigningKey::from_bytes(&[7; 32]),
            name: "record.example.org",
            origin: SITE,
            purpose: None,
            challenge: CHALLENGE,
            cross_origin: false,
            flags: USER_PRESENT_AND_VERIFIED,
            counter: 0,
        }
    }

    fn answered<T>(&self, purpose: &str, flags: u8, more: &[u8], rest: impl FnOnce(&[u8]) -> T) -> Answered<T> {
        let client = serde_json::json!({
            "type": self.purpose.unwrap_or(purpose), "challenge": self.challenge, "origin": self.origin,
            "crossOrigin": self.cross_origin, "a field of a later browser": 1,
        });
        let client = client.to_string().into_bytes();
        let data = [&Sha256::digest(self.name), [flags].as_slice(), &self.counter.to_be_bytes(), more].concat();
        let signed = [data.as_slice(), &Sha256::digest(&client)].concat();
        let id = Encoded(self.id.clone());
        Answered { id, client_data: Encoded(client), authenticator_data: Encoded(data), rest: rest(&signed) }
    }

    fn new_passkey(&self) -> Answered<Key> {
        let length = u16::try_from(self.id.len()).unwrap().to_be_bytes();
        let more = [&[0; 16], length.as_slice(), &self.id, b"the key in CBOR"].concat();
        let key = [ED25519_KEY.as_slice(), self.key.verifying_key().as_bytes()].concat();
        let key = Key { key: Encoded(key), algorithm: -8, counter: 99 };
        self.answered("webauthn.create", self.flags | HAS_CREDENTIAL, &more, |_| key)
    }

    fn proof(&self) -> Answered<Proof> {
        let sign = |signed: &[u8]| Encoded(self.key.sign(signed).to_bytes().to_vec());
        let user = Encoded(b"somebody".to_vec());
        self.answered("webauthn.get", self.flags, &[], |signed| Proof { signature: sign(signed), user })
    }

    fn registers(&self) -> Result<Key, Error> {
        Passkeys::at(SITE).unwrap().register(CHALLENGE, self.new_passkey())
    }
}

fn prove(proof: &Answered<Proof>, known: &Key) -> Result<Key, Error> {
    Passkeys::at(SITE).unwrap().prove(CHALLENGE, proof, known.clone())
}

/// What is refused, and how an answer is altered to be so.
type Case<T> = (Error, fn(&mut T));

#[test]
fn a_passkey_is_added_and_signs_in_and_its_counter_is_kept() {
    let mut device = Device::new();
    let stored = device.registers().unwrap();
    assert_eq!(stored.counter, 0, "what the device says counts, not the page");
    let text = serde_json::to_string(&stored).unwrap();
    assert_eq!(serde_json::from_str::<Key>(&text).unwrap(), stored);
    // Devices that do not count say zero each time.
    assert_eq!(prove(&device.proof(), &stored), Ok(stored.clone()));
    device.counter = 3;
    let used = prove(&device.proof(), &stored).unwrap();
    assert_eq!(used.counter, 3);
    assert_eq!(prove(&device.proof(), &used), Err(Error::Copied));
    device.counter = 0;
    assert_eq!(prove(&device.proof(), &used), Err(Error::Copied));
}

#[test]
fn an_answer_that_is_not_for_this_site_and_challenge_is_refused() {
    let cases: [Case<Device>; 10] = [
        (Error::OtherPurpose, |device| device.purpose = Some("payment.get")),
        (Error::OtherChallenge, |device| device.challenge = "b3RoZXI"),
        (Error::OtherOrigin, |device| device.origin = "https://record.example.org.evil.example"),
        (Error::OtherOrigin, |device| device.origin = "http://record.example.org"),
        (Error::OtherOrigin, |device| device.origin = "https://record.example.org:8443"),
        (Error::OtherOrigin, |device| device.cross_origin = true),
        (Error::OtherName, |device| device.name = "example.org"),
        (Error::Unverified, |device| device.flags = 0b001),
        (Error::Unverified, |device| device.flags = 0b100),
        (Error::Contradiction, |device| device.flags |= BACKED_UP),
    ];
    let stored = Device::new().registers().unwrap();
    for (error, change) in cases {
        let mut device = Device::new();
        change(&mut device);
        assert_eq!((device.registers(), prove(&device.proof(), &stored)), (Err(error), Err(error)));
    }
    let backed_up = Device { flags: USER_PRESENT_AND_VERIFIED | BACKUP, ..Device::new() };
    assert!(prove(&backed_up.proof(), &stored).is_ok());
    // An answer of one kind is none of the other.
    let swapped = Device { purpose: Some("webauthn.get"), ..Device::new() };
    assert_eq!(swapped.registers(), Err(Error::OtherPurpose));
}

#[test]
fn a_new_passkey_needs_its_own_id_and_a_key_of_its_algorithm() {
    let cases: [Case<Answered<Key>>; 8] = [
        (Error::OtherId, |new| new.id = Encoded(b"another".to_vec())),
        (Error::OtherId, |new| new.authenticator_data.0[32] ^= HAS_CREDENTIAL),
        (Error::OtherId, |new| new.authenticator_data.0.truncate(60)),
        (Error::Unreadable, |new| new.authenticator_data.0.truncate(36)),
        (Error::Unreadable, |new| new.client_data = Encoded(b"{}".to_vec())),
        (Error::WrongKey, |new| new.rest.algorithm = -7),
        (Error::WrongKey, |new| new.rest.algorithm = -36),
        (Error::WrongKey, |new| new.rest.key.0.truncate(40)),
    ];
    for (at, (error, change)) in cases.into_iter().enumerate() {
        let mut new = Device::new().new_passkey();
        change(&mut new);
        assert_eq!(Passkeys::at(SITE).unwrap().register(CHALLENGE, new), Err(error), "case {at}");
    }
    for length in [0, ID_MAX + 1] {
        assert_eq!(Device { id: vec![1; length], ..Device::new() }.registers(), Err(Error::OtherId));
    }
}

#[test]
fn every_byte_that_was_signed_counts() {
    let stored = Device::new().registers().unwrap();
    let other = Device { key: SigningKey::from_bytes(&[8; 32]), ..Device::new() };
    assert_eq!(prove(&other.proof(), &stored), Err(Error::WrongSignature));
    for at in 0..64 {
        let mut bent = Device::new().proof();
        bent.rest.signature.0[at] ^= 1;
        assert_eq!(prove(&bent, &stored), Err(Error::WrongSignature), "byte {at}");
    }
    for at in 0..37 {
        let mut bent = Device::new().proof();
        bent.authenticator_data.0[at] ^= 0b1000;
        assert!(prove(&bent, &stored).is_err(), "byte {at}");
    }
    let mut bent = Device::new().proof();
    bent.client_data.0.push(b' ');
    assert_eq!(prove(&bent, &stored), Err(Error::WrongSignature));
}

#[test]
fn the_signatures_of_openssl_are_right_for_their_algorithm_alone() {
    let read = |text: &str| Encoded::try_from(text.to_owned()).unwrap();
    for line in include_str!("signatures.txt").lines().filter(|line| !line.starts_with('#')) {
        let [number, key, signature] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let signature = read(signature).0;
        let key = |algorithm| Key { key: read(key), algorithm, counter: 0 };
        for (algorithm, _) in ALGORITHMS {
            let expected = if algorithm.to_string() == number { Ok(()) } else { Err(Error::WrongKey) };
            assert_eq!(key(algorithm).verify(b"signed by a device", &signature), expected, "{number} as {algorithm}");
        }
        let other = key(number.parse().unwrap()).verify(b"something else", &signature);
        assert_eq!(other, Err(Error::WrongSignature), "{number}");
    }
}
