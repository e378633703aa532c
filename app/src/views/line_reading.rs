//! The text typed for one seat, read back.

use engine::{Duel, Party, Refusal, name_seats};
use record::History;
use record::limits::{MOVE_MAX_CHARS, too_long};
use record::share::{self, SHARE};
use record::words::sentence;
use serde::Serialize;

use super::spoken_words;

#[derive(Debug, Clone, Serialize)]
pub struct LineReading {
    /// `p1`, `p2` or `host`.
    pub seat: &'static str,
    #[serde(skip)]
    pub typed: String,
    pub state: LineState,
    pub words: String,
    pub notes: Vec<String>,
    pub error: Option<LineError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LineState {
    Nothing,
    Valid,
    Invalid,
    Defaulted,
    /// It was sent after the deadline: it is stored, and counts only by a ruling.
    Late,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineError {
    pub before: String,
    pub found: String,
    pub after: String,
    pub text: String,
    pub rule: Option<&'static str>,
}

impl LineState {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::Defaulted => "defaulted",
            Self::Late => "late",
        }
    }

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
    pub fn whole(text: impl Into<String>) -> Self {
        Self { before: String::new(), found: String::new(), after: String::new(), text: text.into(), rule: None }
    }

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
                let words = spoken_words(history, &reading.words).unwrap_or_else(|| sentence(&reading.words));
                Self { words: name_seats(&words, names), notes, ..line(state) }
            }
            Err(refusal) => {
                let mut fault = LineError::of(shown, &refusal);
                fault.text = name_seats(&fault.text, history.both_names());
                Self { error: Some(fault), ..line(LineState::Invalid) }
            }
        }
    }

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
