use engine::{Duel, Seat, Setup, Sight};

use super::*;

fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn devils(script: &[&str]) -> Duel {
    let setup = Setup { ruleset: "devils-deal/blooming-genius".to_owned(), dmo: Some(Seat::P2), ..Setup::default() };
    let mut duel = Duel::open(&setup).unwrap();
    for line in script {
        duel.play(line, None).unwrap();
    }
    duel
}

const DEALT: [&str; 2] = ["host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9", "p2: start p1"];

fn says(duel: &Duel, seat: Seat, what: &str, pairs: &[(&str, &str)]) -> Option<String> {
    compose(&duel.form(seat, what).unwrap(), &fields(pairs))
}

#[test]
fn picked_values_become_a_line() {
    let duel = Duel::open(&Setup { ruleset: "five-card-trick/dm-colosseum-2".to_owned(), ..Setup::default() }).unwrap();
    let says = |pairs: &[(&str, &str)]| says(&duel, Seat::P1, "round", pairs);
    assert_eq!(says(&[("pick", "score"), ("pick", "block:claim")]).as_deref(), Some("score block:claim"));
    assert_eq!(says(&[("pick", ""), ("pick", "nothing")]).as_deref(), Some("nothing"));
    assert_eq!(says(&[("pick", " "), ("other", "score")]), None);
}

#[test]
fn a_division_can_be_made_card_by_card() {
    let offered = "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6";
    let duel = devils(&[DEALT[0], DEALT[1], "p1: refill", offered]);
    let laid = [("in-R2", "0"), ("in-G5", "0"), ("in-R7", "1"), ("in-B6", "6"), ("in-G1", "6"), ("in-B9", "")];
    let line = says(&duel, Seat::P1, "divide", &laid).unwrap();
    assert_eq!(line, "divide G5 R2 | R7 | aside B6 G1");
    assert!(duel.read(Seat::P1, "divide", &line).is_ok());
    assert_eq!(says(&duel, Seat::P1, "divide", &[("pick", "divide none")]).as_deref(), Some("divide none"));
    assert_eq!(says(&duel, Seat::P1, "divide", &[]), None);
}

#[test]
fn what_was_sent_lies_in_its_piles_in_whatever_order_it_was_typed() {
    let offered = "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6";
    let mut duel = devils(&[DEALT[0], DEALT[1], "p1: refill", offered]);
    let again = |duel: &Duel, what: &str, line: &str| {
        let form = duel.form(Seat::P1, what).unwrap();
        compose(&form, &fields_of(&form, line))
    };
    let line = again(&duel, "divide", "divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7");
    assert_eq!(line.as_deref(), Some("divide R3 R2 B9 | G5 B3 G6 | B6 G8 | aside R7 G2 B5"));
    assert_eq!(again(&duel, "divide", "divide none").as_deref(), Some("divide none"));
    duel = devils(&[DEALT[0], DEALT[1], "p1: stand", "p2: stand", "host: community R5"]);
    assert_eq!(again(&duel, "private", "R2 G5").as_deref(), Some("R2 G5"), "which one is shown first means something");
}

#[test]
fn what_was_assigned_lies_in_its_groups_in_whatever_order_it_was_typed() {
    let setup = Setup { ruleset: "higher-lower/tempo-up".to_owned(), dmo: Some(Seat::P2), ..Setup::default() };
    let mut duel = Duel::open(&setup).unwrap();
    duel.play("p2: colour pink", None).unwrap();
    let form = duel.form(Seat::P1, "assign").unwrap();
    let again = |line: &str| compose(&form, &fields_of(&form, line));
    let circle = "assign A circle E1 E2 E6 E7";
    assert_eq!(again(circle).as_deref(), Some(circle));
    assert_eq!(again("assign A circle E6 E2 E7 E1").as_deref(), Some(circle));
    let groups = again("assign B square C8 C2 | A triangle B2 B8 B5");
    assert_eq!(groups.as_deref(), Some("assign A triangle B2 B5 B8 | B square C2 C8"));
    assert_eq!(again("assign A circle E6 | A square E6"), None, "a card lies in one group");
}

#[test]
fn two_cards_are_put_in_an_order_and_a_bet_has_its_number() {
    let mut duel = devils(&[DEALT[0], DEALT[1], "p1: stand", "p2: stand", "host: community R5"]);
    assert_eq!(says(&duel, Seat::P2, "private", &[("at-1", "R1"), ("at-0", "G2")]).as_deref(), Some("G2 R1"));
    duel.play("G5 R2 / B3 R8", None).unwrap();
    let bet = [("pick", "raise"), ("amount-raise", "3"), ("amount-call", "")];
    assert_eq!(says(&duel, Seat::P1, "bet", &bet).as_deref(), Some("raise 3"));
    assert_eq!(says(&duel, Seat::P1, "bet", &[("pick", "fold"), ("amount-raise", "3")]).as_deref(), Some("fold"));
}

#[test]
fn every_kind_keeps_the_values_sent() {
    let names = BySeat { p1: "Ada", p2: "Bo <b>" };
    let drawn = |duel: &Duel, seat: Seat, what: &str, pairs: &[(&str, &str)]| {
        let (form, view) = (duel.form(seat, what).unwrap(), duel.view(Sight::Seat(seat)));
        Controls::of("d1", &form, &view, names, true, &fields(pairs)).unwrap().to_string()
    };
    let trick =
        Duel::open(&Setup { ruleset: "five-card-trick/dm-colosseum-2".to_owned(), ..Setup::default() }).unwrap();
    let page = drawn(&trick, Seat::P1, "round", &[("pick", "grow"), ("pick", "block:steal")]);
    assert!(page.contains(r#"value="grow" checked"#), "{page}");
    assert!(page.contains(r#"name="target-block" value="steal" checked"#), "{page}");
    let devils = devils(&[DEALT[0], DEALT[1], "p1: stand", "p2: stand", "host: community R5"]);
    let page = drawn(&devils, Seat::P1, "private", &[("at-0", "B7")]);
    assert!(page.contains(r#"<option value="B7" selected>blue 7"#), "{page}");
    assert!(!page.contains("R8"), "the other seat's cards are none of these: {page}");
}

#[test]
fn two_choices_are_barred_together_only_if_no_target_helps() {
    let names = BySeat { p1: "Ada", p2: "Bo" };
    for (id, barred) in [("five-card-trick/zeros-gauntlet-final", false), ("three-card/simply-genius", true)] {
        let mut duel =
            Duel::open(&Setup { ruleset: id.to_owned(), dmo: barred.then_some(Seat::P2), ..Setup::default() }).unwrap();
        // The same two may not be sent twice.
        if barred {
            duel.play("grow claim / steal", None).unwrap();
        }
        let form = duel.form(Seat::P1, "round").unwrap();
        let refused = |one: &str, other: &str| {
            duel.read(Seat::P1, "round", &format!("{one} {other}")).err().map(|refusal| refusal.expected)
        };
        let controls = Controls::of("d1", &form, &duel.view(Sight::Seat(Seat::P1)), names, true, &[]).unwrap();
        let drawn = controls.with_barred_pairs(refused).to_string();
        assert_eq!(drawn.contains("data-barred-pair"), barred, "{id}: {drawn}");
        // The reason names both, so it is not told twice which they are.
        assert_eq!(
            drawn.contains(">Grow with Claim is out: it was the move of the last round</li>"),
            barred,
            "{drawn}"
        );
    }
}

fn declared(lines: &str) -> Duel {
    let game = engine::games::declared::Declaration::read(lines.lines()).unwrap();
    let setup = Setup { ruleset: "declared/1".to_owned(), declared: Some(game.into()), ..Setup::default() };
    Duel::open(&setup).unwrap()
}

#[test]
fn every_kind_of_declared_question_is_answered_without_notation() {
    let names = BySeat { p1: "Ada", p2: "Bo" };
    for (ask, sent, line, shows) in [
        ("number 0..20", &[("part-0", "7")][..], "7", r#"min="0" max="20""#),
        ("text 40", &[("part-0", "what \"he\" said")], r#""what \"he\" said""#, r#"maxlength="40""#),
        ("pick 0..2 of (a b c)", &[("part-0", "c"), ("part-0", "a")], "c a", r#"type="checkbox""#),
        ("pick 0..2 of (a b c)", &[], "none", r#"type="checkbox""#),
        ("pick 1 of (a b c)", &[("pick", "b")], "b", r#"value="b""#),
        ("yes-no", &[("pick", "no")], "no", r#"value="no""#),
        ("cell of grid", &[("pick", "b2")], "b2", r#"value="b2""#),
        ("order of (x y z)", &[("part-0", "z"), ("part-0", "x"), ("part-0", "y")], "z x y", "data-in-order"),
        ("cards 1 from held", &[("pick", "3")], "3", r#"value="3""#),
        ("cards 2 from held", &[("part-0", "3"), ("part-0", "3")], "3 3", r#"type="checkbox""#),
        ("number 1..6; yes-no", &[("part-0", "4"), ("part-1", "yes")], "4; yes", r#"name="part-1" value="yes""#),
    ] {
        let duel = declared(&format!("board grid 3x3\nhand held each of (3 3 4)\nask it both {ask}\nfirst it both"));
        let form = duel.form(Seat::P1, "it").unwrap();
        assert_eq!(compose(&form, &fields(sent)).as_deref(), Some(line), "{ask}");
        assert!(duel.read(Seat::P1, "it", line).is_ok(), "{ask}: {line}");
        let again = fields_of(&form, line);
        assert_eq!(compose(&form, &again).as_deref(), Some(line), "{ask}: what was sent is chosen again");
        let page = Controls::of("d1", &form, &duel.view(Sight::Seat(Seat::P1)), names, false, &again).unwrap();
        assert!(page.to_string().contains(shows), "{ask}: {page}");
    }
}
