//! An error in a file, with its place.

use alloc::string::String;

use crate::Refusal;

/// A place in a file, the text found there, and the text that was expected instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {}{expected}", quoted(found))]
pub struct Error {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The text found there; empty if something is missing.
    pub found: String,
    /// The text that was expected, or the rule that refuses it.
    pub expected: String,
    /// The value is sealed until the end of the match.
    pub sealed: bool,
}

/// The largest number of characters of the found text that a message repeats.
const QUOTED_MAX_CHARS: usize = 200;

/// The found text for a message. A file can come from anybody, and the message may be shown on a terminal.
fn quoted(found: &str) -> String {
    if found.is_empty() {
        return String::new();
    }
    let mut out = String::from("\"");
    for c in found.chars().take(QUOTED_MAX_CHARS) {
        if c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out.push_str(if found.chars().nth(QUOTED_MAX_CHARS).is_some() { "…\": " } else { "\": " });
    out
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_hostile_file_says_is_quoted_shortly_and_commands_no_terminal() {
        let said = |found: &str| alloc::format!("{}", Error::at(1, found, 0, found, "expected a card"));
        assert_eq!(said("\u{1b}[2J\u{202e}x"), "line 1, column 1: \"\\u{1b}[2J\\u{202e}x\": expected a card");
        let long = said(&"B4 ".repeat(1_000_000));
        assert!(long.chars().count() < 260 && long.contains("B4 B4…\": expected"), "{long}");
    }
}
