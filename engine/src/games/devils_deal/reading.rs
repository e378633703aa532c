//! Reads the lines of seats and host, leniently.

use alloc::vec::Vec;

use super::card::Card;
use super::moves::{DEALT, OFFERED};
use super::token::{Entry, Piece, Placed, Word, pieces};
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
const HOST: &[Entry] = &[
    ("deal", Piece::Word(Word::Deal)),
    ("offer", Piece::Word(Word::Offer)),
    ("community", Piece::Word(Word::Community)),
];

/// The words that a phase asks of a seat.
const fn due(phase: Phase) -> &'static [Entry] {
    match phase {
        Phase::Start => START,
        Phase::Refill => REFILL,
        Phase::Divide => DIVIDE,
        Phase::Discard => DISCARD,
        Phase::Take => TAKE,
        Phase::Bet => BET,
        Phase::Deal | Phase::Offer | Phase::Community | Phase::Private | Phase::Over => &[],
    }
}

/// The verb of a line, where it names one, and what else it says.
struct Line<'t> {
    verb: Option<Word>,
    rest: Vec<Placed<'t>>,
}

impl<'t> Line<'t> {
    fn of(text: &'t str, due: &[Entry]) -> Result<Self, Refusal> {
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

    /// The one thing that follows the verb.
    fn only<T>(&self, text: &str, expected: &str, wanted: impl Fn(Piece) -> Option<T>) -> Result<T, Refusal> {
        let Some((first, others)) = self.rest.split_first() else {
            return Err(Refusal::of_text(text.len(), "", expected));
        };
        let (at, word, piece) = *first;
        let found = wanted(piece).ok_or_else(|| Refusal::of_text(at, word, expected))?;
        end(others)?;
        Ok(found)
    }

    /// All that follows are cards.
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

fn end(rest: &[Placed<'_>]) -> Result<(), Refusal> {
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

/// Reads a line of one seat alone. The verb may be left out where the phase has only one that takes what is there.
pub(super) fn single(phase: Phase, text: &str) -> Result<Move, Refusal> {
    if text == "-" {
        return Ok(Move::Missing);
    }
    let line = Line::of(text, due(phase))?;
    let verb = line.verb.or(match phase {
        Phase::Start => Some(Word::Start),
        Phase::Divide => Some(Word::Divide),
        Phase::Discard => Some(Word::Discard),
        Phase::Take => Some(Word::Take),
        _ => None,
    });
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

fn division(text: &str, rest: &[Placed<'_>]) -> Result<Division, Refusal> {
    if let [(_, _, Piece::Word(Word::None))] = rest {
        return Ok(Division::default());
    }
    if rest.is_empty() {
        return Err(Refusal::of_text(text.len(), "", "expected piles with | between them, or none"));
    }
    let (mut division, mut aside) = (Division::default(), None);
    for pile in rest.split(|(_, _, piece)| *piece == Piece::Bar) {
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
                    return Err(Refusal::of_text(*at, word, "aside stands once, before the pile that it marks"));
                }
                _ => return Err(Refusal::of_text(*at, word, "expected cards, such as R7")),
            }
        }
        let (at, word) = pile.first().map_or((text.len(), ""), |(at, word, _)| (*at, *word));
        if cards.count() == 0 {
            let at = if pile.is_empty() { 0 } else { at };
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

/// Reads a seat's private cards.
pub(super) fn joint(text: &str) -> Result<Move, Refusal> {
    if text == "-" {
        return Ok(Move::Missing);
    }
    let found = pieces(text, &[])?;
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

/// Reads a line of the host.
pub(super) fn draw(phase: Phase, text: &str) -> Result<Draw, Refusal> {
    let line = Line::of(text, HOST)?;
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
            <[Card; OFFERED]>::try_from(cards.cards()).map(Draw::Offer).map_err(|_| Refusal::of_text(0, text, expected))
        }
        Some(Word::Deal) => {
            let wrong = || Refusal::of_text(0, text, "expected 5 cards of p1, a |, and 5 cards of p2");
            let mut pools = line.rest.split(|(_, _, piece)| *piece == Piece::Bar);
            let mut pool = || {
                let cards: Option<Vec<Card>> = pools.next()?.iter().map(|(_, _, piece)| card(*piece)).collect();
                <[Card; DEALT]>::try_from(cards?).ok()
            };
            let dealt = BySeat { p1: pool().ok_or_else(wrong)?, p2: pool().ok_or_else(wrong)? };
            if pools.next().is_some() { Err(wrong()) } else { Ok(Draw::Deal(dealt)) }
        }
        _ => Err(Refusal::of_text(0, text, "expected deal, offer or community, and cards")),
    }
}
