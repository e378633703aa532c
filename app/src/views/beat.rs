//! The three beats of a round.

use std::str::FromStr;

use ledger::MatchId;

use super::match_address;

/// A moment of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    /// The state in which both are asked.
    Before,
    /// The choices that were sent.
    Choices,
    /// The state after the choices took effect.
    After,
}

impl Beat {
    /// All three, in order.
    pub const ALL: [Self; 3] = [Self::Before, Self::Choices, Self::After];

    /// The word in an address.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::Choices => "choices",
            Self::After => "after",
        }
    }

    /// The title on a page.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Before => "Before",
            Self::Choices => "Choices",
            Self::After => "After",
        }
    }

    #[must_use]
    /// Its numeral.
    pub const fn numeral(self) -> &'static str {
        match self {
            Self::Before => "i",
            Self::Choices => "ii",
            Self::After => "iii",
        }
    }

    /// The address of this beat in a round of a match. The round is given by its label in the score sheet, such as
    /// `7b`.
    #[must_use]
    pub fn address(self, match_id: MatchId, label: &str) -> String {
        format!("{}/r/{label}/{}", match_address(match_id), self.word())
    }
}

impl FromStr for Beat {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|beat| beat.word() == word).ok_or(())
    }
}
