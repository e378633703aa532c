//! Short texts with an alphabet of their own. None may contain a line break, because seals and notes are made of lines.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::serde_as_text::serde_as_text;

/// The reason why a text is not the expected word. Each variant has the rule as a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WordError {
    /// Not a [`DecisionId`].
    #[error("a decision id is 1 to 32 characters of a-z, 0-9 and hyphen")]
    Decision,
    /// Not a [`Field`].
    #[error("a field is 1 to 64 characters of a-z, 0-9, hyphen, underscore and full stop")]
    Field,
    /// Not an [`Origin`].
    #[error("an origin is 1 to 255 printable ASCII characters without a space or a plus sign")]
    Origin,
    /// Not an [`UmpireId`].
    #[error("an umpire's id is 1 to 32 characters of a-z and 0-9")]
    Umpire,
}

macro_rules! word {
    ($(#[$doc:meta])* $name:ident, $error:ident, 1..=$max:literal, |$byte:ident| $allowed:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = WordError;

            fn from_str(text: &str) -> Result<Self, WordError> {
                let fits = (1..=$max).contains(&text.len()) && text.bytes().all(|$byte| $allowed);
                if fits { Ok(Self(text.into())) } else { Err(WordError::$error) }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        serde_as_text!($name);
    };
}

word! {
    /// A decision of a match: a short word, unique in it.
    DecisionId, Decision, 1..=32, |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')
}

word! {
    /// One part of a submission that is sealed separately.
    Field, Field, 1..=64, |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.')
}

word! {
    /// The name of a log, as in C2SP tlog-checkpoint: a URL without a scheme, which is never fetched.
    Origin, Origin, 1..=255, |byte| byte.is_ascii_graphic() && byte != b'+'
}

word! {
    /// The pseudonym of an umpire. The record does not say who it is.
    UmpireId, Umpire, 1..=32, |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9')
}

const PRACTICE: &str = "/practice";

impl Origin {
    /// The name of the log of practice matches beside this log. Its matches were never official, and nobody signs it.
    pub fn practice(&self) -> Result<Self, WordError> {
        format!("{self}{PRACTICE}").parse()
    }

    /// The name of the log in its later term of this number, from 2.
    pub fn later(&self, number: u32) -> Result<Self, WordError> {
        format!("{self}/{number}").parse()
    }

    /// True if it names a log of practice matches.
    #[must_use]
    pub fn is_practice(&self) -> bool {
        self.as_str().ends_with(PRACTICE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_to_their_alphabet() {
        assert_eq!("r14-replay".parse::<DecisionId>().unwrap().as_str(), "r14-replay");
        assert_eq!("board.17".parse::<Field>().unwrap().to_string(), "board.17");
        assert!("localhost/matchbook-0123abcd".parse::<Origin>().is_ok());
    }
}
