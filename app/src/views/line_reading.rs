//! The text typed for one seat, read back.

use engine::{Duel, Party, Refusal, name_seats};
use record::History;
use record::limits::{MOVE_MAX_CHARS, too_long};
use record::share::{self, SHARE};
use record::words::sentence;
use serde::Serialize;

/// A line of a seat or of the host as it was typed, and its reading.
#[derive(Debug, Clone, Serialize)]
pub struct LineReading {
    /// `p1`, `p2` or `host`.
    pub seat: &'static str,
    /// The text.
    #[serde(skip)]
    pub typed: String,
    /// The state of the line.
    pub state: LineState,
    /// The move in full words; empty if there is none.
    pub words: String,
    /// Remarks that the seat should read before it confirms.
    pub notes: Vec<String>,
    /// The error, if it cannot be recorded.
    pub error: Option<LineError>,
}

/// The state of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LineState {
    /// Nothing was typed yet.
    Nothing,
    /// It can be recorded.
    Valid,
    /// It cannot be recorded.
    Invalid,
    /// `-`: no move.
    Defaulted,
    /// It was sent after the deadline: it is stored, and counts only by a ruling.
    Late,
}

/// An error with its place in the line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineError {
    /// The text before the words at fault.
    pub before: String,
    /// The words at fault; empty if there are none.
    pub found: String,
    /// The text after the words at fault.
    pub after: String,
    /// The correct form, as a sentence.
    pub text: String,
    /// The rule behind it.
    pub rule: Option<&'static str>,
}

impl LineState {
    /// The word in the page.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::Defaulted => "defaulted",
            Self::Late => "late",
        }
    }

    /// The words for people.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Nothing => "nothing yet",
            Self::Valid => "valid",
            Self::Invalid => "not valid",
            Self::Defaulted => "no move",
            Self::Late => "late",
        }
    }
}

impl LineError {
    /// An error of the whole line.
    pub fn whole(text: impl Into<String>) -> Self {
        Self { before: String::new(), found: String::new(), after: String::new(), text: text.into(), rule: None }
    }

    /// The error that the rules or the parser report for a line.
    pub fn of(typed: &str, refusal: &Refusal) -> Self {
        let place = typed.get(..refusal.at).zip(typed.get(refusal.at..));
        let parts = place.and_then(|(before, from)| Some((before, from.strip_prefix(refusal.found.as_str())?)));
        let (before, after) = parts.filter(|_| !refusal.found.is_empty()).unwrap_or_default();
        let found = if before.is_empty() && after.is_empty() && refusal.found != typed { "" } else { &refusal.found };
        Self {
            before: before.to_owned(),
            found: found.to_owned(),
            after: after.to_owned(),
            text: sentence(&refusal.expected),
            rule: refusal.rule,
        }
    }
}

impl LineReading {
    /// Reads the text as an answer to a question of a match in state `duel`.
    pub fn read(history: &History, duel: &Duel, party: impl Into<Party>, what: &str, typed: &str) -> Self {
        let party = party.into();
        let shown = typed.trim();
        let line = |state| Self {
            seat: party.word(),
            typed: shown.to_owned(),
            state,
            words: String::new(),
            notes: Vec::new(),
            error: None,
        };
        if shown.is_empty() {
            return line(LineState::Nothing);
        }
        if let Some(wrong) = too_long(shown, MOVE_MAX_CHARS) {
            return Self { error: Some(LineError::whole(wrong)), ..line(LineState::Invalid) };
        }
        let read = if what == SHARE { share::read(shown) } else { duel.read(party, what, shown) };
        match read {
            Ok(reading) => {
                let names = history.both_names();
                let state = if shown == "-" { LineState::Defaulted } else { LineState::Valid };
                let notes = reading.notes.iter().map(|note| name_seats(note, names)).collect();
                Self { words: name_seats(&sentence(&reading.words), names), notes, ..line(state) }
            }
            Err(refusal) => {
                let mut fault = LineError::of(shown, &refusal);
                fault.text = name_seats(&fault.text, history.both_names());
                Self { error: Some(fault), ..line(LineState::Invalid) }
            }
        }
    }

    /// True if it can be recorded.
    pub const fn counts(&self) -> bool {
        matches!(self.state, LineState::Valid | LineState::Defaulted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(at: usize, found: &str) -> Refusal {
        let expected = "score or steal? Write one letter more".to_owned();
        Refusal { seat: None, at, found: found.into(), expected, rule: None, sealed: false }
    }

    #[test]
    fn an_error_marks_its_place() {
        let fault = LineError::of("bl:gr s", &refusal(6, "s"));
        assert_eq!((fault.before.as_str(), fault.found.as_str(), fault.after.as_str()), ("bl:gr ", "s", ""));
        assert_eq!(fault.text, "Score or steal? Write one letter more.");
        assert_eq!(LineError::of("s", &refusal(0, "s")).found, "s");
        // A place outside the line marks nothing and does not panic.
        for (at, found) in [(3, "s"), (99, "s"), (1, "é"), (0, "")] {
            assert_eq!(LineError::of("é x", &refusal(at, found)).found, "");
        }
    }
}
