//! The words, quotes and marks of a line: one reader for declarations, answers and the umpire's word.

use alloc::format;
use alloc::string::String;
use core::ops::RangeInclusive;

use super::keyword::is_reserved;
use crate::dmn::quotes::{Quotes, unquoted};
use crate::{Refusal, Seat};

const NAME_MAX: usize = 24;

/// A reader of a line, word by word. A place is a byte offset of the whole line.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'t> {
    rest: &'t str,
    at: usize,
}

/// A piece of a line with its place; empty at the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

impl Token<'_> {
    pub(super) fn refuse(self, expected: impl Into<String>) -> Refusal {
        Refusal::of_text(self.at, self.text, expected)
    }
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self::within(text, 0)
    }

    /// A part of a line that begins at a byte offset.
    pub(super) fn within(text: &'t str, at: usize) -> Self {
        let mut scanner = Self { rest: text, at };
        scanner.skip(0);
        scanner
    }

    fn skip(&mut self, bytes: usize) {
        let after = self.rest.get(bytes..).unwrap_or_default();
        let rest = after.trim_start();
        self.at += bytes + after.len() - rest.len();
        self.rest = rest;
    }

    pub(super) fn peek(&self) -> Token<'t> {
        let mut quotes = Quotes::default();
        let quoted = self.rest.starts_with('"');
        let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b';' | b'(' | b')');
        let end = match self.rest.bytes().next() {
            Some(b';' | b'(' | b')') => 1,
            _ if quoted => self.rest.bytes().position(|byte| !quotes.pass(byte)).map_or(self.rest.len(), |end| end + 1),
            _ => self.rest.bytes().position(ends).unwrap_or(self.rest.len()),
        };
        Token { text: self.rest.get(..end).unwrap_or_default(), at: self.at }
    }

    pub(super) fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.skip(token.text.len());
        token
    }

    /// The rest of the line as it is written.
    pub(super) fn rest(&mut self) -> Token<'t> {
        let token = Token { text: self.rest.trim_end(), at: self.at };
        self.skip(self.rest.len());
        token
    }

    pub(super) fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn refuse(&self, expected: impl Into<String>) -> Refusal {
        self.peek().refuse(expected)
    }

    /// Takes the next piece if it is this keyword or mark.
    pub(super) fn take(&mut self, text: &str) -> bool {
        debug_assert!(text.len() == 1 || is_reserved(text), "{text} is missing among the keywords");
        let there = self.peek().text == text;
        if there {
            self.next();
        }
        there
    }

    pub(super) fn requires(&mut self, text: &str) -> Result<(), Refusal> {
        if self.take(text) { Ok(()) } else { Err(self.refuse(format!("expected {text}"))) }
    }

    /// Refuses whatever is left, as it is not what was `expected` here.
    pub(super) fn end(&self, expected: &str) -> Result<(), Refusal> {
        if self.is_done() { Ok(()) } else { Err(self.refuse(format!("expected {expected} here"))) }
    }

    /// One of some words with a meaning.
    pub(super) fn one_of<T: Copy>(&mut self, words: &[(&str, T)]) -> Result<T, Refusal> {
        let token = self.next();
        let found = words.iter().find(|(word, _)| *word == token.text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let words = words.iter().map(|(word, _)| *word);
            token.refuse(format!("expected {}", listed(words, "or")))
        })
    }

    pub(super) fn seat(&mut self) -> Result<Seat, Refusal> {
        self.one_of(&Seat::BOTH.map(|seat| (seat.word(), seat)))
    }

    /// A declared name as it may be spelled.
    pub(super) fn name(&mut self) -> Result<Token<'t>, Refusal> {
        let token = self.next();
        let fits = token.text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        if !fits || token.text.len() > NAME_MAX || !token.text.starts_with(|first: char| first.is_ascii_lowercase()) {
            return Err(token.refuse(format!(
                "expected a name of at most {NAME_MAX} small letters, digits and hyphens, a letter first"
            )));
        }
        Ok(token)
    }

    pub(super) fn number(&mut self, range: RangeInclusive<i32>) -> Result<i32, Refusal> {
        let token = self.next();
        read_number(token.text, &range)
            .ok_or_else(|| token.refuse(format!("expected a number from {} to {}", range.start(), range.end())))
    }

    /// A text in quotes, without signs that command a terminal or turn a line round.
    pub(super) fn quoted(&mut self, most: usize) -> Result<String, Refusal> {
        let token = self.next();
        let refusal = || token.refuse(format!("expected a text in quotes, of 1 to {most} characters"));
        let text = unquoted(token.text).ok_or_else(refusal)?;
        if is_plain(&text, most) { Ok(text) } else { Err(refusal()) }
    }
}

/// Whole decimal numbers in one spelling: no plus, no leading zeros.
pub(super) fn read_number(text: &str, range: &RangeInclusive<i32>) -> Option<i32> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let spelled = digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits.len() == 1 || !digits.starts_with('0'));
    text.parse().ok().filter(|number| spelled && text != "-0" && range.contains(number))
}

/// True for a text for people: some characters, none that command a terminal or turn a line round.
pub(super) fn is_plain(text: &str, most: usize) -> bool {
    let hidden = |sign: char| sign.is_control() || matches!(sign, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (1..=most).contains(&text.chars().count()) && !text.trim().is_empty() && !text.contains(hidden)
}

/// Words as a list for people: "a, b or c".
pub(super) fn listed<'w>(words: impl ExactSizeIterator<Item = &'w str>, last: &str) -> String {
    let (mut text, count) = (String::new(), words.len());
    for (n, word) in words.enumerate() {
        match n {
            0 => {}
            _ if n + 1 == count => text.push_str(&format!(" {last} ")),
            _ => text.push_str(", "),
        }
        text.push_str(word);
    }
    text
}
