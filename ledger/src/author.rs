//! The author of an entry.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::serde_as_text::serde_as_text;
use crate::word::UmpireId;

/// The author of an entry. Written `p1`, `p2`, `host`, `server` or `umpire:<pseudonymous id>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Author {
    /// The first seat.
    P1,
    /// The second seat.
    P2,
    /// The host of the match, who seals the third share of every draw.
    Host,
    /// The program itself, such as when a deadline passes.
    Server,
    /// An umpire, under a pseudonym.
    Umpire(UmpireId),
}

/// The text names no author.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an entry is by p1, p2, host, server or umpire:<id of 1 to 32 characters of a-z and 0-9>")]
pub struct AuthorError;

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::P1 => f.write_str("p1"),
            Self::P2 => f.write_str("p2"),
            Self::Host => f.write_str("host"),
            Self::Server => f.write_str("server"),
            Self::Umpire(id) => write!(f, "umpire:{id}"),
        }
    }
}

impl FromStr for Author {
    type Err = AuthorError;

    fn from_str(text: &str) -> Result<Self, AuthorError> {
        match text {
            "p1" => Ok(Self::P1),
            "p2" => Ok(Self::P2),
            "host" => Ok(Self::Host),
            "server" => Ok(Self::Server),
            _ => {
                let id = text.strip_prefix("umpire:").ok_or(AuthorError)?;
                id.parse().map(Self::Umpire).map_err(|_| AuthorError)
            }
        }
    }
}

serde_as_text!(Author);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation() {
        for text in ["p1", "p2", "host", "server", "umpire:k3x9"] {
            assert_eq!(text.parse::<Author>().unwrap().to_string(), text);
        }
    }
}
