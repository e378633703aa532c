//! Selections, actions and challenges: each ruling, each default, each refusal.

use engine::{Closes, Form, Seat, To};
use serde_json::json;

use super::{COLOSSEUM, LEGENDS, Table};

#[test]
fn the_questions_of_each_phase() {
    let table = Table::of(COLOSSEUM);
    let asks = |table: &Table| {
        let ask = |ask: engine::Ask| (ask.to, ask.what, ask.clock_seconds, ask.closes, ask.optional);
        table.duel.asks().into_iter().map(ask).collect::<Vec<_>>()
    };
    let challenge = |seat| (To::One(seat), "challenge", 60, Closes::FirstValid, true);
    assert_eq!(
        asks(&table),
        [challenge(Seat::P1), challenge(Seat::P2), (To::Both, "select", 60, Closes::AtDeadline, false)]
    );
    let both = table.clone().play(&["TH / 3C"]);
    assert_eq!(asks(&both), [(To::Both, "action", 60, Closes::AtDeadline, false)]);
    assert_eq!(both.state()["picked"], json!({"p1": "TH", "p2": "3C"}));
    assert_eq!(both.state()["round"], 0, "the action is part of the round");
    let alone = table.clone().play(&["- / 3C"]);
    assert_eq!(asks(&alone), [(To::One(Seat::P2), "action", 60, Closes::AtDeadline, false)]);
    let answer = table.play(&["p1: challenge"]);
    assert_eq!(asks(&answer), [(To::One(Seat::P2), "answer", 180, Closes::FirstValid, false)]);
    assert_eq!(asks(&answer.play(&["p2: -"])), []);
}

#[test]
fn what_nobody_sends_is_a_pass_a_discard_or_a_lost_challenge() {
    let table = Table::of(LEGENDS).play(&["- / -"]);
    assert_eq!(table.fates(), ["p1 default 3.9", "p2 default 3.9"]);
    assert_eq!((table.state()["round"].clone(), table.state()["passes"].clone()), (json!(1), json!(1)));
    let table = table.play(&["TH / 3C", "- / back"]);
    assert_eq!(table.fates(), ["p1 default 3.9", "p2 resolved 3.3.1"]);
    assert_eq!(table.state()["hands"]["p1"], json!({"front": [], "middle": [], "back": []}));
    assert_eq!(table.state()["passes"], 0);
    assert_eq!(table.refused("p2: -").rule, Some("3.2.1"), "nobody waits for a challenge");
    let table = table.play(&["p2: challenge", "p1: -"]);
    assert_eq!(table.fates(), ["p1 default 3.9", "p2 event 3.6.3"]);
    assert_eq!(table.outcome(), "won p2 challenge-failed");
}

#[test]
fn a_card_that_is_gone_is_a_pass_or_illegal() {
    let gone = |ruleset| Table::of(ruleset).play(&["TH / TH"]);
    let table = gone(COLOSSEUM).play(&["TH / 3C"]);
    assert_eq!(table.fates(), ["p1 left out 3.2.3", "p2 resolved 3.2.1"]);
    assert_eq!(table.accepted("p2: back").text, "p2: back");
    assert_eq!(table.refused("p1: back").rule, Some("3.3.1"));
    let both = gone(COLOSSEUM).play(&["TH / TH"]);
    assert_eq!(both.fates(), ["p1 left out 3.2.3", "p2 left out 3.2.3"]);
    assert_eq!(both.state()["passes"], 1, "a slip of both is a pass of both, and burns nothing");
    let notes = gone(COLOSSEUM).duel.read(Seat::P1, "select", "th").unwrap().notes;
    assert_eq!(notes, ["The ten of hearts is not available: this counts as a pass (rule 3.2.3)."]);
    let refusal = gone(LEGENDS).refused("3C / TH");
    assert_eq!(
        refusal.to_string(),
        "\"TH\": the ten of hearts is not available any more: select one that is, or pass (rule 3.2.3)"
    );
    assert_eq!((refusal.seat, refusal.at), (Some(Seat::P2), 5));
}

#[test]
fn a_full_hand_takes_no_more() {
    let full = |ruleset| Table::of(ruleset).claims(Seat::P1, "front", "2C 3C 4C").play(&["5C / pass"]);
    let table = full(COLOSSEUM);
    let notes = table.duel.read(Seat::P1, "action", "f").unwrap().notes;
    assert_eq!(notes, ["The front hand is full: this counts as a discard (rule 3.3.3)."]);
    let table = table.play(&["p1: front"]);
    assert_eq!(table.fates(), ["p1 left out 3.3.3"]);
    assert_eq!(table.state()["hands"]["p1"]["front"], json!(["2C", "3C", "4C"]));
    let refusal = full(LEGENDS).refused("p1: front");
    assert_eq!(refusal.to_string(), "\"front\": the front hand is full: middle, back or discard is left (rule 3.3.3)");
    assert_eq!(full(LEGENDS).accepted("p1: discard").text, "p1: discard");
}

#[test]
fn a_challenge_voids_the_selections_and_completes_no_round() {
    let table = Table::of(COLOSSEUM).play(&["pass / pass", "p2: challenge"]);
    assert_eq!(table.fates(), ["p2 resolved 3.6.1"]);
    let state = table.state();
    assert_eq!((state["round"].clone(), state["passes"].clone()), (json!(1), json!(1)));
    assert_eq!(state["available"].as_array().unwrap().len(), 52);
    assert_eq!(table.refused("p1: challenge").rule, Some("3.6.2"), "the first one stands");
    assert_eq!(table.refused("TH / 3C").rule, Some("3.6.2"));
    assert_eq!(table.refused("p2: -").rule, Some("3.6.2"), "the challenger is not asked");
}

#[test]
fn each_phase_refuses_what_belongs_to_another() {
    let select = Table::of(LEGENDS);
    for (line, rule) in [
        ("front / TH", Some("3.2.1")),
        ("TH / discard", Some("3.2.1")),
        ("p1: front", Some("3.2.1")),
        ("p1: hands 2C | 3C | 4C", Some("3.2.1")),
        ("p1: TH", None),
        ("p1: pass", None),
        ("challenge / TH", None),
        ("TH / hands 2C | 3C | 4C", None),
        ("host: TH", None),
        ("1. TH / 3C", None),
    ] {
        assert_eq!(select.refused(line).rule, rule, "{line}: {}", select.refused(line));
    }
    let action = select.clone().play(&["TH / 3C"]);
    for line in ["TH / front", "front / pass", "p1: front", "p2: challenge", "p1: -"] {
        assert_eq!(action.refused(line).rule, Some("3.3.1"), "{line}");
    }
    let alone = select.play(&["pass / 3C"]);
    for line in ["front / back", "- / front", "p1: discard", "p1: -", "p2: challenge"] {
        let refusal = alone.refused(line);
        assert_eq!(
            (refusal.rule, refusal.expected.as_str()),
            (Some("3.3.1"), "only p2 has a card: p2: front, middle, back or discard")
        );
    }
    let over = alone.play(&["p2: back", "p1: challenge", "p2: -"]);
    assert!(over.refused("pass / pass").expected.starts_with("the match is over"));
    assert!(over.duel.form(Seat::P1, "select").is_none());
}

#[test]
fn a_form_offers_the_whole_deck_and_bars_what_is_gone() {
    let table = Table::of(LEGENDS).play(&["TH / TH"]);
    let Some(Form::Words { choices, least: 1, most: 1 }) = table.duel.form(Seat::P1, "select") else { panic!() };
    assert_eq!(choices.len(), 53);
    let barred: Vec<_> = choices.iter().filter(|choice| choice.barred.is_some()).map(|choice| choice.word).collect();
    assert_eq!(barred, ["TH"]);
    let Some(Form::Words { choices, .. }) = table.duel.form(Seat::P2, "challenge") else { panic!() };
    assert_eq!(choices.iter().map(|choice| choice.word).collect::<Vec<_>>(), ["challenge"]);
    let alone = table.play(&["pass / 2H"]);
    assert!(alone.duel.form(Seat::P1, "action").is_none());
    let Some(Form::Words { choices, .. }) = alone.duel.form(Seat::P2, "action") else { panic!() };
    assert_eq!(choices.iter().map(|choice| choice.word).collect::<Vec<_>>(), ["front", "middle", "back", "discard"]);
}

#[test]
fn rows_begin_with_a_selection_or_a_challenge_and_part_with_what_follows() {
    use engine::Place::{Part, Round};
    let mut duel = Table::of(COLOSSEUM).duel;
    let lines = ["TH / 3C", "front / back", "4D / 4D", "pass / 4H", "p2: back", "p2: challenge", "p1: -"];
    let rows = lines.map(|line| {
        let row = duel.play(line, None).unwrap().row;
        (row.round, row.place)
    });
    assert_eq!(rows, [(1, Round), (1, Part), (2, Round), (3, Round), (3, Part), (4, Round), (4, Part)]);
}
