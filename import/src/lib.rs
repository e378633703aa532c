//! Matches of the past: a pasted text or a file becomes a preview, line by line, and what is confirmed there is entered.
//!
//! A chat is read in this order, and each step knows only those before it: `taught_layout`, `client_formats` and `messages` say
//! who sent what and when, `sentences` and `typed_move` what a line says, and `rounds` puts that together with the engine, by the
//! pairs of moves and by the host's numbers. A line that may be a move and does not read whole is a question in its place
//! (`questions`), and so is every gap; nothing is guessed across one. A test holds 44 logs, 30 of them by people who had not read
//! this code, against the matches that were played: no step is misread, and none is lost without a question
//! (`docs/benchmarks.md`).
//!
//! Reading is pure: it takes the source and what is known beside it, and gives rows, faults with what would mend them, and
//! the match where there is none. Nothing is stored before somebody confirms it, and what is read then is the same text
//! again.

mod chat;
mod client_formats;
mod exports;
mod facts;
mod facts_in_text;
mod fix;
mod host_lines;
mod html_export;
mod layout_pattern;
mod legend;
mod markup;
mod match_builder;
mod messages;
mod nearest_moves;
mod notation;
mod notation_step_fixes;
mod notation_tag_fixes;
mod pasted_table;
mod player_messages;
mod preview;
mod questions;
mod result_sheet;
mod round_numbers;
mod rounds;
mod sentences;
mod setup_and_result;
mod speakers;
mod stated_score;
mod table;
mod taught_layout;
pub mod text_encoding;
mod timestamps;
mod typed_move;

pub use exports::transcribe;
pub use facts::Facts;
pub use fix::{Change, Does, Fix, Who};
pub use preview::{Reading, Row, Taken};
pub use questions::who_is;
pub use result_sheet::{ResultColumn, ResultSheet};
pub use speakers::Speakers;
pub use table::COLUMNS;
pub use taught_layout::TaughtLayout;

/// How a source is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Death Match Notation.
    Notation,
    /// A table of comma-separated values.
    Table,
    /// The text of a chat.
    Chat,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Notation, Self::Table, Self::Chat];

    /// Its word in a form.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Notation => "dmn",
            Self::Table => "csv",
            Self::Chat => "chat",
        }
    }

    /// The same for people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Notation => "Death Match Notation",
            Self::Table => "a table (CSV)",
            Self::Chat => "the text of a chat",
        }
    }

    /// Finds out how a text is written.
    pub fn of(text: &str) -> Self {
        let lines =
            || text.lines().map(|line| line.trim().trim_start_matches('\u{feff}')).filter(|line| !line.is_empty());
        if lines().any(|line| line.starts_with("[DMN ")) {
            return Self::Notation;
        }
        if lines().take(40).any(|line| table::delimiter(line).is_some()) {
            return Self::Table;
        }
        let step = |line: &str| {
            let head = line.split(['.', ':']).next().unwrap_or_default().to_ascii_lowercase();
            line.starts_with(['[', '#'])
                || (head.parse::<u32>().is_ok() && line.contains('/'))
                || ["p1", "p2", "host", "umpire"].contains(&head.as_str())
        };
        if lines().next().is_some_and(|line| facts::tag(line).is_some()) && lines().all(step) {
            return Self::Notation;
        }
        let is_grid = lines().any(pasted_table::is_heading);
        if !is_grid && table::sheet(text).is_some() { Self::Table } else { Self::Chat }
    }
}

/// Reads a source.
pub fn read(text: &str, form: Form, given: &Facts, speakers: &Speakers) -> Reading {
    match form {
        Form::Notation => notation::read(text, given),
        Form::Table => table::read(text, given),
        Form::Chat => chat::read(text, given, speakers),
    }
}

#[cfg(test)]
mod tests;
