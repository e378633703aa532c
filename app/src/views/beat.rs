//! The moments of a row of the score sheet.

use std::borrow::Cow;
use std::str::FromStr;

use ledger::MatchId;
use record::SheetRow;

use super::match_address;

/// A moment of a row. A row of several acts, such as bets in turn, has a moment after each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    Before,
    Choices,
    Act(u16),
    After,
}

impl Beat {
    pub const ALL: [Self; 3] = [Self::Before, Self::Choices, Self::After];

    #[must_use]
    pub fn of(row: &SheetRow<'_>) -> Vec<Self> {
        match u16::try_from(row.steps.len()) {
            Ok(acts @ 2..) => [Self::Before].into_iter().chain((1..acts).map(Self::Act)).chain([Self::After]).collect(),
            _ => Self::ALL.to_vec(),
        }
    }

    #[must_use]
    pub fn word(self) -> Cow<'static, str> {
        match self {
            Self::Before => "before".into(),
            Self::Choices => "choices".into(),
            Self::Act(number) => format!("act-{number}").into(),
            Self::After => "after".into(),
        }
    }

    #[must_use]
    pub fn words(self) -> Cow<'static, str> {
        match self {
            Self::Act(number) => format!("act {number}").into(),
            other => other.word(),
        }
    }

    #[must_use]
    pub fn title(self) -> Cow<'static, str> {
        match self {
            Self::Before => "Before".into(),
            Self::Choices => "Choices".into(),
            Self::Act(number) => format!("Act {number}").into(),
            Self::After => "After".into(),
        }
    }

    #[must_use]
    pub fn numeral(self) -> Cow<'static, str> {
        match self {
            Self::Before => "i".into(),
            Self::Choices => "ii".into(),
            Self::Act(number) => number.to_string().into(),
            Self::After => "iii".into(),
        }
    }

    #[must_use]
    pub const fn in_any_version(self) -> Self {
        match self {
            Self::Act(_) => Self::After,
            other => other,
        }
    }

    #[must_use]
    pub fn address(self, match_id: MatchId, label: &str) -> String {
        format!("{}/r/{label}/{}", match_address(match_id), self.word())
    }
}

impl FromStr for Beat {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        match word.strip_prefix("act-") {
            // One address for each: neither act-0 nor act-01.
            Some(number) if number.starts_with(|first: char| matches!(first, '1'..='9')) => {
                number.parse().map(Self::Act).map_err(|_| ())
            }
            _ => Self::ALL.into_iter().find(|beat| beat.word() == word).ok_or(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_moment_has_one_word() {
        for beat in [Beat::Before, Beat::Choices, Beat::Act(1), Beat::Act(120), Beat::After] {
            assert_eq!(beat.word().parse(), Ok(beat));
        }
        for word in ["act-0", "act-01", "act-", "act-+1", "act--1", "act-65536", "Act-1", "ii"] {
            assert_eq!(word.parse::<Beat>(), Err(()), "{word}");
        }
    }
}
