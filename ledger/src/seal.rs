//! Seals: a commitment binds its maker to a value that nobody can read from it.
//!
//! `docs/record-format.md`, "Sealing". The key must be 32 fresh random bytes for every commitment. If a key is derived
//! or used twice, one of a few dozen possible values can be guessed.

use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use thiserror::Error;

use crate::hash::{Hash, HashError};
use crate::id::MatchId;
use crate::serde_as_text::{debug_hidden, secret_as_hex, serde_as_text};
use crate::word::{DecisionId, Field, Origin};

/// The key of one commitment: 32 random bytes, used once. Secret until the opening; `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct SealKey([u8; 32]);

/// HMAC-SHA256 over a [`SealMessage`]. Displayed and read as 64 lower-case hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Commitment(Hash);

/// The maker of a seal. Written `p1`, `p2` or `host`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sealer {
    /// The first seat.
    P1,
    /// The second seat.
    P2,
    /// The host: its shares of draws, and every text that may be withdrawn.
    Host,
}

/// The message of a commitment. It contains origin, match, decision, seat, field and asking entry, so that a copied
/// commitment cannot be opened anywhere else.
#[derive(Debug, Clone, Copy)]
pub struct SealMessage<'a> {
    /// The log's name.
    pub origin: &'a Origin,
    /// The match.
    pub match_id: MatchId,
    /// The decision that is answered.
    pub decision: &'a DecisionId,
    /// The party that answers.
    pub seat: Sealer,
    /// The part of the answer.
    pub field: &'a Field,
    /// The leaf hash of the entry that asked.
    pub asked: Hash,
    /// One line of canonical notation.
    pub value: &'a str,
}

/// The reason why something cannot be sealed or opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SealError {
    /// The value has a line break, so it could pass for another message.
    #[error("a sealed value is one line")]
    NotOneLine,
    /// Key and value do not give the commitment.
    #[error("this key and value do not open the seal")]
    DoesNotOpen,
    /// Not a key.
    #[error("the key of a seal is 64 lower-case hex digits")]
    NotAKey,
    /// Neither `p1`, `p2` nor `host`.
    #[error("a seal is made by p1, p2 or host")]
    NotASealer,
}

impl SealMessage<'_> {
    /// Seals the value: HMAC-SHA256 (RFC 2104) under the key over the lines of the message, without a final line break.
    pub fn seal(&self, key: &SealKey) -> Result<Commitment, SealError> {
        if self.value.contains('\n') {
            return Err(SealError::NotOneLine);
        }
        let Self { origin, match_id, decision, seat, field, asked, value } = self;
        let message = format!("matchbook/seal/1\n{origin}\n{match_id}\n{decision}\n{seat}\n{field}\n{asked}\n{value}");
        Ok(Commitment(hmac_sha256(&key.0, message.as_bytes())))
    }

    /// Checks that key and value open the commitment; takes the same time wherever they differ.
    ///
    /// # Errors
    /// [`SealError::DoesNotOpen`], or [`SealError::NotOneLine`] for a value that cannot have been sealed.
    pub fn open(&self, key: &SealKey, commitment: &Commitment) -> Result<(), SealError> {
        let made = self.seal(key)?;
        if made.0.bytes().ct_eq(commitment.0.bytes()).into() { Ok(()) } else { Err(SealError::DoesNotOpen) }
    }
}

/// HMAC-SHA256 (RFC 2104) under a key of 32 bytes.
pub(crate) fn hmac_sha256(key: &[u8; 32], message: &[u8]) -> Hash {
    // A key shorter than a block of 64 bytes is padded with zeros: RFC 2104, section 2.
    let block: [u8; 64] = std::array::from_fn(|at| key.get(at).copied().unwrap_or(0));
    let mac = Hmac::<Sha256>::new(&block.into()).chain_update(message);
    Hash::new(mac.finalize().into_bytes().into())
}

impl SealKey {
    /// A key of 32 fresh random bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes, for storage and openings.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl Commitment {
    /// A commitment of 32 bytes that somebody else made.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(Hash::new(bytes))
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        self.0.bytes()
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Commitment {
    type Err = HashError;

    fn from_str(text: &str) -> Result<Self, HashError> {
        text.parse().map(Self)
    }
}

impl fmt::Display for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::P1 => "p1",
            Self::P2 => "p2",
            Self::Host => "host",
        })
    }
}

impl FromStr for Sealer {
    type Err = SealError;

    fn from_str(text: &str) -> Result<Self, SealError> {
        match text {
            "p1" => Ok(Self::P1),
            "p2" => Ok(Self::P2),
            "host" => Ok(Self::Host),
            _ => Err(SealError::NotASealer),
        }
    }
}

secret_as_hex!(SealKey, SealError, SealError::NotAKey);
debug_hidden!(SealKey);
serde_as_text!(Commitment, Sealer);

#[cfg(test)]
mod tests {
    use super::*;

    /// A fresh message for every test that changes one part of it.
    fn with_message<T>(test: impl FnOnce(SealMessage<'_>) -> T) -> T {
        test(SealMessage {
            origin: &"localhost/matchbook-0123abcd".parse().unwrap(),
            match_id: "0197c5a4-6f1e-7000-8000-000000000001".parse().unwrap(),
            decision: &"r1".parse().unwrap(),
            seat: Sealer::P1,
            field: &"move".parse().unwrap(),
            asked: Hash::new([0x11; 32]),
            value: "take take",
        })
    }

    fn key() -> SealKey {
        SealKey::new(std::array::from_fn(|i| i as u8))
    }

    #[test]
    fn golden_commitment() {
        let commitment = with_message(|message| message.seal(&key())).unwrap();
        // The same by hand:
        // printf 'matchbook/seal/1\nlocalhost/matchbook-0123abcd\n0197c5a4-6f1e-7000-8000-000000000001\nr1\np1\nmove\n\
        // 1111111111111111111111111111111111111111111111111111111111111111\ntake take' |
        // openssl mac -digest SHA256 -macopt hexkey:000102...1f HMAC
        assert_eq!(commitment.to_string(), "020f31476c07a99a313c3fec7d784daf0b62ed3dbfa1199b5cba5a13648e0a00");
        assert_eq!(commitment.to_string().parse(), Ok(commitment));
    }

    #[test]
    fn opens_to_what_was_sealed_and_to_nothing_else() {
        with_message(|message| {
            let commitment = message.seal(&key()).unwrap();
            assert_eq!(message.open(&key(), &commitment), Ok(()));
            let refused = Err(SealError::DoesNotOpen);
            let origin = "elsewhere.example/log".parse().unwrap();
            assert_eq!(SealMessage { origin: &origin, ..message }.open(&key(), &commitment), refused);
            let match_id = "0197c5a4-6f1e-7000-8000-000000000002".parse().unwrap();
            assert_eq!(SealMessage { match_id, ..message }.open(&key(), &commitment), refused);
            let decision = "r2".parse().unwrap();
            assert_eq!(SealMessage { decision: &decision, ..message }.open(&key(), &commitment), refused);
            assert_eq!(SealMessage { seat: Sealer::P2, ..message }.open(&key(), &commitment), refused);
            let field = "target".parse().unwrap();
            assert_eq!(SealMessage { field: &field, ..message }.open(&key(), &commitment), refused);
            assert_eq!(SealMessage { asked: Hash::ZERO, ..message }.open(&key(), &commitment), refused);
            assert_eq!(SealMessage { value: "take", ..message }.open(&key(), &commitment), refused);
            for bit in 0..256 {
                let mut bytes = *key().bytes();
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(message.open(&SealKey::new(bytes), &commitment), refused);
                let mut bytes = *commitment.bytes();
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(message.open(&key(), &Commitment::new(bytes)), refused);
            }
        });
    }

    #[test]
    fn a_value_is_one_line_and_a_key_is_not_shown() {
        let refused = with_message(|message| SealMessage { value: "a\nb", ..message }.seal(&key()));
        assert_eq!(refused, Err(SealError::NotOneLine));
        assert_eq!(format!("{:?}", key()), "SealKey(..)");
        assert_eq!(SealKey::from_hex(&key().to_hex()), Ok(key()));
        assert_eq!(SealError::NotOneLine.to_string(), "a sealed value is one line");
        assert_eq!(SealError::DoesNotOpen.to_string(), "this key and value do not open the seal");
    }

    /// Every vector with a key of our size, and with a full or a truncated tag. Other key sizes never occur here.
    #[test]
    fn wycheproof() {
        let text = include_str!("../../fixtures/vectors/wycheproof/hmac_sha256_test.json");
        let vectors: serde_json::Value = serde_json::from_str(text).unwrap();
        let mut tried = 0;
        for group in vectors["testGroups"].as_array().unwrap().iter().filter(|group| group["keySize"] == 256) {
            for vector in group["tests"].as_array().unwrap() {
                let [key, msg, tag] = ["key", "msg", "tag"].map(|part| hex::decode(vector[part].as_str().unwrap()));
                let mac = hmac_sha256(&key.unwrap().try_into().unwrap(), &msg.unwrap());
                let bytes = group["tagSize"].as_u64().unwrap() as usize / 8;
                let valid = mac.bytes()[..bytes] == tag.unwrap();
                assert_eq!(valid, vector["result"] == "valid", "test {}", vector["tcId"]);
                tried += 1;
            }
        }
        assert_eq!(tried, 162, "the number of vectors with a 256-bit key");
    }
}
