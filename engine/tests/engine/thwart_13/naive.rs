//! Poker hands and complete sets as one would find them with cards on a table: slowly, and without any of the engine's
//! ideas. Only the cards themselves are the engine's.

use engine::games::thwart_13::{Card, Cards, HandPlace, Hands, Suit};

/// A hand's worth: its category, then its ranks as they are compared. A list that ends first is the smaller one.
pub(crate) fn worth(cards: &[Card]) -> (u8, Vec<usize>) {
    let rank = |card: &Card| "23456789TJQKA".find(&card.word()[..1]).unwrap() + 2;
    let all: Vec<usize> = cards.iter().map(rank).collect();
    let often = |rank: &usize| all.iter().filter(|other| *other == rank).count();
    let mut ranks = all.clone();
    ranks.sort_by_key(|rank| std::cmp::Reverse((often(rank), *rank)));
    let count = |n: usize| ranks.iter().filter(|rank| **rank == ranks[n]).count();
    let mut kinds = ranks.clone();
    kinds.dedup();
    let five = cards.len() == 5;
    let flush = five && Suit::ALL.iter().any(|suit| cards.iter().all(|card| card.suit() == *suit));
    let wheel = kinds == [14, 5, 4, 3, 2];
    let straight = five && (wheel || (kinds.len() == 5 && kinds[0] - kinds[4] == 4));
    let top = if wheel { vec![5] } else { vec![kinds[0]] };
    match (count(0), kinds.len()) {
        _ if straight && flush => (8, top),
        (4, _) => (7, kinds),
        (3, 2) if five => (6, kinds),
        _ if flush => (5, kinds),
        _ if straight => (4, top),
        (3, _) => (3, kinds),
        (2, 3) if five => (2, kinds),
        (2, _) => (1, kinds),
        _ => (0, kinds),
    }
}

/// Every way to fill up a hand: its worth then, and the cards that it takes.
fn ways(held: Vec<Card>, open: u8, from: &[Card]) -> Vec<((u8, Vec<usize>), Cards)> {
    fn choose(cards: &mut Vec<Card>, chosen: Cards, open: u8, from: &[Card], all: &mut Vec<((u8, Vec<usize>), Cards)>) {
        if open == 0 {
            all.push((worth(cards), chosen));
            return;
        }
        for (n, card) in from.iter().enumerate() {
            cards.push(*card);
            let mut with = chosen;
            with.add(*card);
            choose(cards, with, open - 1, &from[n + 1..], all);
            cards.pop();
        }
    }
    let (mut held, mut all) = (held, Vec::new());
    choose(&mut held, Cards::NONE, open, from, &mut all);
    all
}

/// True if some way to fill up all three hands makes them a valid set.
pub(crate) fn completes(hands: &Hands, available: Cards) -> bool {
    let from: Vec<Card> = available.iter().collect();
    let [fronts, middles, backs] =
        HandPlace::ALL.map(|place| ways(hands.at(place).iter().collect(), hands.open(place), &from));
    middles.iter().any(|(middle, taken)| {
        let front = |others: Cards| fronts.iter().any(|(front, cards)| front < middle && !cards.meets(others));
        front(*taken)
            && backs.iter().any(|(back, cards)| {
                let both = taken.iter().chain(cards.iter()).collect();
                back > middle && !cards.meets(*taken) && front(both)
            })
    })
}
