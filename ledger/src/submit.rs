//! The message that a player signs: one submission, with the tree that the player had seen.
//!
//! `docs/record-format.md`, "Player keys". With the seat's key in the record, only its holder can make a submission
//! that counts. With the tree in the message, nobody can show two players different histories for long.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use thiserror::Error;

use crate::ed25519::{Ed25519Error, PublicKey, SecretKey};
use crate::hash::Hash;
use crate::id::{MatchId, TreeSize};
use crate::seal::{Commitment, Sealer};
use crate::serde_as_text::serde_as_text;
use crate::word::{DecisionId, Origin};

/// 16 bytes that a client chooses for one submission. Displayed and read as 32 lower-case hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubmitId(pub [u8; 16]);

/// The text is not a submit id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a submit id is 32 lower-case hex digits")]
pub struct SubmitIdError;

/// An Ed25519 public key of a seat or of a registered player (RFC 8032). Displayed and read as standard base64 of its 32 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerKey(PublicKey);

/// An Ed25519 signature of a seat or of a registered player. Displayed and read as standard base64 of its 64 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerSignature([u8; 64]);

/// A signature of a submission, with the parts of its message that the submission lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubmissionSignature {
    /// The seat's signature.
    pub signature: PlayerSignature,
    /// The size of the last tree that the player verified, and its root.
    pub seen: (TreeSize, Hash),
}

/// The content of a signature of a submission.
#[derive(Debug, Clone, Copy)]
pub struct SubmitMessage<'a> {
    /// The log's name.
    pub origin: &'a Origin,
    /// The match.
    pub match_id: MatchId,
    /// The decision that is answered.
    pub decision: &'a DecisionId,
    /// The seat that answers.
    pub seat: Sealer,
    /// One for every field, in field order.
    pub commitments: &'a [Commitment],
    /// The client's name for this submission.
    pub submit: SubmitId,
    /// The leaf hash of the entry that asked.
    pub asked: Hash,
    /// The size of the last tree that the player verified, and its root.
    pub seen: (TreeSize, Hash),
    /// True if the seat calls it final. Only then the message says anything of it, in its first and in its last line.
    pub is_final: bool,
}

pub(crate) const FINAL: &str = "final";

/// The reason why a key or a signature is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SubmitError {
    /// Not 32 bytes in base64, or not a point of the curve.
    #[error("a player's key is an Ed25519 public key: 32 bytes in base64")]
    NotAKey,
    /// A key of small order: its signatures fit messages that nobody signed.
    #[error("this key is weak: anybody can sign for it; make a new one")]
    WeakKey,
    /// Not 64 bytes in base64.
    #[error("a signature is 64 bytes in base64")]
    NotASignature,
    /// The signature is not by this key, or not of this message.
    #[error("this signature was not made with the seat's key for this submission")]
    NotSigned,
    /// The signature is not by this key, or not of this opening over this list.
    #[error("this signature was not made with the seat's key for this opening of a listed share")]
    NotOpened,
}

impl SubmitMessage<'_> {
    /// The lines that are signed, joined by `\n`, without a final line break.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { origin, match_id, decision, seat, commitments, submit, asked, seen: (size, root), is_final } = self;
        let version = if *is_final { 2 } else { 1 };
        let mut text = format!("matchbook/submit/{version}\n{origin}\n{match_id}\n{decision}\n{seat}\n");
        for commitment in *commitments {
            text.push_str(&format!("{commitment}\n"));
        }
        text.push_str(&format!("{submit}\n{asked}\n{size}\n{}", root.to_base64()));
        if *is_final {
            text.push_str(&format!("\n{FINAL}"));
        }
        text
    }

    /// Signs it.
    #[must_use]
    pub fn sign(&self, key: &SecretKey) -> PlayerSignature {
        PlayerSignature(key.sign(self.text().as_bytes()))
    }

    /// Checks a signature.
    pub fn check(&self, key: &PlayerKey, signature: &PlayerSignature) -> Result<(), SubmitError> {
        if key.signed(self.text().as_bytes(), signature) { Ok(()) } else { Err(SubmitError::NotSigned) }
    }
}

impl PlayerKey {
    /// A key from the 32 bytes of its public key.
    pub fn new(bytes: &[u8; 32]) -> Result<Self, SubmitError> {
        PublicKey::read(bytes).map(Self).map_err(|error| match error {
            Ed25519Error::Weak => SubmitError::WeakKey,
            Ed25519Error::NotAKey | Ed25519Error::BadSignature => SubmitError::NotAKey,
        })
    }

    /// The 32 bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 32] {
        self.0.bytes()
    }

    pub(crate) fn signed(&self, message: &[u8], signature: &PlayerSignature) -> bool {
        self.0.verify(message, &signature.0).is_ok()
    }
}

impl From<&SecretKey> for PlayerKey {
    /// The public half. A key that is made of a seed is never weak.
    fn from(secret: &SecretKey) -> Self {
        Self(secret.public())
    }
}

impl PlayerSignature {
    /// A signature of these 64 bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }

    /// The 64 bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 64] {
        &self.0
    }
}

impl fmt::Display for SubmitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for SubmitId {
    type Err = SubmitIdError;

    fn from_str(text: &str) -> Result<Self, SubmitIdError> {
        let mut id = Self([0; 16]);
        hex::decode_to_slice(text, &mut id.0).map_err(|_| SubmitIdError)?;
        if id.to_string() == text { Ok(id) } else { Err(SubmitIdError) }
    }
}

impl fmt::Display for PlayerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&STANDARD.encode(self.bytes()))
    }
}

impl FromStr for PlayerKey {
    type Err = SubmitError;

    fn from_str(text: &str) -> Result<Self, SubmitError> {
        let bytes = STANDARD.decode(text).map_err(|_| SubmitError::NotAKey)?;
        Self::new(&bytes.try_into().map_err(|_| SubmitError::NotAKey)?)
    }
}

impl fmt::Display for PlayerSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&STANDARD.encode(self.0))
    }
}

impl FromStr for PlayerSignature {
    type Err = SubmitError;

    fn from_str(text: &str) -> Result<Self, SubmitError> {
        let bytes = STANDARD.decode(text).map_err(|_| SubmitError::NotASignature)?;
        bytes.try_into().map(Self).map_err(|_| SubmitError::NotASignature)
    }
}

serde_as_text!(SubmitId, PlayerKey, PlayerSignature);

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> SecretKey {
        SecretKey::from_seed(&std::array::from_fn(|i| i as u8))
    }

    /// A fresh message for every test that changes one part of it.
    fn with_message<T>(test: impl FnOnce(SubmitMessage<'_>) -> T) -> T {
        test(SubmitMessage {
            origin: &"localhost/matchbook-0123abcd".parse().unwrap(),
            match_id: "0197c5a4-6f1e-7000-8000-000000000001".parse().unwrap(),
            decision: &"d1".parse().unwrap(),
            seat: Sealer::P1,
            commitments: &[Commitment::new([0xaa; 32]), Commitment::new([0xbb; 32])],
            submit: "000102030405060708090a0b0c0d0e0f".parse().unwrap(),
            asked: Hash::new([0x11; 32]),
            seen: (TreeSize(7), Hash::new([0x22; 32])),
            is_final: false,
        })
    }

    #[test]
    fn golden_message_and_signature() {
        let (text, signature) = with_message(|message| (message.text(), message.sign(&key())));
        let lines = [
            "matchbook/submit/1",
            "localhost/matchbook-0123abcd",
            "0197c5a4-6f1e-7000-8000-000000000001",
            "d1",
            "p1",
            &"aa".repeat(32),
            &"bb".repeat(32),
            "000102030405060708090a0b0c0d0e0f",
            &"11".repeat(32),
            "7",
            "IiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiI=",
        ];
        assert_eq!(text, lines.join("\n"));
        let public: PlayerKey = "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=".parse().unwrap();
        assert_eq!(public.bytes(), key().public().bytes());
        // The same by hand, with the private key 000102...1f in PEM:
        // openssl pkeyutl -sign -rawin -inkey key.pem -in message | base64
        let golden = "H2Y8n44jlXyU5dBfH9XGxedAyp4akSzRKXAnMFiHt7NnsJiI9Wt4KSV2isxfoaCHRgW/GLqSlLFe/Wna7SPQBQ==";
        assert_eq!(signature.to_string(), golden);
        assert_eq!(golden.parse(), Ok(signature));
    }

    #[test]
    fn a_final_message_differs_in_its_first_line_and_has_one_more() {
        let [text, of_final] =
            [false, true].map(|is_final| with_message(|message| SubmitMessage { is_final, ..message }.text()));
        assert_eq!(of_final, format!("{}\nfinal", text.replacen("submit/1", "submit/2", 1)));
    }

    #[test]
    fn a_signature_fits_its_message_and_no_other() {
        let public: PlayerKey = STANDARD.encode(key().public().bytes()).parse().unwrap();
        with_message(|message| {
            let signature = message.sign(&key());
            assert_eq!(message.check(&public, &signature), Ok(()));
            let refused = Err(SubmitError::NotSigned);
            let origin = "elsewhere.example/log".parse().unwrap();
            let other = "0197c5a4-6f1e-7000-8000-000000000002".parse().unwrap();
            let decision = "d2".parse().unwrap();
            for changed in [
                SubmitMessage { origin: &origin, ..message },
                SubmitMessage { match_id: other, ..message },
                SubmitMessage { decision: &decision, ..message },
                SubmitMessage { seat: Sealer::P2, ..message },
                SubmitMessage { commitments: &message.commitments[..1], ..message },
                SubmitMessage { submit: SubmitId([9; 16]), ..message },
                SubmitMessage { asked: Hash::ZERO, ..message },
                SubmitMessage { seen: (TreeSize(8), message.seen.1), ..message },
                SubmitMessage { seen: (message.seen.0, Hash::ZERO), ..message },
                SubmitMessage { is_final: true, ..message },
            ] {
                assert_eq!(changed.check(&public, &signature), refused, "{}", changed.text());
            }
            for bit in 0..512 {
                let mut bytes = *signature.bytes();
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(message.check(&public, &PlayerSignature::new(bytes)), refused, "bit {bit}");
            }
            let stranger = SecretKey::from_seed(&[7; 32]);
            assert_eq!(message.check(&public, &message.sign(&stranger)), refused);
        });
    }

    /// The eight points of small order, as listed for RFC 7748's curve. With the neutral element as key, a signature of
    /// zeros would fit every message.
    #[test]
    fn weak_keys_are_refused() {
        for weak in [
            "0100000000000000000000000000000000000000000000000000000000000000",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0000000000000000000000000000000000000000000000000000000000000080",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        ] {
            let bytes: [u8; 32] = hex::decode(weak).unwrap().try_into().unwrap();
            assert_eq!(PlayerKey::new(&bytes), Err(SubmitError::WeakKey), "{weak}");
        }
        let mut no_point = [0; 32];
        no_point[0] = 2;
        assert_eq!(PlayerKey::new(&no_point), Err(SubmitError::NotAKey));
    }

    #[test]
    fn each_has_one_notation() {
        let id: SubmitId = "000102030405060708090a0b0c0d0e0f".parse().unwrap();
        assert_eq!(id.to_string(), "000102030405060708090a0b0c0d0e0f");
    }

    #[test]
    fn sentences() {
        let weak = "this key is weak: anybody can sign for it; make a new one";
        assert_eq!(SubmitError::WeakKey.to_string(), weak);
        let stranger = "this signature was not made with the seat's key for this submission";
        assert_eq!(SubmitError::NotSigned.to_string(), stranger);
    }
}
