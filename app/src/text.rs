//! Texts that people write into the record, checked once for pages, programs and chat.
//!
//! A value of these types has passed its check; the errors are the sentences that people read.

use std::fmt;

use engine::{BySeat, Ruleset};
use record::limits::{NAME_MAX_CHARS, TEXT_MAX_CHARS, nameless, too_long};
use record::name_key;
use thiserror::Error;

use crate::common_clauses::named_clauses;
use crate::likeness::{are_alike, is_blank, unseen};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Ruling,
    Reason,
    Remark,
    Note,
    Objection,
    Source,
    Names,
}

impl Purpose {
    const fn missing(self) -> &'static str {
        match self {
            Self::Ruling => "Say what was decided, and why: everybody reads it.",
            Self::Reason => "Say why: everybody reads it.",
            Self::Remark => "A remark says something.",
            Self::Note => "A note says something.",
            Self::Objection => "Say what you did send: everybody reads it.",
            Self::Source => "Say where it comes from: everybody reads it.",
            Self::Names => "Say why: other umpires read it.",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TextError {
    #[error("{0}")]
    Missing(&'static str),
    #[error("{0}")]
    TooLong(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulingText<'t>(&'t str);

impl<'t> RulingText<'t> {
    pub fn required(purpose: Purpose, text: &'t str) -> Result<Self, TextError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(TextError::Missing(purpose.missing()));
        }
        Self::optional(text)
    }

    pub fn optional(text: &'t str) -> Result<Self, TextError> {
        match too_long(text, TEXT_MAX_CHARS) {
            Some(long) => Err(TextError::TooLong(long)),
            None => Ok(Self(text.trim())),
        }
    }

    #[must_use]
    pub const fn as_str(self) -> &'t str {
        self.0
    }
}

const COMMENT_MAX_CHARS: usize = 500;

/// A comment on a moment: 1 to 500 characters. Its lines end as they do on every system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentText(String);

impl CommentText {
    pub fn read(text: &str) -> Result<Self, CommentError> {
        let text = text.replace("\r\n", "\n").trim().to_owned();
        if is_blank(&text) {
            return Err(CommentError::Missing);
        }
        if let Some(long) = too_long(&text, COMMENT_MAX_CHARS) {
            return Err(CommentError::TooLong(long));
        }
        match text.chars().find(|sign| sign.is_control() && !matches!(sign, '\n' | '\t')) {
            Some(sign) => Err(CommentError::Control(sign)),
            None => Ok(Self(text)),
        }
    }

    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommentError {
    #[error("A comment says something.")]
    Missing,
    #[error("{0}")]
    TooLong(String),
    #[error("This comment has a character that nobody can see ({}). Please write it without.", CodePoint(*.0))]
    Control(char),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("The ruleset has no such clause.")]
pub struct UnknownClause;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownClause<'t>(&'t str);

impl<'t> KnownClause<'t> {
    pub fn read(ruleset: &dyn Ruleset, text: &'t str) -> Result<Option<Self>, UnknownClause> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let clauses = named_clauses(ruleset);
        match clauses.iter().any(|known| known.number == text) {
            true => Ok(Some(Self(text))),
            false => Err(UnknownClause),
        }
    }

    #[must_use]
    pub const fn number(self) -> &'t str {
        self.0
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    #[error("Both players need a name.")]
    Missing,
    #[error("{0}")]
    TooLong(String),
    /// It would have no page: browsers read points in an address as a way up.
    #[error("A name of points alone has no page.")]
    Points,
    #[error("This name has a character that nobody can see ({}). Please write it without.", CodePoint(*.0))]
    Unseen(char),
    #[error("Both seats have the same name. Nobody could tell them apart.")]
    Same,
    #[error(
        "Both names look the same, though they are written with different characters. Nobody could tell them apart."
    )]
    Alike,
}

struct CodePoint(char);

impl fmt::Display for CodePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "U+{:04X}", u32::from(self.0))
    }
}

pub fn check_event(name: &str) -> Result<(), NameError> {
    if let Some(long) = too_long(name, NAME_MAX_CHARS) {
        return Err(NameError::TooLong(long));
    }
    match unseen(name) {
        Some(sign) => Err(NameError::Unseen(sign)),
        None if nameless(name) => Err(NameError::Points),
        None => Ok(()),
    }
}

pub fn check_player(name: &str) -> Result<(), NameError> {
    if is_blank(name) { Err(NameError::Missing) } else { check_event(name) }
}

pub fn check_names(players: &BySeat<String>, event: Option<&str>) -> Result<(), NameError> {
    check_player(&players.p1)?;
    check_player(&players.p2)?;
    check_event(event.unwrap_or_default())?;
    check_distinct(&players.p1, &players.p2)
}

pub fn check_distinct(p1: &str, p2: &str) -> Result<(), NameError> {
    if name_key(p1) == name_key(p2) {
        Err(NameError::Same)
    } else if are_alike(p1, p2) {
        Err(NameError::Alike)
    } else {
        Ok(())
    }
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
    fn a_comment_has_one_to_five_hundred_characters() {
        let read = |text: &str| CommentText::read(text).map(CommentText::into_string);
        assert_eq!(read(" One\r\ntwo \u{1f44f}\r\n"), Ok("One\ntwo \u{1f44f}".to_owned()));
        assert_eq!(read(" \u{200b}\n"), Err(CommentError::Missing));
        assert!(read(&"é\r\n".repeat(250)).is_ok(), "an end of a line is one character");
        assert_eq!(read(&"é".repeat(501)).unwrap_err().to_string(), "This has 501 characters; 500 are the most.");
        assert_eq!(read("A\0"), Err(CommentError::Control('\0')));
    }

    #[test]
    fn a_clause_is_one_of_its_ruleset() {
        let ruleset = engine::ruleset("five-card-trick/dm-colosseum-2").unwrap();
        let read = |text| KnownClause::read(ruleset, text).map(|clause| clause.map(KnownClause::number));
        assert_eq!(read(" 1.4 "), Ok(Some("1.4")));
        assert_eq!(read("0.5"), Ok(Some("0.5")), "common to every game");
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
        assert_eq!(check_distinct("Zoë", "zoe"), Err(NameError::Same));
        assert_eq!(check_distinct("Ada", "Bo"), Ok(()));
    }

    #[test]
    fn names_cannot_be_mistaken() {
        assert_eq!(check_player("\u{200b} \u{ad}"), Err(NameError::Missing));
        assert_eq!(check_player("\u{2800}"), Err(NameError::Missing));
        assert_eq!(check_player("\0"), Err(NameError::Missing));
        assert_eq!(check_event("Cup\0"), Err(NameError::Unseen('\0')));
        assert_eq!(
            check_player("Ada\u{200b}").unwrap_err().to_string(),
            "This name has a character that nobody can see (U+200B). Please write it without."
        );
        assert_eq!(check_distinct("Ada", "Ad\u{430}"), Err(NameError::Alike));
        assert_eq!(check_distinct("Ada", "Ada\u{200b}"), Err(NameError::Alike));
    }
}
