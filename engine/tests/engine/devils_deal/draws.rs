//! The host's draws: as the rules want them, and every way equally likely.

use engine::{Duel, SplitMix64};

use super::{DEALT, played};

const DRAWS: u32 = 27_000;

/// The cards of a draw, each as its place in the order R G B, 1 to 9.
fn cards(duel: &Duel, chance: &mut SplitMix64) -> Vec<usize> {
    let line = duel.draw(chance).unwrap();
    duel.clone().play(&format!("host: {line}"), None).unwrap();
    let index = |card: &str| {
        let mut letters = card.chars();
        let colour = "RGB".find(letters.next().unwrap()).unwrap();
        colour * 9 + letters.next().unwrap().to_digit(10).unwrap() as usize - 1
    };
    line.split(' ').skip(1).filter(|word| *word != "|").map(index).collect()
}

/// Chi-square of counts that should be equal. With this many draws and bins it is within five standard deviations of
/// its mean, the degrees of freedom, for nearly every seed; ours is fixed.
#[track_caller]
fn level(counts: &[u32], what: &str) {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    assert!(expected > 5.0, "{what}: too few draws");
    let chi: f64 = counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
    let freedom = (counts.len() - 1) as f64;
    assert!((chi - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "{what}: {chi} with {freedom} degrees of freedom");
}

/// Every card is equally likely at every place, and every pair at every two neighbouring places.
fn is_fair(duel: &Duel, places: usize, seed: u64) {
    let mut chance = SplitMix64(seed);
    let mut singles = vec![[0; 27]; places];
    let mut pairs = vec![vec![0; 27 * 26]; places - 1];
    for _ in 0..DRAWS {
        let drawn = cards(duel, &mut chance);
        assert_eq!(drawn.len(), places);
        drawn.iter().zip(&mut singles).for_each(|(card, counts)| counts[*card] += 1);
        for (two, counts) in drawn.windows(2).zip(&mut pairs) {
            assert_ne!(two[0], two[1]);
            counts[two[0] * 26 + two[1] - usize::from(two[1] > two[0])] += 1;
        }
        assert!(drawn.iter().all(|card| drawn.iter().filter(|other| *other == card).count() == 1));
    }
    singles.iter().for_each(|counts| level(counts, "a card at a place"));
    pairs.iter().for_each(|counts| level(counts, "a pair at two places"));
}

/// A match in which an offer is due.
fn offering() -> Duel {
    played(&[&DEALT[..], &["p1: refill"]].concat())
}

/// A match before its first community card.
fn at_community() -> Duel {
    played(&[&DEALT[..], &["p1: stand", "p2: stand"]].concat())
}

#[test]
fn a_deal_is_ten_cards_of_one_deck() {
    is_fair(&played(&[]), 10, 1);
}

#[test]
fn an_offer_is_twelve_cards_of_a_deck_in_random_order() {
    is_fair(&offering(), 12, 2);
}

#[test]
fn a_community_card_is_any_of_all_27() {
    let (duel, mut chance, mut counts) = (at_community(), SplitMix64(3), [0; 27]);
    (0..DRAWS).for_each(|_| counts[cards(&duel, &mut chance)[0]] += 1);
    level(&counts, "a community card");
}

/// The draws in docs/record-format.md depend on these calls of the stream.
#[test]
fn draws_read_the_stream_as_they_say() {
    /// A stream of numbers that leave every card in its place in a shuffle: each i swaps with i.
    struct CountDown(u64);
    impl engine::Stream for CountDown {
        fn word(&mut self) -> u64 {
            self.0 -= 1;
            self.0 + 1
        }
    }
    assert_eq!(played(&[]).draw(&mut CountDown(26)).unwrap(), "deal R1 R2 R3 R4 R5 | R6 R7 R8 R9 G1");
    assert_eq!(offering().draw(&mut CountDown(26)).unwrap(), "offer R1 R2 R3 R4 R5 R6 R7 R8 R9 G1 G2 G3");
    assert_eq!(at_community().draw(&mut CountDown(26)).unwrap(), "community B9");
}
