//! The worked examples of the posts, with the expected states.

use engine::Seat;
use serde_json::json;

use super::{COLOSSEUM, LEGENDS, Table};

/// White in the middle of the example game: four fours, four clubs in a row, and 6C taken and discarded by Black.
fn white(ruleset: &str) -> Table {
    Table::of(ruleset)
        .claims(Seat::P2, "middle", "4C 4D 4H 4S")
        .claims(Seat::P2, "back", "7C 8C 9C TC")
        .play(&["6C / pass", "p1: discard"])
}

#[test]
fn the_jack_that_both_select_is_burned_and_the_challenge_that_follows_is_won() {
    for ruleset in [COLOSSEUM, LEGENDS] {
        let table = white(ruleset);
        assert!(table.duel.analyse()[1].holds, "JC makes a straight flush");
        let table = table.play(&["JC / JC"]);
        assert_eq!(table.fates(), ["p1 cancelled 3.2.4", "p2 cancelled 3.2.4", "nobody event 3.2.4"]);
        let state = table.state();
        assert_eq!(state["phase"], "select");
        assert_eq!(state["round"], 10);
        assert_eq!(state["picked"], json!({"p1": null, "p2": null}));
        assert_eq!(
            state["hands"]["p2"],
            json!({"front": [], "middle": ["4C", "4D", "4H", "4S"], "back": ["7C", "8C", "9C", "TC"]})
        );
        assert_eq!(state["available"].as_array().unwrap().len(), 52 - 10);

        let [black, white] = table.duel.analyse().try_into().unwrap();
        assert!(black.holds && black.groups.len() == 3, "{black:?}");
        assert!(!white.holds && white.witness.is_empty() && white.groups.is_empty(), "{white:?}");
        assert_eq!(
            white.text,
            "{p2} can no longer complete a valid set: every way of filling the hands has been ruled out."
        );

        let table = table.play(&["p1: challenge"]);
        assert_eq!(table.state()["phase"], "answer");
        assert!(table.duel.judged());
        assert_eq!(table.duel.sample(Seat::P2, "answer", &mut crate::seeded::numbers(1)).unwrap(), "-");
        let best = "hands 2C 2D 3H | 4C 4D 4H 4S 9D | 7C 8C 9C TC AC";
        let refusal = table.duel.read(Seat::P2, "answer", best).unwrap_err();
        assert_eq!(refusal.rule, Some("3.5.2"));
        assert_eq!(
            refusal.expected,
            "the middle hand, four of a kind (4 9), is not weaker than the back hand, a flush (A 10 9 8 7)"
        );
        for answer in ["-", best] {
            let over = table.clone().play(&[&format!("p2: {answer}")]);
            assert_eq!(over.outcome(), "won p1 challenge-failed");
            assert_eq!(over.state()["hands"], table.state()["hands"], "an answer's cards are not claimed");
        }
    }
}

/// 7S 7H 9D 4C 2C in the middle beats 7D 7C 9H in front: there is a second kicker.
#[test]
fn a_kicker_is_better_than_none() {
    let table = Table::of(COLOSSEUM)
        .claims(Seat::P1, "front", "7D 7C 9H")
        .claims(Seat::P1, "middle", "7S 7H 9D 4C 2C")
        .claims(Seat::P1, "back", "TC TD TH 3C 5C");
    let found = table.duel.analyse();
    assert!(found[0].holds, "{found:?}");
    assert_eq!(
        found[0].text,
        "{p1} has a valid set: front a pair (7 9), middle a pair (7 9 4 2), back three of a kind (10 5 3)."
    );
    // The same the other way round: without its kicker the middle would not be stronger.
    let equal = Table::of(COLOSSEUM)
        .claims(Seat::P1, "front", "7D 7C TH")
        .claims(Seat::P1, "middle", "7S 7H 9D 4C 2C")
        .claims(Seat::P1, "back", "TC TD TS 3C 5C");
    assert_eq!(equal.duel.analyse()[0].text, "{p1}'s hands are full, and no valid set.");
}

/// A straight flush of spades and one of hearts are equal, so as middle and back they are not a valid set.
#[test]
fn suits_are_equal() {
    let table =
        Table::of(COLOSSEUM).claims(Seat::P1, "middle", "5H 6H 7H 8H 9H").claims(Seat::P1, "back", "5S 6S 7S 8S 9S");
    assert!(!table.duel.analyse()[0].holds);
    let lower =
        Table::of(COLOSSEUM).claims(Seat::P1, "middle", "5H 6H 7H 8H 4H").claims(Seat::P1, "back", "5S 6S 7S 8S 9S");
    assert!(lower.duel.analyse()[0].holds);
}
