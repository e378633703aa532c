//! Finds the word that somebody meant.

use alloc::string::String;

use crate::Refusal;

/// Finds the one word of a list that a token abbreviates, in any case. A whole word always wins over longer ones.
///
/// # Errors
/// A refusal that names both readings, or all known words.
pub(crate) fn find<T: Copy>(token: &str, at: usize, words: &[(&'static str, T)]) -> Result<T, Refusal> {
    let mut found: Option<(&str, T)> = None;
    for &(word, value) in words {
        if word.eq_ignore_ascii_case(token) {
            return Ok(value);
        }
        let begins = word.get(..token.len()).is_some_and(|start| start.eq_ignore_ascii_case(token));
        if !begins || token.is_empty() {
            continue;
        }
        if let Some((other, _)) = found {
            return Err(Refusal::of_text(at, token, alloc::format!("{other} or {word}? Write one letter more")));
        }
        found = Some((word, value));
    }
    found.map(|(_, value)| value).ok_or_else(|| Refusal::of_text(at, token, expected(words)))
}

fn expected<T>(words: &[(&'static str, T)]) -> String {
    let mut text = String::from("expected ");
    for (n, (word, _)) in words.iter().enumerate() {
        if n > 0 {
            text.push_str(if n + 1 == words.len() { " or " } else { ", " });
        }
        text.push_str(word);
    }
    text
}

/// The words of a text with the byte offset of each. A comma between words is a space, as are a semicolon, an ampersand and a
/// plus that stands alone.
pub(crate) fn split(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|mark: char| mark.is_whitespace() || matches!(mark, ',' | ';' | '&'));
    words.filter(|word| !["", "+"].contains(word)).map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [(&str, u8); 4] = [("score", 1), ("steal", 2), ("pass", 3), ("passport", 4)];

    #[test]
    fn a_prefix_is_enough_where_only_one_word_has_it() {
        assert_eq!(find("SC", 0, &WORDS).unwrap(), 1);
        assert_eq!(find("pass", 0, &WORDS).unwrap(), 3);
        assert_eq!(find("passp", 0, &WORDS).unwrap(), 4);
    }

    #[test]
    fn two_readings_are_both_named() {
        let refusal = find("s", 4, &WORDS).unwrap_err();
        assert_eq!((refusal.at, refusal.sentence().as_str()), (4, "\"s\": score or steal? Write one letter more"));
        assert_eq!(find("x", 0, &WORDS).unwrap_err().expected, "expected score, steal, pass or passport");
        assert!(find("", 0, &WORDS).is_err() && find("é", 0, &WORDS).is_err());
    }

    #[test]
    fn words_know_their_place() {
        let places: alloc::vec::Vec<_> = split("  a ,bc;").collect();
        assert_eq!(places, [(2, "a"), (5, "bc")]);
    }
}
