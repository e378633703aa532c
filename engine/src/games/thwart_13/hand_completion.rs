//! The ways to fill up one hand that differ in the worth of the hand or in the cards left for the others.
//!
//! Suits matter only to a flush. So a way is either a number of cards of each rank, or, for a flush, certain cards of
//! one suit. Together, the two kinds cover every possible way.

use alloc::vec::Vec;

use super::card::{Card, Cards, Rank, Suit};
use super::hands::Hand;
use super::ranking::{Ranks, Strength};

#[derive(Clone, Copy, Debug)]
pub(super) struct HandCompletion {
    /// The worth of the filled hand, by ranks alone for a way of the first kind, even if its cards share a suit.
    pub(super) strength: Strength,
    pub(super) suited: bool,
    pub(super) ranks: Ranks,
    /// For a flush, its cards; else every card of each rank that it takes from, available or not.
    pub(super) cards: Cards,
}

struct CompletionSearch<'f, K> {
    held: Ranks,
    pool: Ranks,
    keep: K,
    ways: &'f mut Vec<HandCompletion>,
}

pub(super) fn by_ranks(
    hand: &Hand,
    open: u8,
    pool: Ranks,
    keep: impl Fn(Strength) -> bool,
    ways: &mut Vec<HandCompletion>,
) {
    let mut filling = CompletionSearch { held: Ranks::of(hand.iter()), pool, keep, ways };
    filling.ranks_from(0, open, Ranks::default(), Cards::NONE);
}

pub(super) fn suited(
    hand: &Hand,
    open: u8,
    pool: Cards,
    keep: impl Fn(Strength) -> bool,
    ways: &mut Vec<HandCompletion>,
) {
    for suit in Suit::ALL {
        if hand.iter().all(|card| card.suit() == suit) {
            let cards: Vec<Card> = pool.of_suit(suit).iter().collect();
            let mut filling =
                CompletionSearch { held: Ranks::of(hand.iter()), pool: Ranks::default(), keep: &keep, ways };
            filling.cards_from(&cards, open, Ranks::default(), Cards::NONE);
        }
    }
}

impl<K: Fn(Strength) -> bool> CompletionSearch<'_, K> {
    fn ranks_from(&mut self, index: u8, open: u8, taken: Ranks, cards: Cards) {
        if open == 0 {
            let strength = Strength::of_ranks(self.held.with(taken));
            if (self.keep)(strength) {
                self.ways.push(HandCompletion { strength, suited: false, ranks: taken, cards });
            }
            return;
        }
        let Some(rank) = Rank::of_index(index) else { return };
        self.ranks_from(index + 1, open, taken, cards);
        let with = cards.with(Cards::DECK.of_rank(rank));
        let mut taken = taken;
        for more in 1..=open.min(self.pool.count(rank)) {
            taken.add(rank);
            self.ranks_from(index + 1, open - more, taken, with);
        }
    }

    fn cards_from(&mut self, cards: &[Card], open: u8, taken: Ranks, chosen: Cards) {
        if open == 0 {
            let strength = Strength::of_ranks(self.held.with(taken)).suited();
            if (self.keep)(strength) {
                self.ways.push(HandCompletion { strength, suited: true, ranks: taken, cards: chosen });
            }
            return;
        }
        let mut rest = cards;
        while let Some((card, others)) = rest.split_first() {
            if rest.len() < usize::from(open) {
                return;
            }
            let (mut taken, mut chosen) = (taken, chosen);
            taken.add(card.rank());
            chosen.add(*card);
            self.cards_from(others, open - 1, taken, chosen);
            rest = others;
        }
    }
}
