//! Decides if a seat can still complete a valid set from the available cards, and finds one such set.
//!
//! The search is complete: it tries every [way](super::hand_completion) to fill up each hand, so finding nothing is a proof. A set
//! exists exactly if there are three ways such that
//! 1. the front is worth less than the middle, and the middle less than the back;
//! 2. of every rank they take no more cards than there are;
//! 3. two flushes take different cards;
//! 4. a middle by ranks alone can have two suits, without the cards of a back that is a flush. Otherwise it is a flush
//!    itself, worth more than its ranks, and is searched as one.
//!
//! A front is never a flush. A back by ranks alone that turns out to be a flush is only stronger. A flush takes at most
//! one card of each rank, that of its suit, so the other hands may take any of the cards left, and counting them is
//! enough.

use alloc::vec::Vec;

use super::card::{Card, Cards, Rank, Suit};
use super::hand_completion::{self, HandCompletion};
use super::hands::{Hand, HandPlace, Hands};
use super::ranking::{Ranks, Strength};

/// The hands of a seat, filled up to a valid set with available cards, the held ones first. None is a proof that no
/// valid set can be completed.
#[must_use]
pub fn complete(hands: &Hands, available: Cards) -> Option<Hands> {
    let open = |place| hands.open(place);
    let due: u32 = HandPlace::ALL.into_iter().map(|place| u32::from(open(place))).sum();
    if available.count() < due {
        return None;
    }
    let pool = Ranks::of(available.iter());
    let mut fronts = Vec::new();
    hand_completion::by_ranks(&hands.front, open(HandPlace::Front), pool, |_| true, &mut fronts);
    let weakest = fronts.iter().map(|front| front.strength).min()?;
    let mut backs = Vec::new();
    let keep = |strength| strength > weakest;
    hand_completion::by_ranks(&hands.back, open(HandPlace::Back), pool, keep, &mut backs);
    hand_completion::suited(&hands.back, open(HandPlace::Back), available, keep, &mut backs);
    let strongest = backs.iter().map(|back| back.strength).max()?;
    let mut middles = Vec::new();
    let keep = |strength| strength > weakest && strength < strongest;
    hand_completion::by_ranks(&hands.middle, open(HandPlace::Middle), pool, keep, &mut middles);
    hand_completion::suited(&hands.middle, open(HandPlace::Middle), available, keep, &mut middles);
    // Weak fronts and middles and strong backs leave the most room to the others.
    fronts.sort_unstable_by_key(|way| (way.strength, way.ranks.0));
    middles.sort_unstable_by_key(|way| (way.strength, way.ranks.0, way.cards));
    backs.sort_unstable_by_key(|way| core::cmp::Reverse((way.strength, way.ranks.0, way.cards)));
    Search { hands, available, pool, fronts: &fronts, middles: &middles, backs: &backs }.run()
}

struct Search<'s> {
    hands: &'s Hands,
    available: Cards,
    pool: Ranks,
    /// The weakest first.
    fronts: &'s [HandCompletion],
    /// The weakest first.
    middles: &'s [HandCompletion],
    /// The strongest first.
    backs: &'s [HandCompletion],
}

impl Search<'_> {
    fn run(&self) -> Option<Hands> {
        self.middles.iter().find_map(|middle| {
            let left = self.pool.less(middle.ranks)?;
            // Without any front for this middle, no back can help.
            self.front(middle.strength, left)?;
            let stronger = self.backs.iter().take_while(|back| back.strength > middle.strength);
            stronger.filter(|back| self.go_together(middle, back)).find_map(|back| {
                let front = self.front(middle.strength, left.less(back.ranks)?)?;
                Some(self.laid_out([front, middle, back]))
            })
        })
    }

    fn front(&self, below: Strength, left: Ranks) -> Option<&HandCompletion> {
        let weaker = self.fronts.iter().take_while(|front| front.strength < below);
        weaker.into_iter().find(|front| left.less(front.ranks).is_some())
    }

    fn go_together(&self, middle: &HandCompletion, back: &HandCompletion) -> bool {
        if middle.suited {
            return !(back.suited && middle.cards.meets(back.cards));
        }
        let free = if back.suited { self.available.without(back.cards) } else { self.available };
        let held = self.hands.middle.cards();
        let may = held.with(free.within(middle.cards));
        Suit::ALL.into_iter().filter(|suit| !may.of_suit(*suit).is_empty()).count() > 1
    }

    fn laid_out(&self, [front, middle, back]: [&HandCompletion; 3]) -> Hands {
        let held = self.hands;
        // A flush takes its own cards; a way by ranks takes any that are left.
        let flush = if back.suited { back.cards } else { Cards::NONE };
        let free = self.available.without(flush);
        let to_middle = if middle.suited { middle.cards } else { mixed(&held.middle, middle.ranks, free) };
        let free = free.without(to_middle);
        let to_back = if back.suited { flush } else { lowest(back.ranks, free) };
        let to_front = lowest(front.ranks, free.without(to_back));
        let filled = |hand: &Hand, cards: Cards| {
            let mut hand = *hand;
            cards.iter().for_each(|card| hand.push(card));
            hand
        };
        Hands {
            front: filled(&held.front, to_front),
            middle: filled(&held.middle, to_middle),
            back: filled(&held.back, to_back),
        }
    }
}

fn lowest(ranks: Ranks, free: Cards) -> Cards {
    Rank::all().flat_map(|rank| free.of_rank(rank).iter().take(usize::from(ranks.count(rank)))).collect()
}

/// This many cards of each rank, chosen so that the middle hand is not a flush, if possible.
fn mixed(held: &Hand, ranks: Ranks, free: Cards) -> Cards {
    let mut cards = lowest(ranks, free);
    let all = held.cards().with(cards);
    if let Some(only) = all.iter().map(Card::suit).next()
        && all.iter().all(|card| card.suit() == only)
    {
        let of_ranks = |card: &Card| ranks.count(card.rank()) > 0 && card.suit() != only;
        if let Some(other) = free.iter().find(of_ranks) {
            cards = cards.without(Cards::DECK.of_rank(other.rank()));
            cards.add(other);
        }
    }
    cards
}
