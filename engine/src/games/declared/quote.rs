//! A text that somebody says, in quotes. Texts are withdrawable, so a step is read without them, too.

use alloc::string::String;

use super::scanner::Scanner;
use crate::Refusal;
use crate::dmn::quotes::{WITHHELD, quoted};

/// A text of a player or the umpire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quote {
    /// The text itself.
    Said(String),
    /// Written `*`: it is a commitment, or was withdrawn.
    Withheld,
}

impl Quote {
    /// True if a text or its sign comes next.
    pub(super) fn is_next(words: &Scanner<'_>) -> bool {
        let text = words.peek().text;
        text == WITHHELD || text.starts_with('"')
    }

    pub(super) fn read(words: &mut Scanner<'_>, most: usize) -> Result<Self, Refusal> {
        if words.take(WITHHELD) { Ok(Self::Withheld) } else { words.quoted(most).map(Self::Said) }
    }

    /// In quotes, or `*` if it is withheld.
    pub(super) fn written(&self, withhold: bool) -> String {
        match self {
            Self::Said(text) if !withhold => quoted(text),
            _ => WITHHELD.into(),
        }
    }
}
