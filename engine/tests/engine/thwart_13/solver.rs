//! The search against one that tries every card in every place, and its answers against the game's own judgement.

use std::collections::BTreeMap;

use engine::game::Game;
use engine::games::thwart_13::{Cards, DM_COLOSSEUM_2, HandPlace, Hands, LEGENDS_UNTOLD, Strength, Thwart, complete};
use engine::step::Step;
use engine::{BySeat, GameMatch, Seat, Setup, Stream, To};

use super::naive;
use super::positions::{DeckPart, Position, position, written};
use crate::seeded::numbers;

/// The answer, checked against the game's own judgement.
fn found((hands, available): &Position) -> bool {
    let Some(complete) = complete(hands, *available) else { return false };
    assert_eq!(complete.fault(), None, "{hands:?} with {available:?}: {complete:?}");
    for place in HandPlace::ALL {
        let (held, all) = (hands.at(place).cards(), complete.at(place).cards());
        assert!(held.without(all).is_empty(), "{place:?} lost a card");
        assert!(all.without(held).without(*available).is_empty(), "{place:?} has a card that was not available");
    }
    assert_eq!(complete.cards().count(), 13, "a card lies twice");
    true
}

/// Both rank hands alike.
#[test]
fn hands_rank_as_one_would_rank_them_at_a_table() {
    let mut chance = numbers(52);
    for part in DeckPart::ALL {
        for _ in 0..4000 {
            let (_, cards) = position(part, 13, 10, &mut chance);
            let cards: Vec<_> = cards.iter().collect();
            // Three against five, and five against five.
            for split in [3, 5] {
                let (one, other) = cards.split_at(split);
                let other = &other[..other.len().min(5)];
                let naive = naive::worth(one).cmp(&naive::worth(other));
                let ours = Strength::of(one.iter().copied()).cmp(&Strength::of(other.iter().copied()));
                assert_eq!(ours, naive, "{one:?} against {other:?}");
            }
        }
    }
}

#[test]
fn the_search_says_what_trying_everything_says() {
    let mut chance = numbers(13);
    for part in DeckPart::ALL {
        let mut answers: BTreeMap<bool, u32> = BTreeMap::new();
        for _ in 0..3000 {
            let open = chance.below(7) as usize;
            let spare = chance.below(if open > 5 { 3 } else { 6 }) as usize;
            let position = position(part, open, open + spare, &mut chance);
            let (ours, naive) = (found(&position), naive::completes(&position.0, position.1));
            assert_eq!(ours, naive, "{part:?}: {position:?}");
            *answers.entry(ours).or_default() += 1;
        }
        assert!(answers[&true] >= 300 && answers[&false] >= 300, "{part:?}: {answers:?}");
    }
}

/// Positions in which one card more or less, or its suit, decides.
#[test]
fn the_search_is_right_where_it_is_close() {
    for (text, holds) in [
        // The exact example: no straight flush, and nothing else beats four of a kind.
        ("|4C 4D 4H 4S|7C 8C 9C TC|2D 3D 5H 9D AC KC JD 2H", false),
        ("|4C 4D 4H 4S|7C 8C 9C TC|2D 3D 5H 9D AC KC JC 2H", true),
        // Two equal flushes are not in order; one rank of difference is enough.
        ("2C 3D 5H|6H 8H TH QH|6S 8S TS QS|AH AS", false),
        ("2C 3D 5H|6H 8H TH QH|6S 8S TS QS|KH AS", true),
        ("2C 3D 5H|6H 8H TH QH|6S 8S TS QS|AH KH", false),
        // With the king of another suit the middle is no flush, and the back has the ace.
        ("2C 3D 5H|6H 8H TH QH|6S 8S TS QS|AH KS", true),
        // With the heart, the middle would be a flush that the back cannot beat; with another suit it is lower than the
        // pair.
        ("2C 3D 5H|6H 8H TH QH|AC AD 9S 8C|7H 9D KC", true),
        ("2C 3D 5H|6H 8H TH QH|AC AD 9S 8C|7H KH", false),
        // Both hands need the only card of another suit.
        ("2C 3D 5H|6H 8H TH QH|6S 8S TS QS|7H 9S", true),
        ("2C 3D 5H|6H 8H TH QH|AC AD 9S 8C|7H 9H AH", false),
        // The wheel is the lowest straight, and is one with the ace alone.
        ("2C 2D 5H|2H 3S 4D 5C|3H 4S 5D 6C|AC 7D", true),
        ("2C 2D 5H|3H 4S 5D 6C|2H 3S 4D 5C|AC 7D 7H", false),
        ("2C 2D 5H|3H 4S 5D 6C|2H 3S 4D 5C|AC 7D", false),
        // Two sixes in the middle are enough against two twos, and the wheel is behind them.
        ("2C 2D 5H|3H 4S 5D 6C|2H 3S 4D 5C|AC 6D 7D", true),
        ("2C 2D 5H|3H 4S 5D 6C|3C 4C 5S 6D|7C 2S", true),
        // Two flushes from the same nine cards, then from ten.
        ("2C 3D 4D|KH|AH|2H 3H 4H 5H 6H 8H 9H", false),
        ("2C 3D 4D|KH|AH|2H 3H 4H 5H 6H 8H 9H TH", true),
        // A front without a further kicker is the weaker one; then one that has it.
        ("7D 7C 9H|7S 7H 9D 4C|KC KD 2C 3C|2D 5D", true),
        ("7D 7C TH|7S 7H 9D 4C|KC KD 2C 3C|2D 5D", false),
        // The front needs the same card as the middle.
        ("QD QC|QH QS 9D 8C|KC KD 3C 4C|AD 5D 6H", true),
        ("QD QC|QH QS 9D 8C|KC KD 3C 4C|AD KH 6H", true),
        ("QD QC|QH QS 2D 3H|KC KD 3C 4C|AD KH 6H", true),
        ("QD QC|QH QS 2D 3H|KC KD 3C 4C|AD AH 6H", true),
        ("QD QC|QH QS 2D 3H|KC KD 3C 4C|AD AH AS", true),
        ("QD QC|QH QS 2D 3H|JC JD 3C 4C|AD 5D 6H", false),
        // Full hands are judged as they are; with too few cards there is no set.
        ("2C 3D 5H|6H 8H TH QH KC|AC AD 9S 8C 7D|", true),
        ("2C 3D 5H|AC AD 9S 8C 7D|6H 8H TH QH KC|", false),
        ("2C 3D 5H|6H 8H TH QH|AC AD 9S 8C|KC", false),
        // Four of a kind on both sides, the higher one behind.
        ("2C 3D 5H|4C 4D 4H|9C 9D 9H|4S 9S 6C 7C", true),
        ("2C 3D 5H|9C 9D 9H|4C 4D 4H|4S 6C 7C", false),
    ] {
        let position = written(text);
        assert_eq!(naive::completes(&position.0, position.1), holds, "{text}");
        assert_eq!(found(&position), holds, "{text}");
    }
}

/// Positions of whole matches, from empty hands to full ones.
fn played(rules: &engine::games::thwart_13::Rules, seed: u64) -> Vec<Position> {
    let (mut chance, mut positions) = (numbers(seed), Vec::new());
    let mut playing = GameMatch::<Thwart>::start(rules, &Setup::default());
    while !playing.outcome().is_over() {
        positions.extend(Seat::BOTH.map(|seat| (*playing.game().hands(seat), playing.game().available())));
        let ask = playing.game().asks().pop().unwrap();
        let mut sample = |seat| playing.game().sample(seat, &ask.what, &mut chance).unwrap();
        let step = match ask.to {
            To::One(seat) => Step::One(seat, sample(seat)),
            _ => Step::Both(BySeat::from_fn(sample)),
        };
        playing.play_step(&step, &mut ()).unwrap();
    }
    positions
}

#[test]
fn a_set_that_is_found_is_valid_at_every_stage() {
    for seed in 1..=8 {
        for rules in [&DM_COLOSSEUM_2.rules, &LEGENDS_UNTOLD.rules] {
            let positions = played(rules, seed);
            assert!(found(&positions[0]), "anybody can complete a set of all cards");
            positions.iter().for_each(|position| {
                found(position);
            });
        }
    }
    let mut chance = numbers(4);
    for part in DeckPart::ALL {
        for open in 0..=13 {
            for available in [open, open + 3, 26, 39] {
                found(&position(part, open, available, &mut chance));
            }
        }
    }
}

/// More available cards never make a set impossible, and a card in a hand never makes it easier than a free choice.
#[test]
fn more_cards_never_hurt() {
    let mut chance = numbers(7);
    for part in DeckPart::ALL {
        for _ in 0..120 {
            let open = chance.below(14) as usize;
            let (hands, available) = position(part, open, open + chance.below(12) as usize, &mut chance);
            let holds = complete(&hands, available).is_some();
            let others: Vec<_> = Cards::DECK.without(hands.cards()).without(available).iter().collect();
            if let Some(more) = others.get(chance.below(others.len().max(1) as u64) as usize) {
                let mut with = available;
                with.add(*more);
                assert!(!holds || complete(&hands, with).is_some(), "{hands:?} with {available:?} and {more:?}");
            }
            let Some(all) = complete(&hands, available) else { continue };
            // Claiming a card of the found set keeps that set possible.
            let Some(next) = all.cards().without(hands.cards()).iter().next() else { continue };
            let place = HandPlace::ALL.into_iter().find(|place| all.at(*place).cards().has(next)).unwrap();
            let (mut hands, mut left) = (hands, available);
            super::positions::push(&mut hands, place, next);
            left.remove(next);
            assert!(complete(&hands, left).is_some(), "{hands:?} with {left:?}");
        }
    }
}

#[test]
fn without_cards_there_is_no_set() {
    assert_eq!(complete(&Hands::default(), Cards::NONE), None);
    let empty = complete(&Hands::default(), Cards::DECK);
    assert_eq!(empty, complete(&Hands::default(), Cards::DECK), "the same question has the same answer");
}
