//! The questions of this game that are answered by laying cards into places.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::state::Offer;
use super::{Card, DevilsDeal};
use crate::{Places, Seat, Slot, Thing};

/// The most piles that twelve different cards can make: three single cards, and four piles of two cards.
const PILES: u8 = 7;

fn things(cards: impl IntoIterator<Item = Card>, summed: bool) -> Vec<Thing> {
    let thing = |card: Card| Thing {
        word: card.word().into(),
        label: format!("{} {}", card.colour().name(), card.number()),
        worth: if summed { card.number().into() } else { 0 },
        lies: None,
    };
    cards.into_iter().map(thing).collect()
}

fn slot(label: impl Into<String>, lead: &str, least: u8, most: u8) -> Slot {
    Slot { label: label.into(), lead: lead.into(), least, most }
}

pub(super) fn private(game: &DevilsDeal, seat: Seat) -> Places {
    let allowed = game.pools[seat].kinds().filter(|card| Some(*card) != game.community);
    let places = alloc::vec![slot("Shown first", "", 1, 1), slot("Shown second", "", 1, 1)];
    Places { verb: "", parted: false, nothing: "", note: "", things: things(allowed, false), places }
}

pub(super) fn division(offer: &Offer) -> Places {
    let pile = |number: u8| slot(format!("Pile {number}"), "", 0, 12);
    let places = (1..PILES).map(pile).chain([slot("Set aside", "aside", 0, 12)]).collect();
    Places { verb: "divide", parted: true, nothing: "divide none", note: "", things: things(offer.cards, true), places }
}

pub(super) fn discards(game: &DevilsDeal, seat: Seat) -> Places {
    let excess = game.excess(seat);
    let places = alloc::vec![slot("Discarded", "", excess, excess)];
    Places {
        verb: "discard",
        parted: false,
        nothing: "",
        note: "",
        things: things(game.pools[seat].each(), false),
        places,
    }
}
