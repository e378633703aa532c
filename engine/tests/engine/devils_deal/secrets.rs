//! The picture of a pool that everybody can work out, over random matches.

use engine::{Duel, Mark, Panel, Seat, Sight, SplitMix64};
use serde_json::Value;

use super::random::line;
use super::setup;

/// The pool panel of a seat: certain cards, and doubtful ones.
fn pool(duel: &Duel, seat: Seat) -> (Vec<String>, Vec<String>) {
    let (mut sure, mut doubtful) = (Vec::new(), Vec::new());
    for panel in duel.view(Sight::Public).panels {
        match panel {
            Panel::Cards { title, seat: Some(whose), groups, .. } if title == "Pool" && whose == seat => {
                for tile in groups.into_iter().flat_map(|group| group.cards) {
                    if tile.mark == Mark::Perhaps { doubtful.push(tile.card) } else { sure.push(tile.card) }
                }
            }
            _ => {}
        }
    }
    (sure, doubtful)
}

/// In random matches: the picture is never wrong, and nothing that others see depends on a closed card.
#[test]
fn the_picture_holds_and_no_closed_card_shows() {
    for seed in 0..120 {
        let mut duel = Duel::open(&setup(Seat::P2)).unwrap();
        let mut chance = SplitMix64(seed);
        while let Some(line) = line(&duel, &mut chance) {
            let before = duel.clone();
            let mut effects = Vec::new();
            let played = duel.play(&line, Some(&mut effects)).unwrap();
            let state: Value = serde_json::from_str(&duel.state(Sight::Everything)).unwrap();
            for seat in Seat::BOTH {
                let truth = state["pools"][seat.word()].as_array().unwrap();
                let mut rest: Vec<&str> = truth.iter().map(|card| card.as_str().unwrap()).collect();
                let (sure, doubtful) = pool(&duel, seat);
                let mut strike = |card: &String| {
                    let at = rest.iter().position(|held| held == card);
                    at.map(|at| rest.remove(at)).is_some()
                };
                assert!(sure.iter().all(&mut strike), "{line}: {sure:?} are not all in {truth:?}");
                doubtful.iter().for_each(|card| {
                    strike(card);
                });
                assert!(rest.is_empty(), "{line}: nobody would think of {rest:?}");
            }
            // Other private cards behind the same public line make no difference to others.
            if !played.keeps.is_empty() && played.public.contains("? ?") {
                let other = format!("{} / {}", swap(&played.moves.p1, &line, 0), swap(&played.moves.p2, &line, 1));
                let (mut otherwise, mut seen) = (before.clone(), Vec::new());
                otherwise.play(&other, Some(&mut seen)).unwrap();
                assert_eq!(seen, effects);
                assert_eq!(otherwise.state(Sight::Public), duel.state(Sight::Public));
                assert_eq!(otherwise.view(Sight::Public), duel.view(Sight::Public));
            }
        }
    }
}

/// A seat's part of a line with its two cards swapped, if they are closed.
fn swap(shown: &Option<String>, line: &str, part: usize) -> String {
    let sent = line.split(" / ").nth(part).unwrap();
    match (shown.as_deref(), sent.split_once(' ')) {
        (Some("? ?"), Some((first, second))) => format!("{second} {first}"),
        _ => sent.to_owned(),
    }
}
