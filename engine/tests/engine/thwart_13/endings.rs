//! The endings of a match, and their winners.

use engine::Seat;

use super::{COLOSSEUM, LEGENDS, Table};

/// Hands as `front | middle | back`.
fn hold(mut table: Table, seat: Seat, hands: &str) -> Table {
    for (place, cards) in ["front", "middle", "back"].into_iter().zip(hands.split(" | ")) {
        table = table.claims(seat, place, cards);
    }
    table
}

const PASSES: [&str; 3] = ["pass / pass", "- / pass", "- / -"];

const LOW: &str = "2C 3D 5H | 6C 6D 8H 9S TC | JC JD KH KS 4C";
const HIGH: &str = "2D 3H 7S | 7C 7D 8C 9D TH | QC QD AH AS 4D";
const UNSORTED: &str = "2D 3H 7S | QC QD AH AS 4D | 7C 7D 8C 9D TH";

#[test]
fn three_double_passes_end_a_match_in_one_hosting_alone() {
    let table = Table::of(COLOSSEUM).play(&PASSES[..2]);
    assert_eq!(table.outcome(), "running");
    let broken = table.clone().play(&["pass / TH", "p2: discard", "pass / pass"]);
    assert_eq!((broken.state()["passes"].clone(), broken.outcome()), (1.into(), "running".into()));
    let burned = table.clone().play(&["TH / TH"]);
    assert_eq!(burned.state()["passes"], 0);
    let table = table.play(&PASSES[2..]);
    assert_eq!(table.outcome(), "undecided both-invalid");
    assert!(table.fates().contains(&"nobody event 3.7.4".to_owned()));
    assert_eq!(table.state()["passes"], 3);
    let mut endless = Table::of(LEGENDS);
    for _ in 0..4 {
        endless = endless.play(&PASSES);
    }
    assert_eq!((endless.outcome(), endless.state()["passes"].clone()), ("running".into(), 12.into()));
}

#[test]
fn one_valid_set_wins_against_none() {
    let table = hold(Table::of(COLOSSEUM), Seat::P1, LOW);
    assert_eq!(table.clone().play(&PASSES).outcome(), "won p1 opponent-invalid", "the other is not full");
    let table = hold(table, Seat::P2, UNSORTED).play(&PASSES);
    assert_eq!(table.outcome(), "won p1 opponent-invalid");
    let text = &table.effects.iter().find(|effect| effect.rule == "3.5.2").unwrap().text;
    assert_eq!(
        text,
        "{p2} has no valid set: the middle hand, two pairs (A Q 4), is not weaker than the back hand, a pair (7 10 9 8)."
    );
    let turned = hold(hold(Table::of(COLOSSEUM), Seat::P2, LOW), Seat::P1, UNSORTED).play(&PASSES);
    assert_eq!(turned.outcome(), "won p2 opponent-invalid");
}

#[test]
fn two_valid_sets_are_held_against_each_other() {
    let table = hold(hold(Table::of(COLOSSEUM), Seat::P1, LOW), Seat::P2, HIGH).play(&PASSES);
    assert_eq!(table.outcome(), "won p2 more-hands");
    let compared: Vec<_> = table.effects.iter().filter(|effect| effect.rule == "3.7.3").collect();
    assert_eq!(compared.len(), 4, "three hands and the result");
    assert_eq!(compared[0].text, "Front: {p2} wins with a high card (7 3 2) against a high card (5 3 2).");
    let equal = "2D 3H 5S | 7C 7D 8C 9D TH | JH JS KC KD 4D";
    let table = hold(hold(Table::of(COLOSSEUM), Seat::P1, LOW), Seat::P2, equal).play(&PASSES);
    assert_eq!(table.outcome(), "won p2 more-hands", "two are equal, and p2 wins the middle");
    let same = "2D 3H 5S | 6H 6S 8C 9D TH | JH JS KC KD 4D";
    let table = hold(hold(Table::of(COLOSSEUM), Seat::P1, LOW), Seat::P2, same).play(&PASSES);
    assert_eq!(table.outcome(), "undecided equal-hands");
}

#[test]
fn six_full_hands_end_a_match_in_one_hosting_alone() {
    for (ruleset, outcome) in [(COLOSSEUM, "running"), (LEGENDS, "won p2 more-hands")] {
        let table = hold(hold(Table::of(ruleset), Seat::P1, LOW), Seat::P2, HIGH);
        assert_eq!(table.outcome(), outcome);
    }
}

/// Burns cards of the deck one by one, up to this many.
fn burn(mut table: Table, count: usize) -> Table {
    for _ in 0..count {
        let first = table.state()["available"][0].as_str().unwrap().to_owned();
        table = table.play(&[&format!("{first} / {first}")]);
    }
    table
}

#[test]
fn the_last_card_is_played_in_one_hosting_alone() {
    let colosseum = burn(Table::of(COLOSSEUM), 50);
    assert_eq!(colosseum.outcome(), "running");
    assert_eq!(colosseum.clone().play(&["KS / KS"]).outcome(), "undecided both-invalid");
    let taken = colosseum.play(&["KS / AS"]);
    assert_eq!(taken.outcome(), "running", "a round is complete with its action");
    let taken = taken.play(&["back / back"]);
    assert_eq!((taken.outcome(), taken.fates()[2].as_str()), ("undecided both-invalid".into(), "nobody event 3.7.1"));
    let legends = burn(Table::of(LEGENDS), 51);
    assert_eq!(
        (legends.outcome(), legends.state()["available"].clone()),
        ("running".into(), serde_json::json!(["AS"]))
    );
    assert_eq!(legends.clone().play(&["pass / pass"]).outcome(), "running");
    let one = legends.clone().play(&["pass / AS", "p2: front"]);
    assert_eq!(one.outcome(), "undecided both-invalid");
    assert_eq!(burn(legends, 1).outcome(), "undecided both-invalid");
}

#[test]
fn a_challenge_is_met_or_fails_for_either_seat() {
    let set = "hands 2D 3D 4D | 5C 5D 7H 8S 9C | AC AD AH 6C 6D";
    for (challenger, challenged) in [(Seat::P1, Seat::P2), (Seat::P2, Seat::P1)] {
        let table = Table::of(LEGENDS).play(&[&format!("{challenger}: challenge")]);
        let met = table.clone().play(&[&format!("{challenged}: {set}")]);
        assert_eq!(met.outcome(), format!("won {challenged} challenge-met"));
        assert_eq!(met.fates()[0], format!("{challenged} resolved 3.6.4"));
        let failed = table.play(&[&format!("{challenged}: -")]);
        assert_eq!(failed.outcome(), format!("won {challenger} challenge-failed"));
    }
}

#[test]
fn the_umpire_closes_every_phase() {
    let start = Table::of(COLOSSEUM);
    for lines in [&["TH / 3C"][..], &["p1: challenge"], &[]] {
        let table = start.clone().play(lines).play(&["umpire: result void power cut"]);
        let state = table.state();
        assert_eq!((state["phase"].clone(), state["picked"]["p1"].clone()), ("over".into(), serde_json::Value::Null));
        assert_eq!(table.outcome(), "void umpire");
    }
}
