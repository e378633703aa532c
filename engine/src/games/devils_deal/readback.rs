//! Moves and draws in full words, and the warnings for a seat before it confirms a move.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::borrow::Borrow;

use super::clauses::number;
use super::sentences::{cards_counted, chips};
use super::spread::{Division, sum};
use super::state::{ANTE, PENALTY, POOL_LIMIT, REFILL_PRICE};
use super::{Card, DevilsDeal, Draw, Move};
use crate::Seat;

fn named(card: Card) -> String {
    format!("{} {}", card.colour().name(), card.number())
}

fn all_named(cards: impl IntoIterator<Item = impl Borrow<Card>>) -> String {
    cards.into_iter().map(|card| named(*card.borrow())).collect::<Vec<_>>().join(", ")
}

pub(super) fn describe(game: &DevilsDeal, sent: &Move) -> String {
    match sent {
        Move::Missing => "no move".into(),
        Move::Start(seat) => format!("{} starts the first round", seat.name()),
        Move::Refill => format!("a refill for {REFILL_PRICE} chips"),
        Move::Stand => "no refill, or no more".into(),
        Move::Divide(division) => divided(game, division),
        Move::Discard(cards) => format!("discards {}", all_named(cards.cards())),
        Move::Take(Some(card)) => format!("takes {}", named(*card)),
        Move::Take(None) => "takes none of the cards that were left".into(),
        Move::Private(first, second) => format!("{} first, {} second", named(*first), named(*second)),
        Move::Raise(total) => format!("raises to {total} in this phase"),
        Move::Call => format!("calls the bet of {}", game.betting.highest()),
        Move::Fold => "folds, and gives up the pot".into(),
    }
}

pub(super) fn kind(kind: &str) -> &str {
    match kind {
        "start p1" => "has seat 1 start",
        "start p2" => "has seat 2 start",
        "refill" => "buys a refill",
        "stand" => "buys no more refills",
        "divide" => "divides the offer into piles",
        "divide none" => "makes no piles",
        "discard" => "discards cards",
        "take" => "takes a card that was left",
        "take none" => "takes none of the cards that were left",
        "two cards" => "chooses two private cards",
        "raise" => "raises",
        "call" => "calls",
        "fold" => "folds",
        _ => kind,
    }
}

fn divided(game: &DevilsDeal, division: &Division) -> String {
    let mut piles: Vec<&[Card]> = division.piles().collect();
    let aside = piles.pop();
    let Some(aside) = aside else { return "no piles: everything is set aside, and nothing is taken".into() };
    let sum = sum(aside);
    let aside = all_named(aside);
    let mut text = if piles.is_empty() {
        format!("one pile of {sum}, {aside}, which is set aside: nothing is taken")
    } else {
        let count = piles.iter().map(|pile| pile.len()).sum::<usize>();
        let piles = piles.into_iter().map(all_named).collect::<Vec<_>>().join("; ");
        let cards = cards_counted(u8::try_from(count).unwrap_or(u8::MAX));
        format!("piles that sum to {sum}: {piles} ({cards} taken); set aside {aside}")
    };
    let unused =
        game.offer.iter().flat_map(|offer| offer.cards).filter(|card| !division.cards().cards().contains(card));
    let unused = all_named(unused);
    if !unused.is_empty() {
        text.push_str("; in no pile ");
        text.push_str(&unused);
    }
    text
}

/// Uses only public facts: no warning tells about a hand.
pub(super) fn forewarn(game: &DevilsDeal, seat: Seat, sent: &Move) -> Vec<String> {
    let own = game.chips[seat];
    let mut notes = Vec::new();
    match sent {
        Move::Refill if own < REFILL_PRICE + ANTE => {
            let left = chips(own.saturating_sub(REFILL_PRICE));
            notes.push(format!("That leaves {left}, too few for the ante of {ANTE} (rule {}).", number::ANTE));
        }
        Move::Divide(division) if division.count() < 2 => {
            notes.push(format!("With one pile, or none, nothing is taken (rule {}).", number::DIVIDING));
        }
        Move::Divide(division) => {
            let taken = u8::try_from(division.taken().count()).unwrap_or(u8::MAX);
            let excess = game.pools[seat].count().saturating_add(taken).saturating_sub(POOL_LIMIT);
            if excess > 0 {
                notes.push(format!("{} must then be discarded (rule {}).", cards_counted(excess), number::DISCARDS));
            }
        }
        Move::Take(Some(_)) if game.pools[seat].count() >= POOL_LIMIT => {
            notes.push(format!("1 card must then be discarded (rule {}).", number::DISCARDS));
        }
        Move::Raise(total) if *total == u16::from(game.betting.cap) => {
            notes.push(format!("Nobody can bet more in this phase (rule {}).", number::LIMIT));
        }
        Move::Fold if own < PENALTY => {
            let left = chips(own);
            notes.push(format!(
                "Folding a high card costs {PENALTY} more, and with {left} it would lose the match (rule {}).",
                number::PENALTY
            ));
        }
        Move::Fold => notes.push(format!("Folding a high card costs {PENALTY} more (rule {}).", number::PENALTY)),
        _ => {}
    }
    notes
}

pub(super) fn describe_draw(draw: &Draw) -> String {
    match draw {
        Draw::Deal(pools) => {
            let [p1, p2] = [&pools.p1, &pools.p2].map(all_named);
            format!("{} starts with {p1}; {} with {p2}", Seat::P1.name(), Seat::P2.name())
        }
        Draw::Offer(cards) => format!("an offer of {}", all_named(cards)),
        Draw::Community(card) => format!("the community card is {}", named(*card)),
    }
}
