//! Steps that no line of the notation can express: those that the typed interface must refuse, and those that it
//! accepts.

use engine::games::thwart_13::{DM_COLOSSEUM_2, HandPlace, Move, Thwart};
use engine::step::Step;
use engine::{BySeat, GameMatch, Seat, Setup};

#[test]
fn a_move_of_another_kind_is_refused_and_changes_nothing() {
    let playing = GameMatch::<Thwart>::start(&DM_COLOSSEUM_2.rules, &Setup::default());
    let action = {
        let mut playing = playing.clone();
        let step = playing.read_step("TH / 3C").unwrap();
        playing.play_step(&step, &mut ()).unwrap();
        playing
    };
    let both = |p1: Move| Step::Both(BySeat { p1, p2: Move::Missing });
    for (before, step) in [
        (&playing, both(Move::Challenge)),
        (&playing, both(Move::Discard)),
        (&playing, Step::One(Seat::P1, Move::Pass)),
        (&action, both(Move::Challenge)),
        (&action, both(Move::Pass)),
        (&action, Step::One(Seat::P2, Move::Claim(HandPlace::Back))),
    ] {
        let mut after = before.clone();
        assert!(after.play_step(&step, &mut ()).unwrap_err().rule.is_some(), "{step:?}");
        assert_eq!(&after, before, "{step:?}");
    }
}

#[test]
fn a_state_is_as_large_as_it_says() {
    assert_eq!(size_of::<Thwart>(), 104);
}
