//! Every match ends within the bounds of its rules, and then stays as it is.

use engine::{Duel, Seat, Sight, SplitMix64};
use proptest::prelude::*;
use serde_json::Value;

use super::{Moment, STEPS, law, play};

/// The most rounds that the rules of a game allow, if they set a bound.
fn bound(ruleset: &str) -> Option<u64> {
    match ruleset {
        "five-card-trick/zeros-gauntlet-final" | "five-card-trick/dm-colosseum-2" => Some(50),
        "five-card-trick/zeros-gauntlet" | "five-card-trick/legends-untold" | "five-card-trick/genius-puzzler" => {
            Some(40)
        }
        "three-card/simply-genius" => Some(25),
        // At most two double passes before each card that goes, and three at the end.
        "thwart-13/dm-colosseum-2" => Some(52 * 3 + 3),
        // Passes end nothing there; only the umpire can end such a match.
        "thwart-13/legends-untold" => None,
        // A round uses two cards of each pool. Pools start with 10 cards together; 60 chips pay for 12 refills, each of
        // at most the 12 cards of its offer.
        "devils-deal/blooming-genius" => Some((10 + 12 * 12) / 4),
        "higher-lower/tempo-up" => None,
        other => panic!("how long can a match of {other} last?"),
    }
}

fn state(duel: &Duel) -> Value {
    serde_json::from_str(&duel.state(Sight::Everything)).unwrap()
}

#[test]
fn legal_play_ends_in_time() {
    law(|game| {
        let ruleset = game.setup.ruleset.clone();
        let mut steps = 0;
        let duel = play(game, |_, _| {
            steps += 1;
            Ok(())
        })?;
        let state = state(&duel);
        prop_assert!(duel.outcome().is_over(), "not after {STEPS} steps: {}", state);
        prop_assert!(duel.asks().is_empty());
        if let Some(most) = bound(&ruleset) {
            let rounds = state["round"].as_u64().unwrap();
            prop_assert!(rounds <= most, "{rounds} rounds: {state}");
        }
        if let Some(coming) = duel.coming_round() {
            prop_assert!((coming - 1).is_multiple_of(5), "rounds are examined five by five: {state}");
        }
        if ruleset.starts_with("higher-lower") {
            // A turned cell, a stop after it, and two missed choices before each of five grey cells.
            prop_assert!(steps <= 20 + 5 * (25 + 25 + 2 * 5 + 1), "{steps} steps");
        }
        Ok(())
    });
}

/// After its end a match accepts nothing but an umpire's ruling, at any time.
#[test]
fn only_the_umpire_speaks_after_the_end() {
    law(|game| {
        let mut lines = Vec::new();
        let mut stopped = None;
        let ended = play(game, |Moment { before, played, .. }, chance| {
            lines.push(played.text.clone());
            if engine::Stream::below(chance, lines.len() as u64) == 0 {
                stopped = Some(before.clone());
            }
            Ok(())
        })?;
        for mut duel in stopped.into_iter().chain([ended]) {
            for (said, tag) in [("p2", "p2"), ("undecided", "undecided"), ("void", "void"), ("p1", "p1")] {
                let (before, asked) = (state(&duel), duel.asks());
                duel.play(&format!("umpire: result {said} as agreed"), None).unwrap();
                prop_assert_eq!(duel.outcome().tag(), tag);
                prop_assert_eq!(duel.outcome().reason(), "umpire");
                let after = state(&duel);
                // The cards on the table stay there; only phases and windows close.
                for (key, was) in before.as_object().unwrap() {
                    if !["phase", "turn", "window", "picked", "last", "turned", "community", "private", "pot", "bets"]
                        .contains(&key.as_str())
                        || (key == "pot" && duel.coming_round().is_some())
                    {
                        prop_assert_eq!(was, &after[key], "{}", key);
                    }
                }
                prop_assert!(duel.outcome().is_over() && duel.asks().is_empty());
                for (ask, seat) in asked.iter().flat_map(|ask| Seat::BOTH.map(|seat| (ask, seat))) {
                    prop_assert_eq!(duel.sample(seat, &ask.what, &mut SplitMix64(1)), None, "{}", ask.what);
                }
            }
            let others = ["- / -", "p1: -", "p2: -", "p1: decline"];
            for line in others.into_iter().chain(lines.iter().map(String::as_str)) {
                let refused = duel.play(line, None);
                prop_assert!(refused.is_err(), "after the end: {line}");
            }
            for seat in Seat::BOTH {
                prop_assert_eq!(duel.outcome().winner() == Some(seat), seat == Seat::P1);
            }
        }
        Ok(())
    });
}
