//! Answers to a challenge: those refused while they can be corrected, those that are recorded and lose, and those that
//! do not read.

use engine::Seat;

use super::{COLOSSEUM, Table};

/// p1 is challenged and holds 2C in front, 5C 5D in the middle, AC in the back; 9S is burned, and p2 holds AS.
fn challenged() -> Table {
    Table::of(COLOSSEUM)
        .claims(Seat::P1, "front", "2C")
        .claims(Seat::P1, "middle", "5C 5D")
        .claims(Seat::P1, "back", "AC")
        .claims(Seat::P2, "back", "AS")
        .play(&["9S / 9S", "p2: challenge"])
}

#[test]
fn a_valid_set_wins_in_whatever_order_its_cards_are_named() {
    for answer in [
        "hands 2C 3D 4D | 5C 5D 7H 8S 9C | AC AD AH 6C 6D",
        "2c 4d d3 | 9C 8S 7 of hearts five diamonds 5c | 6C AD ah, 6D, ac",
        "HANDS 3D 2C 4D|5D 5C 7H 8S 9C|AD AC AH 6C 6D",
    ] {
        let table = challenged();
        let reading = table.duel.read(Seat::P1, "answer", answer).unwrap();
        let played = table.accepted(&format!("p1: {answer}"));
        assert_eq!(played.text, format!("p1: {}", reading.text));
        assert_eq!(table.play(&[&played.text]).outcome(), "won p1 challenge-met", "{answer}");
    }
}

/// Each is refused as an answer that can be corrected, with its rule and its words. In a record it is accepted, and
/// loses.
#[test]
fn an_answer_that_is_no_valid_set_is_refused_before_it_stands_and_loses_when_it_does() {
    for (answer, rule, refusal) in [
        (
            "hands 2C 3D | 5C 5D 7H 8S 9C | AC AD AH 6C 6D",
            "3.5.1",
            "\"2C 3D\": the front hand takes 3 cards, and 2 are named (rule 3.5.1)",
        ),
        (
            "hands 2C 3D 4D | 5C 5D 7H 8S 9C TC | AC AD AH 6C 6D",
            "3.5.1",
            "\"5C 5D 7H 8S 9C TC\": the middle hand takes 5 cards, and 6 are named (rule 3.5.1)",
        ),
        (
            "hands 2D 3D 4D | 5C 5D 7H 8S 9C | AC AD AH 6C 6D",
            "3.6.2",
            "\"2D 3D 4D\": the two of clubs was claimed to the front hand and must stay in it (rule 3.6.2)",
        ),
        (
            "hands 2C 3D 4D | 5C 5D 7H 8S 9C | AC AD AH 6C 6C",
            "3.6.2",
            "\"6C\": the six of clubs is used twice (rule 3.6.2)",
        ),
        (
            "hands 2C 3D 4D | 5C 5D 7H 8S 9S | AC AD AH 6C 6D",
            "3.6.2",
            "\"9S\": the nine of spades is not available to fill the middle hand (rule 3.6.2)",
        ),
        (
            "hands 2C 3D 4D | 5C 5D 7H 8S 9C | AC AD AS 6C 6D",
            "3.6.2",
            "\"AS\": the ace of spades is not available to fill the back hand (rule 3.6.2)",
        ),
        (
            "hands 2C 3D 3H | 5C 5D 7H 8S AC | AD AH AC 6C 6D",
            "3.6.2",
            "\"AC\": the ace of clubs is not available to fill the middle hand (rule 3.6.2)",
        ),
        (
            "hands 2C 6D 6H | 5C 5D 7H 8S 9C | AC AD AH 7C 8D",
            "3.5.3",
            "\"2C 6D 6H\": the front hand, a pair (6 2), is not weaker than the middle hand, a pair (5 9 8 7) (rule 3.5.3)",
        ),
        (
            "hands 2C 3D 4D | 5C 5D 5H 5S 9C | AC AD AH 6C 6D",
            "3.5.2",
            "\"5C 5D 5H 5S 9C\": the middle hand, four of a kind (5 9), is not weaker than the back hand, a full house (A 6) (rule 3.5.2)",
        ),
    ] {
        let table = challenged();
        let refused = table.duel.read(Seat::P1, "answer", answer).unwrap_err();
        assert_eq!((refused.rule, refused.seat), (Some(rule), Some(Seat::P1)), "{answer}");
        assert_eq!(refused.sentence(), refusal, "{answer}");
        assert!(table.duel.split(Seat::P1, "answer", answer).is_err(), "it is not sealed either");
        let stands = table.play(&[&format!("p1: {answer}")]);
        assert_eq!(stands.outcome(), "won p2 challenge-failed", "{answer}");
        assert_eq!(stands.fates(), ["p1 failed 3.6.3", "p2 event 3.6.3"]);
        assert!(stands.effects[0].text.contains(&format!("(rule {rule})")), "{:?}", stands.effects[0]);
    }
}

#[test]
fn what_is_not_three_groups_of_cards_is_an_error_in_a_record_too() {
    let table = challenged();
    for answer in [
        "hands",
        "hands 2C 3D 4D",
        "hands 2C 3D 4D | 5C 5D 7H 8S 9C",
        "hands 2C 3D 4D | 5C 5D 7H 8S 9C | AC AD AH 6C 6D | 7C",
        "hands | 5C 5D 7H 8S 9C | AC AD AH 6C 6D",
        "hands 2C 3D 4D | 5C 5D 7H 8S 9C |",
        "hands 2C 3D 4X | 5C 5D 7H 8S 9C | AC AD AH 6C 6D",
        "hands 2C 3D ten | 5C 5D 7H 8S 9C | AC AD AH 6C 6D",
    ] {
        let line = format!("p1: {answer}");
        let refusal = table.refused(&line);
        assert_eq!(refusal.rule, None, "{answer}: {refusal}");
        assert!(table.duel.spell(&line).is_err(), "{answer}");
        assert!(table.duel.read(Seat::P1, "answer", answer).is_err(), "{answer}");
    }
    let refusal = table.refused("p1: hands 2C 3D 4X | 5C 5D 7H 8S 9C | AC AD AH 6C 6D");
    assert_eq!((refusal.at, refusal.found.as_str()), (16, "4X"));
}

/// The findings of a search are for the umpire: a seat that answers learns nothing from it.
#[test]
fn the_search_helps_no_seat() {
    let table = challenged();
    let reading = table.duel.read(Seat::P1, "answer", "hands 2C 3D 4D | 5C 5D 7H 8S 9C | AC AD AH 6C 6D").unwrap();
    assert!(reading.notes.is_empty());
    let lost =
        Table::of(COLOSSEUM).claims(Seat::P2, "middle", "4C 4D 4H 4S 9D").claims(Seat::P2, "back", "2C 3D 5H 7S 9C");
    let before = Table::of(COLOSSEUM);
    for table in [lost, before] {
        let reading = table.duel.read(Seat::P1, "challenge", "ch").unwrap();
        assert_eq!(
            reading.notes,
            ["{p2} wins by showing a valid set, and loses without one; this cannot be taken back (rule 3.6.1)."]
        );
        assert!(table.duel.asks().iter().all(|ask| !ask.prompt.contains("valid set")));
    }
}
