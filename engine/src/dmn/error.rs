//! An error in a file, with its place.

use alloc::string::String;

use crate::Refusal;

/// What stood where, and what was expected instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {}{expected}", quoted(found))]
pub struct Error {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What stood there; empty where something is missing.
    pub found: String,
    /// What was expected, or the rule that refuses it.
    pub expected: String,
    /// The value is sealed until the end of the match.
    pub sealed: bool,
}

fn quoted(found: &str) -> String {
    if found.is_empty() { String::new() } else { alloc::format!("\"{found}\": ") }
}

impl Error {
    /// An error at a byte offset of a line.
    pub(crate) fn at(line: usize, text: &str, offset: usize, found: &str, expected: impl Into<String>) -> Self {
        let column = 1 + text.get(..offset).map_or(0, |before| before.chars().count());
        Self { line, column, found: found.into(), expected: expected.into(), sealed: false }
    }

    /// A refusal of a part of a line that begins at a byte offset.
    pub(crate) fn refused(line: usize, text: &str, offset: usize, refusal: &Refusal) -> Self {
        let expected = match refusal.rule {
            Some(rule) => alloc::format!("{} (rule {rule})", refusal.expected),
            None => refusal.expected.clone(),
        };
        let error = Self::at(line, text, offset + refusal.at, &refusal.found, expected);
        Self { sealed: refusal.sealed, ..error }
    }
}
