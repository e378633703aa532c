//! The kinds of moves that statistics count.

use engine::{BySeat, Duel, Seat, Setup};
use proptest::prelude::*;

use super::notation::said;
use super::{law, play};

#[test]
fn a_kind_leaves_out_what_makes_each_move_its_own() {
    for (ruleset, sent, kind) in [
        ("five-card-trick/dm-colosseum-2", "score block:claim", "score block"),
        ("five-card-trick/zeros-gauntlet-final", "block:score block:score +overload", "block block +overload"),
        ("three-card/simply-genius", "grow claim", "grow claim"),
        ("thwart-13/legends-untold", "TH", "TH"),
        ("thwart-13/legends-untold", "hands 2C 2D 5H | 4C 4D 4H 4S 9D | 7C 8C 9C TC JC", "hands"),
        ("devils-deal/blooming-genius", "raise 12", "raise"),
        ("devils-deal/blooming-genius", "take none", "take none"),
        ("devils-deal/blooming-genius", "take G1", "take"),
        ("devils-deal/blooming-genius", "G3 R2", "two cards"),
        ("devils-deal/blooming-genius", "start p1", "start p1"),
        ("devils-deal/blooming-genius", "fold", "fold"),
        ("higher-lower/tempo-up", "turn c3", "turn"),
        ("higher-lower/tempo-up", "north higher", "north higher"),
        ("higher-lower/tempo-up", "assign A circle A3 A7", "assign"),
        ("higher-lower/tempo-up", "-", "-"),
    ] {
        let setup = Setup {
            ruleset: ruleset.into(),
            options: Vec::new(),
            dmo: Some(Seat::P2),
            items: BySeat { p1: Vec::new(), p2: Vec::new() },
            declared: None,
        };
        assert_eq!(Duel::open(&setup).unwrap().kind(sent), kind, "{ruleset}: {sent}");
    }
}

/// Statistics store questions and kinds in lines, separated by tabs.
#[test]
fn questions_and_kinds_are_words_on_one_line() {
    law(|game| {
        play(game, |moment, _| {
            let asked = moment.before.asks().into_iter().map(|ask| ask.what.to_string());
            let sent = said(&moment.line).into_iter().map(|(_, sent)| moment.before.kind(sent));
            for word in asked.chain(sent) {
                prop_assert!(!word.is_empty() && !word.contains(char::is_control), "{word:?}");
            }
            Ok(())
        })
        .map(drop)
    });
}
