//! Reading cards as people write them: `TH`, `10h`, `H10`, `ten of hearts`, `q spades`.

use super::card::{Card, Rank, Suit};
use crate::{Refusal, words};

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

/// The ranks by index, with every word for them that is not merely cut short.
const RANKS: [(&str, u8); 27] = [
    ("2", 0),
    ("two", 0),
    ("3", 1),
    ("three", 1),
    ("4", 2),
    ("four", 2),
    ("5", 3),
    ("five", 3),
    ("6", 4),
    ("six", 4),
    ("7", 5),
    ("seven", 5),
    ("8", 6),
    ("eight", 6),
    ("9", 7),
    ("nine", 7),
    ("t", 8),
    ("10", 8),
    ("ten", 8),
    ("j", 9),
    ("jack", 9),
    ("q", 10),
    ("queen", 10),
    ("k", 11),
    ("king", 11),
    ("a", 12),
    ("ace", 12),
];

/// What is said of words that are no card at all.
pub(super) const NO_CARD: &str = "expected a card such as TH or ten of hearts";

/// A word with its byte offset.
pub(super) type Token<'t> = (usize, &'t str);

fn rank((at, token): Token<'_>) -> Result<Rank, Refusal> {
    // A one before a zero is no rank yet.
    let index = if token == "1" { None } else { Some(words::find(token, at, &RANKS)?) };
    index
        .and_then(Rank::of_index)
        .ok_or_else(|| Refusal::of_text(at, token, "expected a rank from 2 to 10, J, Q, K or A"))
}

fn suit((at, token): Token<'_>) -> Result<Suit, Refusal> {
    words::find(token, at, &SUITS)
        .map_err(|_| Refusal::of_text(at, token, "expected a suit: clubs, diamonds, hearts or spades"))
}

/// Rank and suit in one word, in either order.
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
    let (mut from_left, mut from_right) = (token.chars(), token.chars());
    let (first, last) = (from_left.next()?, from_right.next_back()?);
    let card = |text: &str, letter: char| Some(Card::new(rank(text)?, suit(letter)?));
    card(from_right.as_str(), last).or_else(|| card(from_left.as_str(), first))
}

/// Reads the card that these words begin with: the card, and how many words it took.
///
/// # Errors
/// What is no card, with its place.
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
    // Of two ranks that a word may mean, both are named; of none, that it is no card.
    let rank = rank(*first).map_err(|refusal| match refusal.expected.starts_with("expected") {
        true => Refusal::of_text(first.0, first.1, NO_CARD),
        false => refusal,
    })?;
    let Some(second) = rest.first() else {
        return Err(Refusal::of_text(first.0, first.1, "its suit is missing, as in TH or ten of hearts"));
    };
    Ok((Card::new(rank, suit(*second)?), 2))
}
