//! The typed interface: its size, and steps that no line of the notation can express.

use engine::games::devils_deal::{BLOOMING_GENIUS, Card, DevilsDeal, Draw, Move};
use engine::step::Step;
use engine::{BySeat, GameMatch, Seat};

use super::setup;

fn played(lines: &[&str]) -> GameMatch<DevilsDeal> {
    let mut playing = GameMatch::start(&BLOOMING_GENIUS.rules, &setup(Seat::P1));
    for line in lines {
        let step = playing.read_step(line).unwrap();
        playing.play_step(&step, &mut ()).unwrap();
    }
    playing
}

const DEAL: &str = "host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9";

#[test]
fn a_state_is_256_bytes() {
    assert_eq!(size_of::<DevilsDeal>(), 256);
}

#[test]
fn a_step_of_another_phase_is_refused_and_changes_nothing() {
    let missing = BySeat { p1: Move::Missing, p2: Move::Missing };
    let [card, other, ..] = Card::ALL;
    for lines in [
        vec![],
        vec![DEAL],
        vec![DEAL, "p1: start p1"],
        vec![DEAL, "p1: start p1", "p1: refill"],
        vec![DEAL, "p1: start p1", "p1: stand", "p2: stand", "host: community R5"],
    ] {
        let playing = played(&lines);
        let mut refused = vec![
            Step::Host(Draw::Offer([card; 12])),
            Step::Host(Draw::Deal(BySeat { p1: [card; 5], p2: [other; 5] })),
            Step::One(Seat::P2, Move::Missing),
            Step::One(Seat::P1, Move::Private(card, other)),
            Step::One(Seat::P1, Move::Raise(u16::MAX)),
            Step::One(Seat::P1, Move::Take(None)),
            Step::Both(BySeat { p1: Move::Call, p2: Move::Missing }),
        ];
        if lines.len() < 5 {
            refused.extend([Step::Both(missing), Step::Host(Draw::Community(card))]);
        }
        for step in refused {
            let mut after = playing.clone();
            let refusal = after.play_step(&step, &mut ()).unwrap_err();
            assert!(refusal.rule.is_some_and(|rule| rule.starts_with("4.")), "{step:?}: {refusal}");
            assert_eq!(after, playing, "{step:?}");
        }
    }
}
