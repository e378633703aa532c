//! Whole random matches.

use std::collections::BTreeMap;

use engine::{Sight, Stream, ruleset};
use serde_json::Value;

use super::{COLOSSEUM, LEGENDS};
use crate::seeded::{Game, numbers};

#[test]
fn matches_at_random_end_in_time_and_in_many_ways() {
    let mut ends: BTreeMap<String, u32> = BTreeMap::new();
    for id in [COLOSSEUM, LEGENDS] {
        for seed in 0..40 {
            let mut game = Game::new(ruleset(id).unwrap(), seed);
            assert_eq!(game.setup.ruleset, id);
            // A match comes to its end only if challenges are rare.
            let mut rare = numbers(seed);
            while !game.duel.outcome().is_over() {
                let line = game.line();
                if line.ends_with("challenge") && rare.below(40) > 0 {
                    continue;
                }
                game.duel.play(&line, None).unwrap();
                let state: Value = serde_json::from_str(&game.duel.state(Sight::Public)).unwrap();
                let rounds = state["round"].as_u64().unwrap();
                let open = state["available"].as_array().unwrap().len();
                assert!(open <= 52 && rounds <= 52 * 3 + 3, "{id}, seed {seed}: {rounds}");
            }
            let outcome = game.duel.outcome();
            *ends.entry(format!("{} {}", outcome.status(), outcome.reason())).or_default() += 1;
        }
    }
    // The others have matches of their own, in `endings`.
    for end in ["won challenge-met", "won challenge-failed", "won opponent-invalid", "won more-hands"] {
        assert!(ends.contains_key(end), "no {end}: {ends:?}");
    }
}

/// A state contains nothing that is still being decided, so it hides nothing from anybody.
#[test]
fn a_state_is_the_same_for_everybody() {
    let mut game = Game::new(ruleset(COLOSSEUM).unwrap(), 5);
    while !game.duel.outcome().is_over() {
        let line = game.line();
        game.duel.play(&line, None).unwrap();
        let all = game.duel.state(Sight::Everything);
        assert_eq!(game.duel.state(Sight::Public), all);
        assert!(!all.contains('?'));
    }
}
