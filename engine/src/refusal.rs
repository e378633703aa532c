//! The reason why a step was not accepted. A refused step changes nothing.

use alloc::string::String;

use crate::Seat;

/// A refusal: the place in the text, the rule, and the expected text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct Refusal {
    /// The seat whose part is wrong, if it is one seat's.
    pub seat: Option<Seat>,
    /// Byte offset of the error in the text that was read.
    pub at: usize,
    /// The wrong words, as they were written.
    pub found: String,
    /// The expected text, without a full stop.
    pub expected: String,
    /// The rule that refuses it, such as `1.2`; none if the text does not read at all.
    pub rule: Option<&'static str>,
    /// The value is still sealed (`?`), so nobody can judge it yet.
    pub sealed: bool,
}

impl Refusal {
    pub(crate) fn by_rule(seat: Option<Seat>, rule: &'static str, expected: impl Into<String>) -> Self {
        Self { seat, at: 0, found: String::new(), expected: expected.into(), rule: Some(rule), sealed: false }
    }

    pub(crate) fn of_text(at: usize, found: &str, expected: impl Into<String>) -> Self {
        Self { seat: None, at, found: found.into(), expected: expected.into(), rule: None, sealed: false }
    }

    pub(crate) fn of_sealed(at: usize) -> Self {
        Self { sealed: true, ..Self::of_text(at, "?", "sealed until the end of the match") }
    }

    pub(crate) fn shifted(mut self, by: usize) -> Self {
        self.at += by;
        self
    }

    pub(crate) fn naming(mut self, found: impl Into<String>) -> Self {
        self.found = found.into();
        self
    }

    /// The refusal with its place in a longer text: that of the words it names, or of the whole refused part if the words
    /// are spelled differently there.
    pub(crate) fn within(mut self, part: &str, at: usize) -> Self {
        let named = if self.found.is_empty() { None } else { place(part, &self.found) };
        self.at = at + named.unwrap_or(0);
        if named.is_none() {
            self.found = part.into();
        }
        self
    }

    pub(crate) fn of(mut self, seat: Seat) -> Self {
        self.seat = Some(seat);
        self
    }

    /// The refusal without its place.
    #[must_use]
    pub fn sentence(&self) -> String {
        let mut text = String::new();
        if !self.found.is_empty() {
            text.push('"');
            text.push_str(&self.found);
            text.push_str("\": ");
        }
        text.push_str(&self.expected);
        if let Some(sign) = stranger(&self.found) {
            text.push_str("; its ");
            text.push(sign);
            text.push_str(" is no Latin letter, though it may look like one");
        }
        if let Some(rule) = self.rule {
            text.push_str(" (rule ");
            text.push_str(rule);
            text.push(')');
        }
        text
    }
}

/// The place of these words in a text, as words of their own: `A1` is not the beginning of `A10`.
fn place(text: &str, words: &str) -> Option<usize> {
    let apart = |side: Option<char>| !side.is_some_and(char::is_alphanumeric);
    let alone = |at: usize| {
        let (before, from) = text.split_at_checked(at)?;
        let after = from.get(words.len()..)?;
        (apart(before.chars().next_back()) && apart(after.chars().next())).then_some(at)
    };
    text.match_indices(words).find_map(|(at, _)| alone(at))
}

/// The first letter of another alphabet in a word that also has Latin letters: it looks right and is not.
fn stranger(word: &str) -> Option<char> {
    let latin = word.chars().any(|sign| sign.is_ascii_alphabetic());
    word.chars().find(|sign| latin && sign.is_alphabetic() && !sign.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_placed_where_they_stand_by_themselves() {
        assert_eq!(place("place A A10 A1", "A1"), Some(12));
        assert_eq!(place("place A A10 A1", "A"), Some(6));
        assert_eq!((place("claim block:score", "score"), place("north", "or"), place("", "x")), (Some(12), None, None));
    }

    #[test]
    fn a_letter_that_only_looks_right_is_named() {
        let refused = |word: &str| Refusal::of_text(0, word, "expected grow").sentence();
        assert_eq!(
            refused("gr\u{43e}w"),
            "\"gr\u{43e}w\": expected grow; its \u{43e} is no Latin letter, though it may look like one"
        );
        assert_eq!(refused("grew"), "\"grew\": expected grow");
        assert_eq!(refused("рост"), "\"рост\": expected grow");
    }
}
