//! The stages of a reading that take what strangers wrote, before any of it is held against the rules. [`super::read`] goes
//! through the same functions; `benches/fuzz` gives each of them millions of altered inputs, for which the rules are too slow.

use engine::{BySeat, Seat};

use super::chat::{all_words, lines_of_moves, messages};
use super::clause::clauses;
use super::drawing::drawn;
use super::facts::Facts;
use super::fix::Who;
use super::hearing::Hearing;
use super::line::Line;
use super::message::{Item, is_word};
use super::reader::sentences;
use super::row::Reading;
use super::same::Same;
use super::speaker::Speakers;
use super::statement::Statement;
use super::table::Table;
use super::vocabulary::Vocabulary;
use super::wording::{Sayer, candidates};

/// The rows of a table with what is below the column names, each as the table writes it; none where it has no column names.
pub fn table_rows(text: &str) -> Option<(Reading, Vec<String>)> {
    let table = Table::read(text)?;
    let records = table.records.iter().map(|(.., record)| table.write(record)).collect();
    Some((table.reading, records))
}

/// What a chat is read with: what is known of its match, its players' names, and the words of its game.
#[derive(Debug)]
pub struct ChatReader {
    given: Facts,
    speakers: Speakers,
    vocabulary: Vocabulary,
}

/// What a line says within a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The line, from 1.
    pub line: usize,
    /// Who says it, as far as somebody is named.
    pub by: String,
    /// What is said; empty for the heading of a round.
    pub words: String,
}

impl ChatReader {
    /// A reader for the match of these facts; none where the rules do not open it.
    pub fn of(given: Facts) -> Option<Self> {
        let vocabulary = all_words(&Hearing::open(&given).ok()?);
        let mut speakers = Speakers::everywhere();
        for (seat, name) in given.names.each() {
            speakers.add(name, Who::of(seat));
        }
        Some(Self { given, speakers, vocabulary })
    }

    /// Puts the lines of a chat together to messages: what each line says, in order.
    pub fn messages(&self, text: &str) -> Vec<Part> {
        let mut reading = Reading::default();
        let lines = lines_of_moves(text, &self.given, &self.speakers, &mut reading);
        let items = messages(&lines, &self.speakers, &self.vocabulary, &mut reading);
        let line = |at: usize| reading.rows.get(at).map_or(0, |row| row.line);
        let mut parts = Vec::new();
        for item in items {
            match item {
                Item::Round(at, _) => parts.push(Part { line: line(at), by: String::new(), words: String::new() }),
                Item::Message(message) => parts.extend(message.parts.into_iter().map(|(at, words)| {
                    let by = message.name.clone();
                    Part { line: line(at), by, words }
                })),
            }
        }
        parts
    }

    /// Takes one line apart into who speaks, whose moves it tells, what it states, and the ways in which it could be a move.
    /// True if it names somebody or states something.
    pub fn line(&self, text: &str) -> bool {
        let (speakers, vocabulary) = (&self.speakers, &self.vocabulary);
        let line = Line::read(text, speakers, |word| is_word(vocabulary, word), true);
        let told = clauses(&line.words, speakers).map(|(_, told)| told).unwrap_or_default();
        let names = BySeat { p1: self.given.names.p1.as_str(), p2: self.given.names.p2.as_str() };
        for seat in Seat::BOTH {
            let sayer = Sayer { seat: Some(seat), names, in_letters: false };
            let said = told.iter().filter(|clause| clause.seat == seat).map(|clause| clause.words.as_str());
            for said in said.chain([line.words.as_str()]) {
                let _ = (candidates(vocabulary, said, sayer), Same::read(said));
            }
        }
        let _ = drawn(&line.words, speakers);
        let states = |said: &str| {
            let all = Statement::of_all(said, speakers).or_else(|| Statement::loosely(said, speakers));
            all.is_some() || Statement::is_claimed(said, speakers)
        };
        let stated = sentences(&line.words).any(states) || !Statement::of_parts(&line.words, speakers).is_empty();
        line.name.is_some() || !told.is_empty() || stated
    }
}
