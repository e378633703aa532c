//! What the host draws: on a line, on several, or shown only after the match.

use engine::{Party, Seat, name_seats};

use super::clause::{How, clauses, players};
use super::fix::Fix;
use super::message::Item;
use super::nearest::nearest;
use super::reader::Reader;
use super::speaker::Speakers;
use super::wording::{is_filler, is_in};

impl Reader<'_> {
    /// What the host drew, on one line or on several.
    pub(super) fn draws_from(&mut self, at: usize, words: &str) -> bool {
        if self.names.each().iter().all(|(_, name)| name.is_empty()) {
            let has_cards = |_: Seat, words: &str| !drawn(words, &self.speakers).is_empty();
            if let Some(names) = players(words, &self.speakers, has_cards) {
                self.are_players(names);
            }
        }
        if let Ok(heard) = self.hearing.host(words) {
            self.draws.clear();
            self.heard(&[at], heard);
            return true;
        }
        let drawn = drawn(words, &self.speakers);
        if !drawn.is_empty() {
            self.draws.push((at, drawn));
            let rows: Vec<usize> = self.draws.iter().map(|(at, _)| *at).collect();
            let parts: Vec<_> = self.draws.iter().flat_map(|(_, drawn)| drawn.clone()).collect();
            if let Ok(heard) = self.hearing.draws(&parts) {
                self.draws.clear();
                self.heard(&rows, heard);
            }
            return true;
        }
        if !self.hearing.vocabulary(Party::Host).sounds(words) {
            return false;
        }
        self.is_no_draw(at);
        true
    }

    /// A line sounds like a draw, and is none.
    pub(super) fn is_no_draw(&mut self, at: usize) {
        let asked = self.hearing.duel().asks().last().map(|ask| name_seats(&ask.prompt, self.hearing.names()));
        let words = self.rows.get(at).map_or_else(String::new, |row| row.source.clone());
        let near = nearest(self.hearing.duel(), Party::Host, &words);
        let Some(row) = self.row(at).filter(|row| row.wrong.is_none()) else { return };
        row.refuse(&asked.unwrap_or_else(|| "this sounds like a draw, and none is due".to_owned()));
        for near in near {
            let now = format!("host: {near}");
            row.fixes.push(Fix::line(now.clone(), row.line, &words, vec![now]));
        }
        row.fixes.push(Fix::ignore(row.line, &words));
    }
}

/// What looks like cards in a text, of the seat that it names before them: `B4`, `blue 4`.
pub(super) fn drawn(text: &str, speakers: &Speakers) -> Vec<(Option<Seat>, String)> {
    let cards = |text: &str| {
        let words: Vec<&str> =
            text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        // No card has a larger number.
        let number = |word: &str| word.parse::<u8>().is_ok_and(|number| number < 14);
        let names = |word: &str| !is_filler(word) && !is_in("round chips dm match board pot game death", word);
        let code = |word: &str| {
            let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
            (2..=3).contains(&word.len()) && letters == 1 && word.len() > letters
        };
        let mut cards = Vec::new();
        for (n, word) in words.iter().enumerate() {
            let before = n.checked_sub(1).and_then(|n| words.get(n)).copied().unwrap_or_default();
            if code(word) {
                cards.push((*word).to_owned());
            } else if number(word)
                && !before.is_empty()
                && before.chars().all(char::is_alphabetic)
                && names(&before.to_lowercase())
            {
                cards.push(format!("{before} {word}"));
            } else if word.len() == 1 && before.eq_ignore_ascii_case("board") {
                cards.push((*word).to_owned());
            }
        }
        cards.join(" ")
    };
    let of_seats = clauses(text, speakers).filter(|(how, _)| *how == How::Named).map(|(_, told)| told);
    let told = of_seats.filter(|told| !told.is_empty());
    let all = match told {
        Some(told) => told.iter().map(|clause| (Some(clause.seat), cards(&clause.words))).collect(),
        None => vec![(None, cards(text))],
    };
    all.into_iter().filter(|(_, cards)| !cards.is_empty()).collect()
}

/// The fewest cards of a draw that is known wherever it stands.
const BOARD_LEAST: usize = 20;

/// Draws of so many cards that nothing else can be meant, each with its rows.
pub(super) fn boards(items: &[Item], speakers: &Speakers) -> Vec<(Vec<usize>, String)> {
    let (mut all, mut open): (Vec<_>, (Vec<usize>, String)) = (Vec::new(), Default::default());
    let parts = items.iter().filter_map(|item| match item {
        Item::Message(message) => Some(&message.parts),
        Item::Round(..) => None,
    });
    for (at, words) in parts.flatten() {
        let drawn = match drawn(words, speakers).as_slice() {
            [(None, drawn)] => drawn.clone(),
            _ => String::new(),
        };
        let begins = drawn.split(' ').next().is_some_and(|first| first.len() == 1);
        if begins || drawn.is_empty() {
            all.push(std::mem::take(&mut open));
        }
        if begins || !open.1.is_empty() {
            open.0.push(*at);
            open.1 = format!("{} {drawn}", open.1).trim().to_owned();
        }
    }
    all.push(open);
    all.retain(|(_, drawn)| drawn.split(' ').count() > BOARD_LEAST);
    all
}
