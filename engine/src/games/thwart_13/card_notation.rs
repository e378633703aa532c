//! Reads cards as people write them: `TH`, `10h`, `H10`, `ten of hearts`, `q spades`.

use super::card::{Card, Rank, Suit};
use crate::{Refusal, vocabulary};

const SUITS: [(&str, Suit); 8] = [
    ("clubs", Suit::Clubs),
    ("diamonds", Suit::Diamonds),
    ("hearts", Suit::Hearts),
    ("spades", Suit::Spades),
    ("\u{2663}", Suit::Clubs),
    ("\u{2666}", Suit::Diamonds),
    ("\u{2665}", Suit::Hearts),
    ("\u{2660}", Suit::Spades),
];

/// The variation selector after a suit's sign that is shown as a picture.
const AS_PICTURE: char = '\u{fe0f}';

/// The ranks by index. The letters come first: T is the ten, though other words begin with it.
const RANKS: [(&str, u8); 27] = [
    ("t", 8),
    ("j", 9),
    ("q", 10),
    ("k", 11),
    ("a", 12),
    ("2", 0),
    ("3", 1),
    ("4", 2),
    ("5", 3),
    ("6", 4),
    ("7", 5),
    ("8", 6),
    ("9", 7),
    ("10", 8),
    ("two", 0),
    ("three", 1),
    ("four", 2),
    ("five", 3),
    ("six", 4),
    ("seven", 5),
    ("eight", 6),
    ("nine", 7),
    ("ten", 8),
    ("jack", 9),
    ("queen", 10),
    ("king", 11),
    ("ace", 12),
];

pub(super) const NO_CARD: &str = "expected a card such as TH or ten of hearts";

pub(super) type Token<'t> = (usize, &'t str);

fn rank((at, token): Token<'_>) -> Result<Rank, Refusal> {
    let none = || Refusal::of_text(at, token, "expected a rank: 2 to 10, jack, queen, king or ace");
    // A 1 alone is not an abbreviated ten.
    let index = if token == "1" { Err(none()) } else { vocabulary::find(token, at, &RANKS) };
    // If a word may mean two ranks, the refusal names both.
    let index = index.map_err(|refusal| if refusal.expected.starts_with("expected") { none() } else { refusal })?;
    Rank::of_index(index).ok_or_else(none)
}

fn suit((at, token): Token<'_>) -> Result<Suit, Refusal> {
    vocabulary::find(token.trim_end_matches(AS_PICTURE), at, &SUITS)
        .map_err(|_| Refusal::of_text(at, token, "expected a suit: clubs, diamonds, hearts or spades"))
}

fn compact(token: &str) -> Option<Card> {
    // The first letter of a suit's name, or its sign.
    let suit = |letter: char| {
        let begins = |word: &str| word.chars().next().is_some_and(|first| first.eq_ignore_ascii_case(&letter));
        SUITS.into_iter().find(|(word, _)| begins(word)).map(|(_, suit)| suit)
    };
    let rank = |text: &str| {
        let (_, index) = RANKS.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(text))?;
        Rank::of_index(index)
    };
    let token = token.trim_end_matches(AS_PICTURE);
    let (mut from_left, mut from_right) = (token.chars(), token.chars());
    let (first, last) = (from_left.next()?, from_right.next_back()?);
    let card = |text: &str, letter: char| Some(Card::new(rank(text)?, suit(letter)?));
    card(from_right.as_str(), last).or_else(|| card(from_left.as_str().trim_start_matches(AS_PICTURE), first))
}

pub(super) fn card(tokens: &[Token<'_>]) -> Result<(Card, usize), Refusal> {
    let Some((first, rest)) = tokens.split_first() else {
        return Err(Refusal::of_text(0, "", NO_CARD));
    };
    let of = |token: Option<&Token<'_>>| token.is_some_and(|(_, word)| word.eq_ignore_ascii_case("of"));
    if of(rest.first()) {
        let Some(of_what) = rest.get(1) else {
            return Err(Refusal::of_text(first.0, first.1, "its suit is missing, as in TH or ten of hearts"));
        };
        return Ok((Card::new(rank(*first)?, suit(*of_what)?), 3));
    }
    if let Some(card) = compact(first.1) {
        return Ok((card, 1));
    }
    if let Ok(suit) = suit(*first) {
        let Some(second) = rest.first() else {
            return Err(Refusal::of_text(first.0, first.1, "its rank is missing, as in TH or ten of hearts"));
        };
        return Ok((Card::new(rank(*second)?, suit), 2));
    }
    let rank = rank(*first).map_err(|refusal| match refusal.expected.starts_with("expected") {
        true => Refusal::of_text(first.0, first.1, NO_CARD),
        false => refusal,
    })?;
    let Some(second) = rest.first() else {
        return Err(Refusal::of_text(first.0, first.1, "its suit is missing, as in TH or ten of hearts"));
    };
    Ok((Card::new(rank, suit(*second)?), 2))
}
