//! Words that several pages say the same way.

use engine::{BySeat, Outcome, Verdict};
use record::Mode;

/// The text with a capital in front.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// How a match came into the record, in a word.
#[must_use]
pub const fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Live => "live",
        Mode::Recorded => "recorded",
        Mode::Imported => "imported",
    }
}

/// A result in a sentence.
#[must_use]
pub fn result_sentence(outcome: Outcome, names: BySeat<&str>) -> String {
    match outcome {
        Outcome::Running => "Still running.".to_owned(),
        Outcome::Over(ending) => {
            let why = ending.reason.phrase;
            match ending.verdict {
                Verdict::Won(seat) => format!("{} won: {why}.", names[seat]),
                Verdict::Undecided => format!("Undecided: {why}."),
                Verdict::Void => format!("Void, by {why}: the match does not count."),
            }
        }
    }
}
