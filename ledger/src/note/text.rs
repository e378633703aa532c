//! The text of a note: the bytes that are signed.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The content of a note: lines of UTF-8, each with its line break, without other control characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NoteText(Box<str>);

/// The reason why something is not the text of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoteTextError {
    /// No line break at the end.
    #[error("the text of a note ends with a line break")]
    NoLineBreak,
    /// A character below U+0020 other than the line break.
    #[error("a note holds no control characters but line breaks")]
    ControlCharacter,
}

impl NoteText {
    pub(crate) fn trusted(text: String) -> Self {
        Self(text.into())
    }

    /// The text, with its last line break.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for NoteText {
    type Err = NoteTextError;

    fn from_str(text: &str) -> Result<Self, NoteTextError> {
        if !text.ends_with('\n') {
            return Err(NoteTextError::NoLineBreak);
        }
        if text.bytes().any(|byte| byte < 0x20 && byte != b'\n') {
            return Err(NoteTextError::ControlCharacter);
        }
        Ok(Self(text.into()))
    }
}

impl fmt::Display for NoteText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
