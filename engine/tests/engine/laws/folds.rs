//! A match is a fold: the same steps give the same state, in one go or in two, with effects kept or dropped.

use engine::{Duel, Sight, Stream};
use proptest::prelude::*;

use super::{law, play};

/// All facts of a match, public and secret.
fn everything(duel: &Duel) -> impl PartialEq + std::fmt::Debug + use<> {
    let inside = format!("{duel:?}");
    (inside, duel.state(Sight::Everything), duel.asks(), duel.outcome(), duel.view(Sight::Everything))
}

#[test]
fn a_match_folds_the_same_in_one_go_and_in_two() {
    law(|game| {
        let mut first = game.duel.clone();
        let mut cut = game.chance.clone();
        let mut lines = Vec::new();
        let whole = play(game, |moment, _| {
            lines.push(moment.line.clone());
            Ok(())
        })?;
        let cut = cut.below(lines.len() as u64 + 1) as usize;
        for line in &lines[..cut] {
            first.play(line, Some(&mut Vec::new())).unwrap();
        }
        let mut second = first.clone();
        for line in &lines[cut..] {
            second.play(line, None).unwrap();
        }
        prop_assert_eq!(everything(&whole), everything(&second));
        // The copy has not moved.
        for line in &lines[cut..] {
            first.play(line, None).unwrap();
        }
        prop_assert_eq!(everything(&whole), everything(&first));
        Ok(())
    });
}
