//! Verifier keys: the public half of a key with its name and type, as people paste it into a configuration.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use thiserror::Error;

use super::cosignature::{self, CosignedAt};
use super::key_name::{KeyName, KeyNameError};
use super::signature::{KeyId, Signature};
use super::text::NoteText;
use crate::ed25519::{Ed25519Error, PublicKey};
use crate::serde_as_text::serde_as_text;

/// The known signature types. C2SP signed-note, "Signature types".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SignatureType {
    /// 0x01: Ed25519 over the text of the note.
    Ed25519,
    /// 0x04: Ed25519 over the text and a time, with which a witness or another cosigner confirms a checkpoint.
    CosignatureV1,
    /// Any other byte, such as 0x06 for ML-DSA-44. Such keys can be stored and named; their signatures are ignored.
    Other(u8),
}

/// A key that signatures can be verified with. Displayed and read as `name+id+base64(type || public key)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VerifierKey {
    name: KeyName,
    id: KeyId,
    material: Material,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Material {
    Ed25519(PublicKey),
    CosignatureV1(PublicKey),
    Other { signature_type: u8, public: Box<[u8]> },
}

/// A key whose signature of a note was verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifiedKey<'k> {
    /// The key.
    pub key: &'k VerifierKey,
    /// The key's own time of signing; none for types without a time.
    pub time: Option<CosignedAt>,
}

/// An error in the text of a verifier key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum VkeyError {
    /// Not three parts.
    #[error("a verifier key is written name+id+key, such as example.com/log+530d903a+AekyeRrm56hApGFk...")]
    NotAVkey,
    /// Its name is not the name of a key.
    #[error(transparent)]
    Name(#[from] KeyNameError),
    /// The id is not eight lower-case hex digits, or not that of this name and key.
    #[error("the id in the verifier key is not the one of its name and key: a part of it was altered")]
    WrongId,
    /// The last part is not base64, or not a key of its type.
    #[error("the last part of a verifier key is the base64 of its type and its public key")]
    NotBase64,
    /// The public key is not a key, or weak.
    #[error(transparent)]
    Key(#[from] Ed25519Error),
}

const ED25519: u8 = 0x01;
const COSIGNATURE_V1: u8 = 0x04;
const ML_DSA_44: u8 = 0x06;

impl SignatureType {
    /// The byte in keys and key ids.
    #[must_use]
    pub const fn byte(self) -> u8 {
        match self {
            Self::Ed25519 => ED25519,
            Self::CosignatureV1 => COSIGNATURE_V1,
            Self::Other(byte) => byte,
        }
    }

    /// The type for a byte.
    #[must_use]
    pub const fn from_byte(byte: u8) -> Self {
        match byte {
            ED25519 => Self::Ed25519,
            COSIGNATURE_V1 => Self::CosignatureV1,
            _ => Self::Other(byte),
        }
    }
}

impl VerifierKey {
    /// A key that signs notes as they are (type 0x01).
    #[must_use]
    pub fn ed25519(name: KeyName, public: PublicKey) -> Self {
        let id = KeyId::of(&name, ED25519, public.bytes());
        Self { name, id, material: Material::Ed25519(public) }
    }

    /// A cosigner's key, such as a witness's (type 0x04).
    #[must_use]
    pub fn cosignature_v1(name: KeyName, public: PublicKey) -> Self {
        let id = KeyId::of(&name, COSIGNATURE_V1, public.bytes());
        Self { name, id, material: Material::CosignatureV1(public) }
    }

    /// The owner of the key. By custom, the name of a log's key is the log's origin.
    #[must_use]
    pub const fn name(&self) -> &KeyName {
        &self.name
    }

    /// The id of the key among those of that name.
    #[must_use]
    pub const fn id(&self) -> KeyId {
        self.id
    }

    /// The type of its signatures.
    #[must_use]
    pub const fn signature_type(&self) -> SignatureType {
        match &self.material {
            Material::Ed25519(_) => SignatureType::Ed25519,
            Material::CosignatureV1(_) => SignatureType::CosignatureV1,
            Material::Other { signature_type, .. } => SignatureType::Other(*signature_type),
        }
    }

    /// The public key's bytes, without the type.
    #[must_use]
    pub fn public(&self) -> &[u8] {
        match &self.material {
            Material::Ed25519(public) | Material::CosignatureV1(public) => public.bytes(),
            Material::Other { public, .. } => public,
        }
    }

    /// True if this module can verify its signatures; they are ignored otherwise.
    #[must_use]
    pub const fn can_verify(&self) -> bool {
        !matches!(self.material, Material::Other { .. })
    }

    /// True if the line has this key's name and id.
    #[must_use]
    pub fn is_named_by(&self, line: &Signature) -> bool {
        *line.name() == self.name && line.id() == self.id
    }

    /// Verifies one line under a text.
    ///
    /// # Errors
    /// [`Ed25519Error::BadSignature`] if it is not this key's signature of this text, or of a type that this module
    /// cannot verify.
    pub fn verify(&self, text: &NoteText, line: &Signature) -> Result<VerifiedKey<'_>, Ed25519Error> {
        if !self.is_named_by(line) {
            return Err(Ed25519Error::BadSignature);
        }
        let time = match &self.material {
            Material::Ed25519(public) => public.verify(text.as_str().as_bytes(), line.bytes()).map(|()| None)?,
            Material::CosignatureV1(public) => Some(cosignature::verify(public, text, line.bytes())?),
            Material::Other { .. } => return Err(Ed25519Error::BadSignature),
        };
        Ok(VerifiedKey { key: self, time })
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = [&[self.signature_type().byte()], self.public()].concat();
        write!(f, "{}+{}+{}", self.name, self.id, STANDARD.encode(key))
    }
}

impl FromStr for VerifierKey {
    type Err = VkeyError;

    fn from_str(text: &str) -> Result<Self, VkeyError> {
        let (name, rest) = text.split_once('+').ok_or(VkeyError::NotAVkey)?;
        let (id, key) = rest.split_once('+').ok_or(VkeyError::NotAVkey)?;
        let name: KeyName = name.parse()?;
        let key = STANDARD.decode(key).map_err(|_| VkeyError::NotBase64)?;
        let (&signature_type, public) = key.split_first().ok_or(VkeyError::NotBase64)?;
        let ed25519 = || Ok::<_, VkeyError>(PublicKey::read(public.try_into().map_err(|_| VkeyError::NotBase64)?)?);
        let material = match signature_type {
            ED25519 => Material::Ed25519(ed25519()?),
            COSIGNATURE_V1 => Material::CosignatureV1(ed25519()?),
            _ => Material::Other { signature_type, public: public.into() },
        };
        let read = Self { id: read_id(id)?, name, material };
        // Ids of other types are made in unknown ways: 0x02 hashes another encoding of its key.
        let checked = read.can_verify() || signature_type == ML_DSA_44;
        if checked && read.id != KeyId::of(&read.name, signature_type, public) {
            return Err(VkeyError::WrongId);
        }
        Ok(read)
    }
}

serde_as_text!(VerifierKey);

pub(super) fn read_id(text: &str) -> Result<KeyId, VkeyError> {
    let mut bytes = [0; 4];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| VkeyError::WrongId)?;
    let id = KeyId::new(bytes);
    if id.to_string() == text { Ok(id) } else { Err(VkeyError::WrongId) }
}
