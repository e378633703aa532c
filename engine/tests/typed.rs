//! What the typed interface must refuse though no line of the notation can say it.

extern crate matchbook_engine as engine;

use engine::games::five_card_trick::{FiveCardTrick, Move, Submission, ZEROS_GAUNTLET_FINAL};
use engine::step::Step;
use engine::{BySeat, Playing, Seat, Setup};

/// A match of the final in which p1 may use Claim Priority now.
fn at_the_window() -> Playing<FiveCardTrick> {
    let items = BySeat { p1: vec!["claim-priority".to_owned()], p2: Vec::new() };
    let mut playing = Playing::start(&ZEROS_GAUNTLET_FINAL.rules, &Setup { items, ..Setup::default() });
    let step = playing.read_step("1. score claim / grow claim").unwrap();
    playing.play_step(&step, &mut ()).unwrap();
    playing
}

#[test]
fn a_move_of_another_phase_is_refused_and_changes_nothing() {
    let playing = at_the_window();
    let submission = Move::Submission(Submission::default());
    for step in [
        Step::One(Seat::P1, submission),
        Step::One(Seat::P2, Move::Decline),
        Step::Both(BySeat { p1: Move::UseClaimPriority, p2: Move::Missing }),
        Step::Both(BySeat { p1: Move::Missing, p2: Move::Decline }),
    ] {
        let mut after = playing.clone();
        let refusal = after.play_step(&step, &mut ()).unwrap_err();
        assert_eq!(refusal.rule, Some("1.7.4"), "{step:?}: {refusal}");
        assert_eq!(after, playing, "{step:?}");
    }
    let mut used = playing;
    used.play_step(&Step::One(Seat::P1, Move::UseClaimPriority), &mut ()).unwrap();
}
