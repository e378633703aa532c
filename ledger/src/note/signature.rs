//! A signature line: em dash, name, base64 of key id and signature.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::key_name::{KeyName, KeyNameError};
use super::{NOTE_MAX_SIGNATURES, NoteError};

/// The first four bytes of a hash over a key, which identify it among keys of that name. Displayed as 8 lower-case hex
/// digits. An id proves nothing: anybody can find a second key with the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId([u8; 4]);

/// One line under a note. Only a [`VerifierKey`](super::VerifierKey) can check the signature. Displayed and read
/// without its line break.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Signature {
    name: KeyName,
    id: KeyId,
    bytes: Box<[u8]>,
}

/// An error in a signature line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SignatureError {
    /// Not an em dash, a space, a name, a space and the rest.
    #[error("a signature line is an em dash, the name of a key and base64, with single spaces between them")]
    NotALine,
    /// Its name is not the name of a key.
    #[error(transparent)]
    Name(#[from] KeyNameError),
    /// Another alphabet, missing padding, stray bits, or nothing after the key's id.
    #[error("a signature line ends with the base64 of four bytes for the key and of its signature")]
    NotBase64,
}

impl KeyId {
    /// Takes the four bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 4]) -> Self {
        Self(bytes)
    }

    /// The first four bytes of SHA-256(name || 0x0A || signature type || public key). C2SP signed-note, "Signatures".
    #[must_use]
    pub fn of(name: &KeyName, signature_type: u8, public: &[u8]) -> Self {
        let hash = Sha256::new()
            .chain_update(name.as_str())
            .chain_update([b'\n', signature_type])
            .chain_update(public)
            .finalize();
        let [a, b, c, d, ..]: [u8; 32] = hash.into();
        Self([a, b, c, d])
    }

    /// The four bytes, as in signature lines.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 4] {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl Signature {
    pub(crate) fn new(name: KeyName, id: KeyId, bytes: &[u8]) -> Self {
        Self { name, id, bytes: bytes.into() }
    }

    /// Reads lines that each end with a line break: the end of a note, or the answer of a witness.
    ///
    /// # Errors
    /// [`NoteError::NoSignatures`] for no line or an unfinished one, [`NoteError::TooManySignatures`], or the error in
    /// a line.
    pub fn read_lines(text: &str) -> Result<Vec<Self>, NoteError> {
        let lines = text.strip_suffix('\n').ok_or(NoteError::NoSignatures)?;
        if lines.split('\n').count() > NOTE_MAX_SIGNATURES {
            return Err(NoteError::TooManySignatures);
        }
        Ok(lines.split('\n').map(Self::from_str).collect::<Result<_, _>>()?)
    }

    /// The name of the claimed signer's key.
    #[must_use]
    pub const fn name(&self) -> &KeyName {
        &self.name
    }

    /// The id of the key among those of that name.
    #[must_use]
    pub const fn id(&self) -> KeyId {
        self.id
    }

    /// The bytes of the signature, without the key's id.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoded = STANDARD.encode([self.id.bytes().as_slice(), &self.bytes].concat());
        write!(f, "\u{2014} {} {encoded}", self.name)
    }
}

impl FromStr for Signature {
    type Err = SignatureError;

    fn from_str(line: &str) -> Result<Self, SignatureError> {
        let rest = line.strip_prefix("\u{2014} ").ok_or(SignatureError::NotALine)?;
        let (name, encoded) = rest.split_once(' ').ok_or(SignatureError::NotALine)?;
        let name = name.parse()?;
        let bytes = STANDARD.decode(encoded).map_err(|_| SignatureError::NotBase64)?;
        let (id, bytes) = bytes.split_first_chunk().ok_or(SignatureError::NotBase64)?;
        if bytes.is_empty() {
            return Err(SignatureError::NotBase64);
        }
        Ok(Self::new(name, KeyId(*id), bytes))
    }
}
