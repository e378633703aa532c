//! Texts that people write into the record, checked once for pages, programs and chat.
//!
//! A value of these types has passed its check; the errors are the sentences that people read.

use engine::Ruleset;
use record::limits::{NAME_MAX_CHARS, TEXT_MAX_CHARS, nameless, too_long};
use thiserror::Error;

/// The purpose of a public text; it decides what a missing text is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A ruling, with or without a result.
    Ruling,
    /// The reason of an act.
    Reason,
    /// A remark.
    Remark,
    /// A note for the umpires of a match alone.
    Note,
    /// An objection of a player.
    Objection,
    /// The source of an imported match.
    Source,
}

impl Purpose {
    /// The sentence for a missing text.
    const fn missing(self) -> &'static str {
        match self {
            Self::Ruling => "Say what was decided, and why: everybody reads it.",
            Self::Reason => "Say why: everybody reads it.",
            Self::Remark => "A remark says something.",
            Self::Note => "A note says something.",
            Self::Objection => "Say what you did send: everybody reads it.",
            Self::Source => "Say where it comes from: everybody reads it.",
        }
    }
}

/// The error in a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TextError {
    /// There is none.
    #[error("{0}")]
    Missing(&'static str),
    /// It is longer than the record takes.
    #[error("{0}")]
    TooLong(String),
}

/// A ruling, reason, remark, note, objection or source: 1 to 1,000 characters without white space around them, or
/// nothing where it may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulingText<'t>(&'t str);

impl<'t> RulingText<'t> {
    /// A text that must be there.
    ///
    /// # Errors
    /// It is empty, or too long.
    pub fn required(purpose: Purpose, text: &'t str) -> Result<Self, TextError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(TextError::Missing(purpose.missing()));
        }
        Self::optional(text)
    }

    /// A text that may be empty.
    ///
    /// # Errors
    /// It is too long, with the white space around it.
    pub fn optional(text: &'t str) -> Result<Self, TextError> {
        match too_long(text, TEXT_MAX_CHARS) {
            Some(long) => Err(TextError::TooLong(long)),
            None => Ok(Self(text.trim())),
        }
    }

    /// The text.
    #[must_use]
    pub const fn as_str(self) -> &'t str {
        self.0
    }
}

/// The error for a clause that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("The ruleset has no such clause.")]
pub struct UnknownClause;

/// The number of a clause that its ruleset has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownClause<'t>(&'t str);

impl<'t> KnownClause<'t> {
    /// The clause that a text names, by the id of its ruleset; none if the text is empty.
    ///
    /// # Errors
    /// The ruleset has no such clause.
    pub fn read(ruleset: &str, text: &'t str) -> Result<Option<Self>, UnknownClause> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let clauses = engine::ruleset(ruleset).map(Ruleset::clauses).unwrap_or_default();
        match clauses.iter().any(|known| known.number == text) {
            true => Ok(Some(Self(text))),
            false => Err(UnknownClause),
        }
    }

    /// Its number, such as `1.4`.
    #[must_use]
    pub const fn number(self) -> &'t str {
        self.0
    }
}

/// The error in the name of a player or an event.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// A player has none.
    #[error("Both players need a name.")]
    Missing,
    /// It is longer than the record takes.
    #[error("{0}")]
    TooLong(String),
    /// It would have no page: browsers read points in an address as a way up.
    #[error("A name of points alone has no page.")]
    Points,
    /// The other seat's name, in upper or lower case.
    #[error("Both seats have the same name. Nobody could tell them apart.")]
    Same,
}

/// Checks the name of an event, which may be empty.
///
/// # Errors
/// It is too long, or points alone.
pub fn check_event(name: &str) -> Result<(), NameError> {
    match too_long(name, NAME_MAX_CHARS) {
        Some(long) => Err(NameError::TooLong(long)),
        None if nameless(name) => Err(NameError::Points),
        None => Ok(()),
    }
}

/// Checks the name of a player.
///
/// # Errors
/// It is empty, too long, or points alone.
pub fn check_player(name: &str) -> Result<(), NameError> {
    if name.trim().is_empty() { Err(NameError::Missing) } else { check_event(name) }
}

/// Checks that two players can be told apart.
///
/// # Errors
/// They have the same name, in any case.
pub fn check_distinct(p1: &str, p2: &str) -> Result<(), NameError> {
    if p1.to_lowercase() == p2.to_lowercase() { Err(NameError::Same) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_required_text_has_one_to_a_thousand_characters() {
        let read = |text: &str| RulingText::required(Purpose::Reason, text).map(|text| text.as_str().to_owned());
        assert_eq!(read(" The chat is down. ").unwrap(), "The chat is down.");
        assert_eq!(read(" \n").unwrap_err().to_string(), "Say why: everybody reads it.");
        assert!(read(&"é".repeat(1000)).is_ok());
        let long = read(&"é".repeat(1001)).unwrap_err();
        assert_eq!(long.to_string(), "This has 1001 characters; 1000 are the most.");
    }

    #[test]
    fn an_optional_text_may_be_empty_and_not_longer() {
        assert_eq!(RulingText::optional(" ").unwrap().as_str(), "");
        assert!(RulingText::optional(&" ".repeat(1001)).is_err());
    }

    #[test]
    fn a_clause_is_one_of_its_ruleset() {
        let read = |text| {
            KnownClause::read("five-card-trick/dm-colosseum-2", text).map(|clause| clause.map(KnownClause::number))
        };
        assert_eq!(read(" 1.4 "), Ok(Some("1.4")));
        assert_eq!(read(""), Ok(None));
        assert_eq!(read("99.9"), Err(UnknownClause));
        assert_eq!(UnknownClause.to_string(), "The ruleset has no such clause.");
    }

    #[test]
    fn names_have_a_page_and_can_be_told_apart() {
        assert_eq!(check_player(""), Err(NameError::Missing));
        assert_eq!(check_event(""), Ok(()));
        assert_eq!(check_event(".."), Err(NameError::Points));
        assert_eq!(check_player(&"x".repeat(80)), Ok(()));
        let long = check_player(&"x".repeat(81)).unwrap_err();
        assert_eq!(long.to_string(), "This has 81 characters; 80 are the most.");
        assert_eq!(check_distinct("Ada", "ADA"), Err(NameError::Same));
        assert_eq!(check_distinct("Ada", "Bo"), Ok(()));
    }
}
