//! A question that is put to both seats, or to one.

use alloc::format;
use alloc::string::String;

use super::scanner::Scanner;
use super::{AskId, Audience, Declaration, Question};
use crate::{Refusal, Seat};

/// A question, and the seats that it is put to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The question.
    pub ask: AskId,
    /// The seat that is asked; none for both.
    pub seat: Option<Seat>,
}

impl Asked {
    /// Reads `NAME both`, or `NAME p1` of a question to one seat.
    pub(super) fn read(words: &mut Scanner<'_>, game: &Declaration) -> Result<Self, Refusal> {
        let ask = AskId::read(words, &game.asks)?;
        let both = ask.of(&game.asks).is_some_and(|question| question.to == Audience::Both);
        if both {
            words.requires("both")?;
        }
        Ok(Self { ask, seat: if both { None } else { Some(words.seat()?) } })
    }

    /// `both`, `p1` or `p2`.
    #[must_use]
    pub const fn to(self) -> &'static str {
        match self.seat {
            Some(seat) => seat.word(),
            None => "both",
        }
    }

    pub(super) fn words(self, game: &Declaration) -> String {
        format!("{} {}", self.ask.name(&game.asks), self.to())
    }

    /// The question in the declaration.
    #[must_use]
    pub fn question(self, game: &Declaration) -> Option<&Question> {
        self.ask.of(&game.asks)
    }

    /// True if this seat is asked.
    #[must_use]
    pub fn asks(self, seat: Seat) -> bool {
        self.seat.is_none_or(|asked| asked == seat)
    }
}
