//! Reads the lines of seats and host, leniently.

use alloc::vec::Vec;

use super::card::Card;
use super::moves::{DEALT, OFFERED};
use super::token::{CARDS, Due, Entry, Piece, Token, Word, pieces};
use super::{Division, Draw, Move, Phase, Spread};
use crate::{BySeat, Refusal, Seat};

const START: &[Entry] =
    &[("start", Piece::Word(Word::Start)), ("p1", Piece::Seat(Seat::P1)), ("p2", Piece::Seat(Seat::P2))];
const REFILL: &[Entry] = &[("refill", Piece::Word(Word::Refill)), ("stand", Piece::Word(Word::Stand))];
const DIVIDE: &[Entry] =
    &[("divide", Piece::Word(Word::Divide)), ("aside", Piece::Word(Word::Aside)), ("none", Piece::Word(Word::None))];
const DISCARD: &[Entry] = &[("discard", Piece::Word(Word::Discard))];
const TAKE: &[Entry] = &[("take", Piece::Word(Word::Take)), ("none", Piece::Word(Word::None))];
const BET: &[Entry] =
    &[("raise", Piece::Word(Word::Raise)), ("call", Piece::Word(Word::Call)), ("fold", Piece::Word(Word::Fold))];
const NO_WORDS: &[Entry] = &[];
const HOST: &[Entry] = &[
    ("deal", Piece::Word(Word::Deal)),
    ("offer", Piece::Word(Word::Offer)),
    ("community", Piece::Word(Word::Community)),
];

/// The move that a phase asks of a seat. The verb may be left out if the phase has only one that takes cards or
/// numbers.
const fn due(phase: Phase) -> Due {
    let (words, verb) = match phase {
        Phase::Start => (START, Some(Word::Start)),
        Phase::Refill => (REFILL, None),
        Phase::Divide => (DIVIDE, Some(Word::Divide)),
        Phase::Discard => (DISCARD, Some(Word::Discard)),
        Phase::Take => (TAKE, Some(Word::Take)),
        Phase::Bet => (BET, None),
        Phase::Deal | Phase::Offer | Phase::Community | Phase::Private | Phase::Over => (NO_WORDS, None),
    };
    Due { words, verb }
}

struct Line<'t> {
    verb: Option<Word>,
    rest: Vec<Token<'t>>,
}

impl<'t> Line<'t> {
    fn of(text: &'t str, due: Due) -> Result<Self, Refusal> {
        let mut line = Self { verb: None, rest: Vec::new() };
        for placed in pieces(text, due)? {
            match placed {
                (_, _, Piece::Word(Word::Aside | Word::None)) => line.rest.push(placed),
                (at, word, Piece::Word(_)) if line.verb.is_some() => {
                    return Err(Refusal::of_text(at, word, "expected the end of the move: it names one thing to do"));
                }
                (_, _, Piece::Word(verb)) => line.verb = Some(verb),
                _ => line.rest.push(placed),
            }
        }
        Ok(line)
    }

    fn only<T>(&self, text: &str, expected: &str, wanted: impl Fn(Piece) -> Option<T>) -> Result<T, Refusal> {
        let Some((first, others)) = self.rest.split_first() else {
            return Err(Refusal::of_text(text.len(), "", expected));
        };
        let (at, word, piece) = *first;
        let found = wanted(piece).ok_or_else(|| Refusal::of_text(at, word, expected))?;
        end(others)?;
        Ok(found)
    }

    fn cards(&self, text: &str, expected: &str) -> Result<Spread, Refusal> {
        if self.rest.is_empty() {
            return Err(Refusal::of_text(text.len(), "", expected));
        }
        let mut spread = Spread::default();
        for (at, word, piece) in &self.rest {
            let Piece::Card(card) = piece else { return Err(Refusal::of_text(*at, word, expected)) };
            if !spread.push(*card) {
                return Err(Refusal::of_text(*at, word, TOO_MANY));
            }
        }
        Ok(spread)
    }
}

const TOO_MANY: &str = "expected the end of the line: there are only 27 cards";

fn end(rest: &[Token<'_>]) -> Result<(), Refusal> {
    match rest.first() {
        Some((at, word, _)) => Err(Refusal::of_text(*at, word, "expected the end of the move")),
        None => Ok(()),
    }
}

const fn card(piece: Piece) -> Option<Card> {
    match piece {
        Piece::Card(card) => Some(card),
        _ => None,
    }
}

const ASKED: [Phase; 6] = [Phase::Start, Phase::Refill, Phase::Divide, Phase::Discard, Phase::Take, Phase::Bet];

pub(super) fn spell(phase: Phase, text: &str) -> Result<(), Refusal> {
    match single(phase, text) {
        Err(refusal) if !ASKED.into_iter().any(|phase| single(phase, text).is_ok()) => Err(refusal),
        _ => Ok(()),
    }
}

pub(super) fn spell_draw(phase: Phase, text: &str) -> Result<(), Refusal> {
    let drawn = [Phase::Deal, Phase::Offer, Phase::Community];
    match draw(phase, text) {
        Err(refusal) if !drawn.into_iter().any(|phase| draw(phase, text).is_ok()) => Err(refusal),
        _ => Ok(()),
    }
}

pub(super) fn single(phase: Phase, text: &str) -> Result<Move, Refusal> {
    if text == "-" {
        return Ok(Move::Missing);
    }
    let line = Line::of(text, due(phase))?;
    let verb = line.verb.or(due(phase).verb);
    let alone = |sent| end(&line.rest).map(|()| sent);
    match verb {
        Some(Word::Refill) => alone(Move::Refill),
        Some(Word::Stand) => alone(Move::Stand),
        Some(Word::Call) => alone(Move::Call),
        Some(Word::Fold) => alone(Move::Fold),
        Some(Word::Start) => line.only(text, "expected p1 or p2", |piece| match piece {
            Piece::Seat(seat) => Some(Move::Start(seat)),
            _ => None,
        }),
        Some(Word::Raise) => line.only(text, "expected a number of chips after raise", |piece| match piece {
            Piece::Number(total) => Some(Move::Raise(total)),
            _ => None,
        }),
        Some(Word::Take) => line.only(text, "expected one card, or none", |piece| match piece {
            Piece::Word(Word::None) => Some(Move::Take(None)),
            piece => card(piece).map(|card| Move::Take(Some(card))),
        }),
        Some(Word::Discard) => line.cards(text, "expected the cards to discard, such as R2 G3").map(Move::Discard),
        Some(Word::Divide) => division(text, &line.rest).map(Move::Divide),
        _ => Err(Refusal::of_text(0, text, expected(phase))),
    }
}

const fn expected(phase: Phase) -> &'static str {
    match phase {
        Phase::Refill => "expected refill or stand",
        Phase::Bet => "expected raise with a number, call or fold",
        Phase::Private => "both seats are asked together: write both seats' cards with / between them",
        _ => "expected what a seat is asked for",
    }
}

fn division(text: &str, rest: &[Token<'_>]) -> Result<Division, Refusal> {
    if let [(_, _, Piece::Word(Word::None))] = rest {
        return Ok(Division::default());
    }
    if rest.is_empty() {
        return Err(Refusal::of_text(text.len(), "", "expected piles with | between them, or none"));
    }
    let (mut division, mut aside) = (Division::default(), None);
    let bars: Vec<&Token<'_>> = rest.iter().filter(|(_, _, piece)| *piece == Piece::Bar).collect();
    for (n, pile) in rest.split(|(_, _, piece)| *piece == Piece::Bar).enumerate() {
        let marks = pile.iter().filter(|(_, _, piece)| *piece == Piece::Word(Word::Aside)).count();
        let unmarked = match pile {
            [(_, _, Piece::Word(Word::Aside)), cards @ ..] | [cards @ .., (_, _, Piece::Word(Word::Aside))] => cards,
            cards => cards,
        };
        let mut cards = Spread::default();
        for (at, word, piece) in unmarked {
            match piece {
                Piece::Card(card) if cards.push(*card) => {}
                Piece::Card(_) => return Err(Refusal::of_text(*at, word, TOO_MANY)),
                Piece::Word(Word::Aside) => {
                    return Err(Refusal::of_text(*at, word, "write aside once, before the pile that it marks"));
                }
                _ => return Err(Refusal::of_text(*at, word, CARDS)),
            }
        }
        // The place of an empty pile is that of the bar behind it, or, for the last pile, of the bar before it.
        let place = pile.first().or(bars.get(n).copied()).or(bars.last().copied());
        let (at, word) = place.map_or((text.len(), ""), |(at, word, _)| (*at, *word));
        if cards.count() == 0 {
            return Err(Refusal::of_text(at, word, "expected cards in every pile; one of them is empty"));
        }
        if marks == 0 {
            if !division.push(cards.cards()) {
                return Err(Refusal::of_text(at, word, TOO_MANY));
            }
        } else if aside.replace(cards).is_some() {
            return Err(Refusal::of_text(at, word, "one pile is set aside, not two"));
        }
    }
    let Some(aside) = aside else {
        let why = "expected one pile to be marked as set aside, as in | aside R7";
        return Err(Refusal::of_text(text.len(), "", why));
    };
    if division.push(aside.cards()) { Ok(division) } else { Err(Refusal::of_text(0, text, TOO_MANY)) }
}

pub(super) fn joint(text: &str) -> Result<Move, Refusal> {
    if text == "-" {
        return Ok(Move::Missing);
    }
    let found = pieces(text, Due { words: NO_WORDS, verb: None })?;
    if let Some((at, word, _)) = found.iter().find(|(_, _, piece)| matches!(piece, Piece::Word(_) | Piece::Seat(_))) {
        let why = "only private cards are sent by both seats together; what one seat does is a line of its own, as in p1: call";
        return Err(Refusal::of_text(*at, word, why));
    }
    let expected = "expected two cards, the first one to be shown first";
    match found.as_slice() {
        [(_, _, Piece::Card(first)), (_, _, Piece::Card(second))] => Ok(Move::Private(*first, *second)),
        found => {
            let wrong = found.iter().find(|(_, _, piece)| card(*piece).is_none()).or(found.get(2));
            let (at, word) = wrong.map_or((0, text), |(at, word, _)| (*at, *word));
            Err(Refusal::of_text(at, word, expected))
        }
    }
}

pub(super) fn draw(phase: Phase, text: &str) -> Result<Draw, Refusal> {
    // A line that begins with a card, or with a part of one, needs no verb.
    let card_first =
        text.split_whitespace().next().is_some_and(|word| word.contains(|letter: char| letter.is_ascii_digit()));
    let line = Line::of(text, Due { words: HOST, verb: card_first.then_some(Word::Offer) })?;
    let verb = line.verb.or(match phase {
        Phase::Deal => Some(Word::Deal),
        Phase::Offer => Some(Word::Offer),
        Phase::Community => Some(Word::Community),
        _ => None,
    });
    match verb {
        Some(Word::Community) => line.only(text, "expected one card", card).map(Draw::Community),
        Some(Word::Offer) => {
            let expected = "expected 12 cards";
            let cards = line.cards(text, expected)?;
            <[Card; OFFERED]>::try_from(cards.cards())
                .map(Draw::Offer)
                .map_err(|_| Refusal::of_text(0, text, alloc::format!("{expected}, and found {}", cards.count())))
        }
        Some(Word::Deal) => {
            let mut pools: Vec<Vec<Card>> = alloc::vec![Vec::new()];
            for (at, word, piece) in &line.rest {
                match (piece, pools.last_mut()) {
                    (Piece::Bar, _) => pools.push(Vec::new()),
                    (Piece::Card(card), Some(pool)) => pool.push(*card),
                    _ => return Err(Refusal::of_text(*at, word, CARDS)),
                }
            }
            let dealt: Option<Vec<[Card; DEALT]>> = pools.iter().map(|pool| pool.as_slice().try_into().ok()).collect();
            if let Some([p1, p2]) = dealt.as_deref() {
                return Ok(Draw::Deal(BySeat { p1: *p1, p2: *p2 }));
            }
            let counts: Vec<_> = pools.iter().map(|pool| alloc::format!("{}", pool.len())).collect();
            let expected = "expected 5 cards of p1, a |, and 5 cards of p2";
            Err(Refusal::of_text(0, text, alloc::format!("{expected}, and found {}", counts.join(" | "))))
        }
        _ => Err(Refusal::of_text(0, text, "expected deal, offer or community, and cards")),
    }
}
