//! The defaults when nothing comes in time: DD-15 and DD-19.

use engine::Fate;

use super::table::{DEALT, Table, at_community, betting, dividing};

/// The step was a default, and says so.
fn defaulted(table: &Table) -> bool {
    table.effects.iter().any(|effect| effect.fate == Fate::Defaulted)
}

#[test]
fn the_chooser_starts() {
    let table = Table::new().play("host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9\n p1: -");
    assert!(defaulted(&table));
    assert_eq!((table.get("starter"), table.asked()), ("p1".into(), "refill p1".into()));
}

#[test]
fn there_is_no_refill() {
    let table = Table::new().play(DEALT).play("p1: -");
    assert!(defaulted(&table));
    assert_eq!((table.asked(), table.chips()), ("refill p2".into(), "30 30".into()));
}

#[test]
fn everything_is_set_aside() {
    let table = dividing().play("p1: -");
    assert!(defaulted(&table));
    assert_eq!((table.asked(), table.get("pools.p1")), ("take p2".into(), "[R2,G5,G9,B1,B7]".into()));
}

#[test]
fn nothing_is_taken() {
    let table = dividing().play("p1: -\n p2: -");
    assert!(defaulted(&table));
    assert_eq!((table.asked(), table.get("pools.p2")), ("refill p1".into(), "[R1,R8,R9,G2,B3]".into()));
}

#[test]
fn the_lowest_cards_are_discarded_red_before_green_before_blue() {
    // The pool is R2 R2 R3 G5 G5 G6 G8 G9 B1 B3 B6 B7 B9: three go.
    let table = dividing().play("p1: divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7\n p1: -");
    assert!(defaulted(&table));
    assert_eq!(table.told(), "{p1} sent nothing in time and discards the lowest: B1 R2 R2. (4.11.1)\n");
    assert_eq!(table.get("pools.p1"), "[R3,G5,G5,G6,G8,G9,B3,B6,B7,B9]");
}

#[test]
fn a_bet_is_a_fold() {
    let table = betting("R5", "B7 G9 / R8 R9").play("p1: -");
    assert!(defaulted(&table));
    assert_eq!((table.chips(), table.get("round")), ("26 33".into(), "1".into()));
}

#[test]
fn the_two_lowest_private_cards_that_are_allowed_are_played() {
    for (community, p1, p2) in [("R5", "B1 R2", "R1 G2"), ("R2", "B1 G5", "R1 G2"), ("G2", "B1 R2", "R1 B3")] {
        let table = at_community().play(&format!("host: community {community}\n - / -"));
        assert!(defaulted(&table));
        let list = |cards: &str| format!("[{}]", cards.replace(' ', ","));
        assert_eq!((table.get("private.p1"), table.get("private.p2")), (list(p1), list(p2)), "beside {community}");
    }
}

#[test]
fn the_default_never_names_a_card_twice() {
    let table = Table::new().play(DEALT).play(
        "p1: refill
        host: offer B1 G2 B2 R3 R4 R5 R6 R7 R8 R9 G1 G3
        p1: divide B1 | aside G1
        p2: take none
        p1: stand
        p2: stand
        host: community R5
        - / R8 R9",
    );
    assert_eq!((table.get("pools.p1"), table.get("private.p1")), ("[R2,G5,G9,B1,B1,B7]".into(), "[B1,R2]".into()));
}
