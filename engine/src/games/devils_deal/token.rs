//! The pieces of a line: cards in any spelling, words cut to a prefix, numbers, and separators of piles.

use alloc::vec::Vec;

use super::card::{Card, Colour};
use crate::{Refusal, Seat, vocabulary};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Word(Word),
    Seat(Seat),
    Card(Card),
    Number(u16),
    /// Between piles or pools: `|` or `;`.
    Bar,
}

/// The words of the notation, and a few that people write instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Start,
    Refill,
    Stand,
    Divide,
    Aside,
    None,
    Discard,
    Take,
    Raise,
    Call,
    Fold,
    Deal,
    Offer,
    Community,
}

pub(super) type Entry = (&'static str, Piece);

#[derive(Clone, Copy)]
pub(super) struct Due {
    pub(super) words: &'static [Entry],
    pub(super) verb: Option<Word>,
}

pub(super) const CARDS: &str = "expected cards, such as R7";

impl Word {
    const fn then(self) -> &'static str {
        match self {
            Self::Start => "expected p1 or p2",
            Self::Refill | Self::Stand | Self::Call | Self::Fold => "expected the end of the move",
            Self::Divide | Self::Aside | Self::None => {
                "expected cards, such as R7, with | between piles and aside before the one set aside"
            }
            Self::Take => "expected one card, such as R7, or none",
            Self::Raise => "expected a number of chips after raise",
            Self::Discard | Self::Deal | Self::Offer | Self::Community => CARDS,
        }
    }
}

/// Every word of the seats, for lines that come in a phase of another kind.
const ALL: [Entry; 13] = [
    ("start", Piece::Word(Word::Start)),
    ("refill", Piece::Word(Word::Refill)),
    ("stand", Piece::Word(Word::Stand)),
    ("divide", Piece::Word(Word::Divide)),
    ("aside", Piece::Word(Word::Aside)),
    ("none", Piece::Word(Word::None)),
    ("discard", Piece::Word(Word::Discard)),
    ("take", Piece::Word(Word::Take)),
    ("raise", Piece::Word(Word::Raise)),
    ("call", Piece::Word(Word::Call)),
    ("fold", Piece::Word(Word::Fold)),
    ("p1", Piece::Seat(Seat::P1)),
    ("p2", Piece::Seat(Seat::P2)),
];

const NUMBERS: [(&str, u16); 9] = [
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
];

#[derive(Clone, Copy)]
enum Part {
    Whole(Piece),
    Colour(Colour),
    Filler,
}

pub(super) type Token<'t> = (usize, &'t str, Piece);

pub(super) fn pieces(text: &str, mut due: Due) -> Result<Vec<Token<'_>>, Refusal> {
    let mut found: Vec<Token<'_>> = Vec::new();
    // A colour or a number whose other half is still missing.
    let mut colour: Option<(usize, &str, Colour)> = None;
    let mut number: Option<(usize, &str, u16)> = None;
    for (at, token) in split(text) {
        let part = part(at, token, due)?;
        if let Part::Whole(Piece::Word(verb)) = part
            && !matches!(verb, Word::Aside | Word::None)
        {
            due.verb = Some(verb);
        }
        match (part, colour, number) {
            (Part::Filler, ..) => {}
            (Part::Whole(Piece::Number(value)), Some((from, _, waiting)), _) => {
                found.push((from, between(text, from, at, token), card(waiting, value, at, token)?));
                colour = None;
            }
            (_, Some((from, word, _)), _) => {
                return Err(Refusal::of_text(from, word, "expected a number after the colour"));
            }
            (Part::Colour(found_colour), None, Some((from, _, value))) => {
                found.push((from, between(text, from, at, token), card(found_colour, value, from, token)?));
                number = None;
            }
            (Part::Colour(found_colour), None, None) => colour = Some((at, token, found_colour)),
            (Part::Whole(piece), None, waiting) => {
                found.extend(waiting.map(|(from, word, value)| (from, word, Piece::Number(value))));
                number = None;
                match piece {
                    Piece::Number(value) => number = Some((at, token, value)),
                    _ => found.push((at, token, piece)),
                }
            }
        }
    }
    if let Some((at, word, _)) = colour {
        return Err(Refusal::of_text(at, word, "expected a number after the colour"));
    }
    found.extend(number.map(|(at, word, value)| (at, word, Piece::Number(value))));
    Ok(found)
}

/// The tokens with their places. Commas, plus signs and colons separate like spaces; bars are tokens themselves.
fn split(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let spare = |letter: char| letter.is_whitespace() || matches!(letter, ',' | '+' | ':');
        let bar = |letter: char| matches!(letter, '|' | ';');
        rest = rest.trim_start_matches(spare);
        let end = match rest.find(|letter| spare(letter) || bar(letter)) {
            Some(0) => 1,
            end => end.unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at_checked(end)?;
        let at = text.len() - rest.len();
        rest = after;
        (!token.is_empty()).then_some((at, token))
    })
}

fn between<'t>(text: &'t str, from: usize, at: usize, last: &str) -> &'t str {
    text.get(from..at + last.len()).unwrap_or_default()
}

fn card(colour: Colour, number: u16, at: usize, token: &str) -> Result<Piece, Refusal> {
    let card = u8::try_from(number).ok().and_then(|number| Card::of(colour, number));
    card.map(Piece::Card).ok_or_else(|| Refusal::of_text(at, token, "cards have the numbers 1 to 9"))
}

fn part(at: usize, token: &str, due: Due) -> Result<Part, Refusal> {
    if token == "|" || token == ";" {
        return Ok(Part::Whole(Piece::Bar));
    }
    if token == "?" {
        return Err(Refusal::of_sealed(at));
    }
    let is = |word: &str| word.eq_ignore_ascii_case(token);
    if ["of", "set", "to"].into_iter().any(is) {
        return Ok(Part::Filler);
    }
    if let Some(value) = number(token) {
        return Ok(Part::Whole(Piece::Number(value)));
    }
    if let Some(piece) = joined(at, token)? {
        return Ok(Part::Whole(piece));
    }
    let begins = |words: &[Entry]| words.iter().any(|(word, _)| word.get(..token.len()).is_some_and(&is));
    if !begins(due.words) {
        if let Some(colour) = colour(token) {
            return Ok(Part::Colour(colour));
        }
        if begins(&ALL) {
            return vocabulary::find(token, at, &ALL).map(Part::Whole);
        }
    }
    // If it abbreviates two words, the refusal names both.
    vocabulary::find(token, at, due.words).map(Part::Whole).map_err(|refusal| match due.verb {
        _ if !refusal.expected.starts_with("expected") => refusal,
        Some(verb) => Refusal::of_text(at, token, verb.then()),
        None if due.words.is_empty() => Refusal::of_text(at, token, CARDS),
        None => refusal,
    })
}

/// A number in digits or, from one to nine, in letters. A number too large to hold is too large for every rule.
fn number(token: &str) -> Option<u16> {
    if !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(token.parse().unwrap_or(u16::MAX));
    }
    NUMBERS.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(token)).map(|(_, value)| value)
}

fn joined(at: usize, token: &str) -> Result<Option<Piece>, Refusal> {
    let halves = |digits_first: bool| {
        let end = token.find(|letter: char| letter.is_ascii_digit() != digits_first)?;
        let (before, after) = token.split_at_checked(end)?;
        let (letters, digits) = if digits_first { (after, before) } else { (before, after) };
        Some((colour(letters)?, number(digits)?))
    };
    let found = halves(false).or_else(|| halves(true));
    found.map(|(colour, number)| card(colour, number, at, token)).transpose()
}

fn colour(token: &str) -> Option<Colour> {
    let begins = |name: &str| name.get(..token.len()).is_some_and(|start| start.eq_ignore_ascii_case(token));
    if token.is_empty() { None } else { Colour::ALL.into_iter().find(|colour| begins(colour.name())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Due = Due { words: &[], verb: None };

    fn cards(text: &str) -> Vec<&'static str> {
        let pieces = pieces(text, NOTHING).unwrap();
        pieces.into_iter().map(|(_, _, piece)| if let Piece::Card(card) = piece { card.word() } else { "-" }).collect()
    }

    #[test]
    fn a_card_is_a_card_however_it_is_spelled() {
        let spellings = "R7 r7 7R red7 Red 7, 7 red+seven of red; re seven|r 7";
        let expected = ["R7", "R7", "R7", "R7", "R7", "R7", "R7", "-", "R7", "-", "R7"];
        assert_eq!(cards(spellings), expected);
        assert_eq!(cards("red 1 green 2 3 b 4 blue"), ["R1", "G2", "B3", "B4"]);
    }

    #[test]
    fn what_is_no_card_is_refused_where_it_stands() {
        let refused = |text: &str| pieces(text, NOTHING).unwrap_err();
        assert_eq!(refused("R7 R0").sentence(), "\"R0\": cards have the numbers 1 to 9");
        assert_eq!(refused("R7  x9").at, 4);
        assert_eq!(refused("G2 red").sentence(), "\"red\": expected a number after the colour");
        assert_eq!(refused("G2 red B5").at, 3);
        assert_eq!(refused("R99999999").sentence(), "\"R99999999\": cards have the numbers 1 to 9");
        assert_eq!(refused("take Y1").sentence(), "\"Y1\": expected one card, such as R7, or none");
        assert_eq!(refused("raise -1").sentence(), "\"-1\": expected a number of chips after raise");
        assert!(refused("R1 ?").sealed);
        assert_eq!(refused("s").sentence(), "\"s\": start or stand? Write one letter more");
    }

    #[test]
    fn places_are_those_of_the_line() {
        let text = "raise: seven of red;5";
        let found: Vec<_> = pieces(text, NOTHING).unwrap().into_iter().map(|(at, word, _)| (at, word)).collect();
        assert_eq!(found, [(0, "raise"), (7, "seven of red"), (19, ";"), (20, "5")]);
    }
}
