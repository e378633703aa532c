//! Answers of a declared game as people say them: a text without its quotes, the parts of an answer with commas.

use engine::dmn::quotes::{split_outside_quotes, unquoted};
use record::History;

fn spoken(line: &str, mark: u8) -> String {
    let parts = split_outside_quotes(line, mark).map(|(_, part)| part.trim());
    parts.map(|part| unquoted(part).unwrap_or_else(|| part.to_owned())).collect::<Vec<_>>().join(", ")
}

/// The words of an answer, which the engine writes with each text in its quotes.
#[must_use]
pub fn spoken_words(history: &History, words: &str) -> Option<String> {
    history.ruleset().declaration()?;
    Some(spoken(words, b','))
}

/// The answers in a line of a declared game.
#[must_use]
pub fn spoken_line(history: &History, line: &str) -> Option<String> {
    history.ruleset().declaration()?;
    let sides = split_outside_quotes(line, b'/').map(|(_, sent)| match sent.trim() {
        "-" => "no move".to_owned(),
        sent => spoken(sent, b';'),
    });
    Some(sides.collect::<Vec<_>>().join(" / "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_within_a_text_part_nothing() {
        assert_eq!(spoken(r#"4, "so; then, \"x\"", b2"#, b','), r#"4, so; then, "x", b2"#);
        assert_eq!(spoken(r#"4; "a; b"; rock"#, b';'), "4, a; b, rock");
    }
}
