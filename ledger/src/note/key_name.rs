//! The name of a key, as in its signature lines.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::serde_as_text::serde_as_text;
use crate::word::Origin;

/// The owner of a key: by custom a URL without a scheme, which is never fetched. Not empty, without spaces of any
/// script, without a plus sign and without control characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyName(Box<str>);

/// The text is not the name of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the name of a key is not empty, and has no spaces, plus signs or control characters")]
pub struct KeyNameError;

impl KeyName {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for KeyName {
    type Err = KeyNameError;

    fn from_str(text: &str) -> Result<Self, KeyNameError> {
        let stray = |letter: char| letter.is_whitespace() || letter == '+' || letter < ' ';
        if text.is_empty() || text.contains(stray) { Err(KeyNameError) } else { Ok(Self(text.into())) }
    }
}

impl From<&Origin> for KeyName {
    /// The name of a log's key is its origin. The alphabet of origins is smaller.
    fn from(origin: &Origin) -> Self {
        Self(origin.as_str().into())
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

serde_as_text!(KeyName);
