//! The ways to form piles of an offer.

use std::collections::BTreeSet;

use engine::Sight;

use super::{DEALT, played};

const OFFER: &str = "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6";

#[test]
fn there_are_seven_ways_to_form_the_piles_of_the_example() {
    let cards = [("R2", 2), ("R3", 3), ("B3", 3), ("G5", 5), ("G6", 6), ("B6", 6), ("G8", 8), ("B9", 9)];
    let mut ways = BTreeSet::new();
    for code in 0..3_u32.pow(8) {
        let mut piles = [const { Vec::new() }; 3];
        (0..8).for_each(|at| piles[(code / 3_u32.pow(at) % 3) as usize].push(cards[at as usize]));
        if piles.iter().all(|pile| pile.iter().map(|(_, number)| number).sum::<u32>() == 14) {
            let mut piles = piles.map(|pile| pile.into_iter().map(|(card, _)| card).collect::<Vec<_>>().join(" "));
            piles.sort();
            ways.insert(piles.join(" | "));
        }
    }
    assert_eq!(ways.len(), 7);
    let same: BTreeSet<String> = ways
        .into_iter()
        .map(|way| {
            let division = format!("p1: divide {way} | aside G2 B5 R7");
            played(&[&DEALT[..], &["p1: refill", OFFER, &division]].concat()).state(Sight::Everything)
        })
        .collect();
    assert_eq!(same.len(), 1, "every way takes the same cards");
}
