//! What the host draws: on a line, on several, or shown only after the match.

use engine::{Party, Seat, name_seats};

use super::clause::{How, clauses, players};
use super::effort;
use super::message::Item;
use super::nearest::nearest;
use super::reader::{Reader, sentences};
use super::speaker::Speakers;
use super::wording::{self, is_filler, is_in};

/// Lines of one draw. Every line of cards is tried with those before it, until there are more.
const LINES_MOST: usize = 60;

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
            self.rounds.told = true;
            return true;
        }
        let drawn = drawn(words, &self.speakers);
        if !drawn.is_empty() {
            self.draws.push((at, drawn));
            if self.draws.len() > LINES_MOST {
                return true;
            }
            let rows: Vec<usize> = self.draws.iter().map(|(at, _)| *at).collect();
            let parts: Vec<_> = self.draws.iter().flat_map(|(_, drawn)| drawn.clone()).collect();
            if let Ok(heard) = self.hearing.draws(&parts) {
                self.draws.clear();
                self.heard(&rows, heard);
                self.rounds.told = true;
                self.says_more(at, words);
            }
            return true;
        }
        if !self.hearing.vocabulary(Party::Host).sounds(words) {
            return false;
        }
        self.is_no_draw(at);
        true
    }

    /// Takes what a line says behind a draw: "Pools: ... Ada lets Bo start."
    pub(super) fn says_more(&mut self, at: usize, words: &str) {
        for sentence in sentences(words) {
            let lower = sentence.to_lowercase();
            let mut words = wording::words(&lower);
            let doubted = !words.any(|word| self.hearing.is_code(word)) && self.tells_beside(at, sentence).is_some();
            if !doubted || self.speakers.leading(sentence).is_none() {
                continue;
            }
            let Some(row) = self.row(at).filter(|row| row.wrong.is_none() && !sentence.contains('?')) else { continue };
            row.asks(&format!("\u{201c}{}\u{201d} behind the cards is not understood", sentence.trim()));
            row.fixes.clear();
            row.offer("It says nothing more", vec![row.source.replace(sentence.trim(), "")]);
            row.offer_ignore();
        }
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
            row.offer(now.clone(), vec![now]);
        }
        row.offer_ignore();
    }
}

/// Words before a number that is none of a card's.
const NO_CARDS: &str = "round chips dm match board pot game death jan feb mar apr may jun jul aug sep sept oct nov dec january \
    february march april june july august september october november december";

/// What looks like cards in a text, of the seat that it names before them: `B4`, `blue 4`.
pub(super) fn drawn(text: &str, speakers: &Speakers) -> Vec<(Option<Seat>, String)> {
    effort::spend(1);
    let cards = |text: &str| {
        let words: Vec<&str> = wording::words(text).collect();
        // No card has a larger number.
        let number = |word: &str| word.parse::<u8>().is_ok_and(|number| number < 14);
        let names = |word: &str| !is_filler(word) && !is_in(NO_CARDS, word);
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
            } else if word.len() == 1
                && (before.eq_ignore_ascii_case("board") || (n == 0 && words.get(1).is_some_and(|next| code(next))))
            {
                cards.push((*word).to_owned());
            }
        }
        cards.join(" ")
    };
    // The letter of a board is nobody's initial.
    let begun = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let is_board = begun.get(..6).is_some_and(|begins| begins.eq_ignore_ascii_case("board "));
    let of_seats =
        clauses(text, speakers).filter(|_| !is_board).filter(|(how, _)| *how == How::Named).map(|(_, told)| told);
    let told = of_seats.filter(|told| !told.is_empty());
    let told = told.unwrap_or_default();
    let of_seats = told.iter().map(|clause| (Some(clause.seat), cards(&clause.words)));
    let all: Vec<_> = of_seats.filter(|(_, cards)| !cards.is_empty()).collect();
    // "For Ada: ..." names her before the cards, and they are nobody's yet.
    if all.is_empty() {
        vec![(None, cards(text))].into_iter().filter(|(_, cards)| !cards.is_empty()).collect()
    } else {
        all
    }
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
