//! Signer keys: the private half, in the notation of `golang.org/x/mod/sumdb/note`.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use thiserror::Error;

use super::key_name::{KeyName, KeyNameError};
use super::signature::{KeyId, Signature};
use super::text::NoteText;
use super::verifier::{SignatureType, VerifierKey, read_id};
use crate::ed25519::SecretKey;

/// A key that signs notes as they are (type 0x01), such as a log's or a host's. Secret; `Debug` shows only its name.
#[derive(Clone)]
pub struct SignerKey {
    secret: SecretKey,
    verifier: VerifierKey,
}

/// An error in the text of a private key. No variant repeats any part of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SignerError {
    /// Not `PRIVATE+KEY+` and three parts.
    #[error("a private key is written PRIVATE+KEY+name+id+key")]
    NotAKey,
    /// Its name is not the name of a key.
    #[error(transparent)]
    Name(#[from] KeyNameError),
    /// The id is not that of this name and key.
    #[error("the id in the private key is not the one of its name and key: a part of it was altered")]
    WrongId,
    /// The last part is not the base64 of 33 bytes.
    #[error("the last part of a private key is the base64 of its type and of 32 bytes")]
    NotBase64,
    /// A key for another purpose.
    #[error("this private key makes signatures of type {found:#04x}, and {expected:#04x} is needed here")]
    WrongType {
        /// The byte of the expected purpose.
        expected: u8,
        /// The byte in the key.
        found: u8,
    },
}

impl SignerKey {
    /// Makes a key of 32 fresh random bytes.
    #[must_use]
    pub fn from_seed(name: KeyName, seed: &[u8; 32]) -> Self {
        let secret = SecretKey::from_seed(seed);
        let verifier = VerifierKey::ed25519(name, secret.public());
        Self { secret, verifier }
    }

    /// Reads `PRIVATE+KEY+name+id+base64(0x01 || seed)`.
    ///
    /// # Errors
    /// [`SignerError`], which never repeats what it read.
    pub fn read(text: &str) -> Result<Self, SignerError> {
        let (name, seed) = read_private(text, SignatureType::Ed25519)?;
        Ok(Self::from_seed(name, &seed))
    }

    /// Writes the text that [`SignerKey::read`] reads. Not `Display`, so that a key never slips into a message.
    #[must_use]
    pub fn to_private_text(&self) -> String {
        write_private(&self.verifier, &self.secret)
    }

    /// The public half.
    #[must_use]
    pub const fn verifier(&self) -> &VerifierKey {
        &self.verifier
    }

    /// Signs a text.
    #[must_use]
    pub fn sign(&self, text: &NoteText) -> Signature {
        let signature = self.secret.sign(text.as_str().as_bytes());
        Signature::new(self.verifier.name().clone(), self.verifier.id(), &signature)
    }
}

impl fmt::Debug for SignerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SignerKey({}+{}, ..)", self.verifier.name(), self.verifier.id())
    }
}

const PREFIX: &str = "PRIVATE+KEY+";

pub(crate) fn read_private(text: &str, expected: SignatureType) -> Result<(KeyName, [u8; 32]), SignerError> {
    let rest = text.strip_prefix(PREFIX).ok_or(SignerError::NotAKey)?;
    let (name, rest) = rest.split_once('+').ok_or(SignerError::NotAKey)?;
    let (id, key) = rest.split_once('+').ok_or(SignerError::NotAKey)?;
    let name: KeyName = name.parse()?;
    let key: [u8; 33] = STANDARD.decode(key).ok().and_then(|key| key.try_into().ok()).ok_or(SignerError::NotBase64)?;
    let [found, seed @ ..] = key;
    if found != expected.byte() {
        return Err(SignerError::WrongType { expected: expected.byte(), found });
    }
    // The id is that of the public key, so it shows that both halves belong together.
    let public = SecretKey::from_seed(&seed).public();
    let made = KeyId::of(&name, found, public.bytes());
    if read_id(id) == Ok(made) { Ok((name, seed)) } else { Err(SignerError::WrongId) }
}

pub(crate) fn write_private(verifier: &VerifierKey, secret: &SecretKey) -> String {
    let key = [&[verifier.signature_type().byte()], secret.seed().as_slice()].concat();
    format!("{PREFIX}{}+{}+{}", verifier.name(), verifier.id(), STANDARD.encode(key))
}
