//! A seat's move, its reader and its writer.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::card::Card;
use super::card_notation::{self, Token};
use super::challenge_answer::Answer;
use super::hands::HandPlace;
use crate::{Refusal, vocabulary};

/// A seat's move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Nothing came in time: `-`.
    Missing,
    /// No card this round.
    Pass,
    /// The card selected.
    Select(Card),
    /// The hand that the selected card is claimed into.
    Claim(HandPlace),
    /// The selected card goes into no hand.
    Discard,
    /// The opponent can no longer complete a valid set.
    Challenge,
    /// The answer to a challenge.
    Hands(Box<Answer>),
}

pub(super) const PASS: &str = "pass";
pub(super) const DISCARD: &str = "discard";
pub(super) const CHALLENGE: &str = "challenge";
const HANDS: &str = "hands";
const EXPECTED: &str = "expected a card such as TH, pass, front, middle, back or discard";
const EXPECTED_ALONE: &str =
    "expected front, middle, back, discard, challenge, or hands with three groups of cards and | between them";

#[derive(Clone, Copy)]
enum Word {
    Pass,
    Claim(HandPlace),
    Discard,
    Challenge,
    Hands,
}

const WORDS: [(&str, Word); 7] = [
    (PASS, Word::Pass),
    ("front", Word::Claim(HandPlace::Front)),
    ("middle", Word::Claim(HandPlace::Middle)),
    ("back", Word::Claim(HandPlace::Back)),
    (DISCARD, Word::Discard),
    (CHALLENGE, Word::Challenge),
    (HANDS, Word::Hands),
];

pub(super) fn read_joint(text: &str) -> Result<Move, Refusal> {
    match read(text, EXPECTED)? {
        Move::Challenge => {
            let why = "a challenge is a line of its own: p1: challenge or p2: challenge";
            Err(Refusal::of_text(0, text, why))
        }
        Move::Hands(_) => {
            let why =
                "hands answer a challenge, in a line of the challenged seat alone, as in p2: hands and three groups";
            Err(Refusal::of_text(0, text, why))
        }
        sent => Ok(sent),
    }
}

pub(super) fn read_single(text: &str) -> Result<Move, Refusal> {
    match read(text, EXPECTED_ALONE)? {
        Move::Select(_) | Move::Pass => {
            let why = "both seats select together: write both selections with / between them";
            Err(Refusal::of_text(0, text, why))
        }
        sent => Ok(sent),
    }
}

fn read(text: &str, expected: &str) -> Result<Move, Refusal> {
    if text == "-" {
        return Ok(Move::Missing);
    }
    let tokens: Vec<Token<'_>> = vocabulary::split(text).collect();
    let Some(((at, first), rest)) = tokens.split_first() else {
        return Err(Refusal::of_text(0, text, expected));
    };
    let word = vocabulary::find(first, *at, &WORDS).ok();
    // A lone h is a suit, unless groups follow it. HA is the ace of hearts; if groups follow, it is ambiguous.
    let groups = text.contains('|');
    let ace = card_notation::card(&[(*at, first)]).is_ok();
    if groups && ace && matches!(word, Some(Word::Hands)) {
        let why = "hands or the ace of hearts? Write one letter more, or AH";
        return Err(Refusal::of_text(*at, first, why));
    }
    let hands = matches!(word, Some(Word::Hands)) && (groups || (first.len() > 1 && !ace));
    if hands || groups {
        let from = if hands { at + first.len() } else { 0 };
        let shown = text.get(from..).unwrap_or_default();
        return answer(shown).map(|answer| Move::Hands(Box::new(answer))).map_err(|refusal| refusal.shifted(from));
    }
    let more = |token: Option<&Token<'_>>| {
        token.map_or(Ok(()), |(at, token)| Err(Refusal::of_text(*at, token, "one thing at a time: nothing may follow")))
    };
    match (word.and_then(moved), card_notation::card(&tokens)) {
        (Some(sent), Err(refusal)) if rest.is_empty() || refusal.expected == card_notation::NO_CARD => {
            more(rest.first()).map(|()| sent)
        }
        // A suit before its rank can begin like a word.
        (_, Ok((card, used))) => more(tokens.get(used)).map(|()| Move::Select(card)),
        (_, Err(refusal)) if refusal.expected == card_notation::NO_CARD => Err(Refusal::of_text(*at, first, expected)),
        (_, Err(refusal)) => Err(refusal),
    }
}

const fn moved(word: Word) -> Option<Move> {
    match word {
        Word::Pass => Some(Move::Pass),
        Word::Claim(place) => Some(Move::Claim(place)),
        Word::Discard => Some(Move::Discard),
        Word::Challenge => Some(Move::Challenge),
        Word::Hands => None,
    }
}

fn answer(text: &str) -> Result<Answer, Refusal> {
    const WHY: &str = "expected three groups of cards with | between them, front | middle | back";
    let mut groups = Vec::new();
    let mut at = 0;
    for part in text.split('|') {
        groups.push(cards(part).map_err(|refusal| refusal.shifted(at))?);
        if groups.last().is_some_and(Vec::is_empty) || groups.len() > 3 {
            return Err(Refusal::of_text(at, part.trim(), WHY));
        }
        at += part.len() + 1;
    }
    match <[Vec<Card>; 3]>::try_from(groups) {
        Ok([front, middle, back]) => Ok(Answer { front, middle, back }),
        Err(_) => Err(Refusal::of_text(0, text.trim(), WHY)),
    }
}

fn cards(text: &str) -> Result<Vec<Card>, Refusal> {
    let tokens: Vec<Token<'_>> = vocabulary::split(text).collect();
    let (mut cards, mut rest) = (Vec::new(), tokens.as_slice());
    while !rest.is_empty() {
        let (card, used) = card_notation::card(rest)?;
        cards.push(card);
        rest = rest.get(used..).unwrap_or_default();
    }
    Ok(cards)
}

pub(super) fn write(sent: &Move, out: &mut String) {
    match sent {
        Move::Missing => out.push('-'),
        Move::Pass => out.push_str(PASS),
        Move::Select(card) => out.push_str(card.word()),
        Move::Claim(place) => out.push_str(place.word()),
        Move::Discard => out.push_str(DISCARD),
        Move::Challenge => out.push_str(CHALLENGE),
        Move::Hands(answer) => {
            out.push_str(HANDS);
            out.push(' ');
            write_groups(HandPlace::ALL.map(|place| answer.at(place).iter().copied()), out);
        }
    }
}

pub(super) fn write_groups<C: Iterator<Item = Card>>(groups: [C; 3], out: &mut String) {
    for (n, group) in groups.into_iter().enumerate() {
        if n > 0 {
            out.push_str(" |");
        }
        for (m, card) in group.enumerate() {
            if n + m > 0 {
                out.push(' ');
            }
            out.push_str(card.word());
        }
    }
}
