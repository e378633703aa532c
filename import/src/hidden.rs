//! Targets that stay hidden until the end, as by some rules: "Block (?)" in its round, and "R1 Ada → score" in a list below.

use std::collections::HashMap;

use engine::Seat;

use super::clause::{Clause, clauses};
use super::message::Item;
use super::reader::Reader;
use super::row::Taken;

/// What stands for a target that is not told.
const HIDDEN: [&str; 3] = ["(?)", "[?]", ":?"];

/// The targets that are told of rounds, each with its row.
pub(super) type Targets = HashMap<(u32, Seat), (usize, String)>;

/// Whether a text has such a target: it is nobody's to guess.
pub(super) fn is_hidden(text: &str) -> bool {
    HIDDEN.iter().any(|hidden| text.contains(hidden))
}

impl Reader<'_> {
    /// Finds the targets that are told wherever they stand: lines of a round and a player with a single word.
    pub(super) fn find_targets(&mut self, items: &[Item]) {
        let mut head = None;
        for item in items {
            let message = match item {
                Item::Round(at, named) => {
                    head = Some((*at, named.round));
                    continue;
                }
                Item::Message(message) => message,
            };
            for (at, words) in &message.parts {
                let round = message.asides.iter().chain(&head).find(|(row, _)| row == at).map(|(_, round)| *round);
                let told = round.and_then(|_| clauses(words, &self.speakers)).map(|(_, told)| told).unwrap_or_default();
                if let (Some(round), [clause]) = (round, told.as_slice())
                    && self.hearing.is_game_word(&clause.words.to_lowercase())
                {
                    self.targets.insert((round, clause.seat), (*at, clause.words.clone()));
                }
            }
        }
    }

    pub(super) fn fills_target(&mut self, at: usize, round: Option<u32>, clause: &mut Clause) {
        let Some(hidden) = HIDDEN.iter().find(|hidden| clause.words.contains(**hidden)) else { return };
        let Some((row, target)) = round.and_then(|round| self.targets.remove(&(round, clause.seat))) else { return };
        clause.words = clause.words.replace(hidden, &format!("({target})"));
        let line = self.line(at);
        if let Some(row) = self.row(row) {
            row.taken = Taken::With(line);
        }
    }
}
