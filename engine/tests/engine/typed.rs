//! Steps that no line of the notation can express, and that the typed interface must refuse.

use crate::seeded::{numbers, typed as every};
use engine::game::Game;
use engine::games::five_card_trick::{FiveCardTrick, Move, Submission, ZEROS_GAUNTLET_FINAL};
use engine::step::Step;
use engine::{BySeat, GameMatch, Seat, Setup, Stream};

/// A match of the final in which p1 may use Claim Priority now.
fn at_the_window() -> GameMatch<FiveCardTrick> {
    let items = BySeat { p1: vec!["claim-priority".to_owned()], p2: Vec::new() };
    let mut playing = GameMatch::start(&ZEROS_GAUNTLET_FINAL.rules, &Setup { items, ..Setup::default() });
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

/// Steps of one moment played at another, by any seat: most are refused, and then nothing has changed.
struct StepsOfOtherMoments;

impl every::Visit for StepsOfOtherMoments {
    fn visit<G: Game>(&mut self, id: &'static str, rules: &G::Rules) {
        let mut refused = 0;
        for seed in 1..=12 {
            let every::RandomMatch { game, rules, steps } = every::RandomMatch::<G>::new(id, rules, seed);
            let (mut playing, mut chance) = (GameMatch::<G>::start(&rules, &game.setup), numbers(seed));
            for (text, step) in &steps {
                for _ in 0..6 {
                    let mut any = || steps[chance.below(steps.len() as u64) as usize].1.clone();
                    let (one, other) = (any(), any());
                    let odd = mixed::<G>(one, other, chance.below(2) == 0);
                    let mut after = playing.clone();
                    if let Err(refusal) = after.play_step(&odd, &mut ()) {
                        assert_eq!(after, playing, "{id}, before {text}: {odd:?}: {refusal}");
                        refused += 1;
                    }
                }
                playing.play_step(step, &mut ()).unwrap();
            }
        }
        assert!(refused > 0, "{id}");
    }
}

/// The moves of two steps, combined to a shape that neither has.
fn mixed<G: Game>(one: every::Typed<G>, other: every::Typed<G>, alone: bool) -> every::Typed<G> {
    match (one, other) {
        (Step::One(_, p1), Step::One(_, p2)) => Step::Both(BySeat { p1, p2 }),
        (Step::One(seat, sent), Step::Host(_)) => Step::One(seat.other(), sent),
        (Step::Both(sent), Step::One(seat, _)) => Step::One(seat.other(), sent.p1),
        (Step::One(_, p1), Step::Both(sent)) => Step::Both(BySeat { p1, ..sent }),
        (Step::Both(sent), Step::Both(_)) if alone => Step::One(Seat::P2, sent.p1),
        (Step::Both(one), Step::Both(other)) => Step::Both(BySeat { p1: one.p2, p2: other.p1 }),
        (one, _) => one,
    }
}

#[test]
fn a_step_of_another_moment_is_refused_and_changes_nothing() {
    every::every(&mut StepsOfOtherMoments);
}

#[test]
fn values_longer_than_any_move_are_not_multiplied() {
    let duel =
        engine::Duel::open(&Setup { ruleset: "five-card-trick/zeros-gauntlet-final".to_owned(), ..Setup::default() });
    let Ok(duel) = duel else { panic!("{duel:?}") };
    let (many, long) = ("block ".repeat(5_000), "x".repeat(30_000));
    let joined = duel.join("round", &[&many, &long]);
    assert!(joined.len() <= many.len() + long.len() + 1, "{} bytes", joined.len());
    assert!(duel.split(Seat::P1, "round", &joined).is_err());
}
