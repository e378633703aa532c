//! Signed notes (C2SP signed-note): a text, a blank line, and a line for each signature.
//!
//! Reading proves nothing. No program may act upon a text before [`Note::verify`] has found a key that the reader
//! trusts for it. A note that was read is written back byte for byte.

pub mod cosignature;
mod key_name;
mod signature;
mod signer;
mod text;
mod verifier;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

pub use key_name::{KeyName, KeyNameError};
pub use signature::{KeyId, Signature, SignatureError};
pub use signer::{SignerError, SignerKey};
pub(crate) use signer::{read_private, write_private};
pub use text::{NoteText, NoteTextError};
pub use verifier::{SignatureType, VerifiedKey, VerifierKey, VkeyError};

/// The longest accepted note, in bytes. It has room for 100 post-quantum signatures, and is the same limit as Go's.
pub const NOTE_MAX_BYTES: usize = 1_000_000;

/// The most signatures of a note; the specification asks for room for at least 16.
pub const NOTE_MAX_SIGNATURES: usize = 100;

/// A text and the signatures under it, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    text: NoteText,
    signatures: Vec<Signature>,
}

/// An error in the bytes of a signed note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoteError {
    /// Longer than [`NOTE_MAX_BYTES`].
    #[error("a note has at most {NOTE_MAX_BYTES} bytes")]
    TooLong,
    /// Not UTF-8.
    #[error("a note is UTF-8")]
    NotUtf8,
    /// No blank line separates text and signatures.
    #[error("a note has a blank line between its text and its signatures")]
    NoBlankLine,
    /// The text is not the text of a note.
    #[error(transparent)]
    Text(#[from] NoteTextError),
    /// Nothing after the blank line, or a last line without its end.
    #[error("a note ends with one or more signature lines, each with its line break")]
    NoSignatures,
    /// More than [`NOTE_MAX_SIGNATURES`].
    #[error("a note has at most {NOTE_MAX_SIGNATURES} signatures")]
    TooManySignatures,
    /// A line is not a signature.
    #[error(transparent)]
    Signature(#[from] SignatureError),
}

/// The reason why the signatures of a note are not accepted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VerifyError {
    /// A line names a known key, but is not its signature of this text. The whole note must be rejected.
    #[error("the signature line of {0} is not its signature of this text")]
    BadSignature(KeyName),
    /// No line is by one of the given keys.
    #[error("the note bears no signature of a known key")]
    NoKnownKey,
}

impl Note {
    /// Signs a text.
    #[must_use]
    pub fn sign(text: NoteText, key: &SignerKey) -> Self {
        let signature = key.sign(&text);
        Self { text, signatures: vec![signature] }
    }

    /// A text with a signature from elsewhere. Nothing is verified.
    #[must_use]
    pub fn with_signature(text: NoteText, signature: Signature) -> Self {
        Self { text, signatures: vec![signature] }
    }

    /// Adds a signature line at the end, unless the same line is already there. Nothing is verified.
    ///
    /// # Errors
    /// [`NoteError::TooManySignatures`] if there is no room for it.
    pub fn add(&mut self, signature: Signature) -> Result<(), NoteError> {
        if self.signatures.contains(&signature) {
            return Ok(());
        }
        if self.signatures.len() >= NOTE_MAX_SIGNATURES {
            return Err(NoteError::TooManySignatures);
        }
        self.signatures.push(signature);
        Ok(())
    }

    /// Reads a note without verifying its signatures.
    pub fn read(bytes: &[u8]) -> Result<Self, NoteError> {
        if bytes.len() > NOTE_MAX_BYTES {
            return Err(NoteError::TooLong);
        }
        let note = std::str::from_utf8(bytes).map_err(|_| NoteError::NotUtf8)?;
        // The text may contain blank lines itself; the last one separates.
        let blank = note.rfind("\n\n").ok_or(NoteError::NoBlankLine)?;
        let (text, rest) = note.split_at_checked(blank + 1).ok_or(NoteError::NoBlankLine)?;
        let text = text.parse()?;
        let lines = rest.strip_prefix('\n').ok_or(NoteError::NoBlankLine)?;
        Ok(Self { text, signatures: Signature::read_lines(lines)? })
    }

    /// The text that is signed.
    #[must_use]
    pub const fn text(&self) -> &NoteText {
        &self.text
    }

    /// The signatures in the order of their lines, verified or not.
    #[must_use]
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    /// Verifies the lines of known keys. Returns the keys that signed, each once, in the order of their first lines.
    /// Lines of unknown keys are ignored, even if they share a name or an id with a known one; so are lines of
    /// [types](SignatureType::Other) that this module cannot verify. If a key signed twice, the latest time is
    /// returned.
    ///
    /// # Errors
    /// [`VerifyError::BadSignature`] if any line of a known key is false, [`VerifyError::NoKnownKey`] if there is no
    /// line of one.
    pub fn verify<'k>(
        &self,
        known: impl IntoIterator<Item = &'k VerifierKey>,
    ) -> Result<Vec<VerifiedKey<'k>>, VerifyError> {
        let signed = self.verify_any(known)?;
        if signed.is_empty() { Err(VerifyError::NoKnownKey) } else { Ok(signed) }
    }

    /// The same, but without an error if no known key signed.
    pub fn verify_any<'k>(
        &self,
        known: impl IntoIterator<Item = &'k VerifierKey>,
    ) -> Result<Vec<VerifiedKey<'k>>, VerifyError> {
        let known: Vec<&VerifierKey> = known.into_iter().filter(|key| key.can_verify()).collect();
        let mut signed: Vec<VerifiedKey<'k>> = Vec::new();
        for line in &self.signatures {
            let mut keys = known.iter().copied().filter(|key| key.is_named_by(line)).peekable();
            if keys.peek().is_none() {
                continue;
            }
            let found = keys.find_map(|key| key.verify(&self.text, line).ok());
            let found = found.ok_or_else(|| VerifyError::BadSignature(line.name().clone()))?;
            match signed.iter_mut().find(|earlier| earlier.key == found.key) {
                Some(earlier) => earlier.time = earlier.time.max(found.time),
                None => signed.push(found),
            }
        }
        Ok(signed)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures.iter().try_for_each(|signature| writeln!(f, "{signature}"))
    }
}

impl FromStr for Note {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<Self, NoteError> {
        Self::read(text.as_bytes())
    }
}

#[cfg(test)]
mod tests;
