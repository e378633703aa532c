//! Boards in play. This is board A, grey cards in brackets:
//!
//! ```text
//!     a   b   c   d   e
//! 1  [1]  1   5   5  [2]
//! 2   2   6   6   1   5
//! 3   5   3  [3]  2   7
//! 4   7   4   6   6   3
//! 5  [4]  7   7   4  [5]
//! ```

use engine::{Duel, Effect, Fate, Form, Seat, Sight};

use super::table::{json_list, json_value, open, placed, placement, refused, say, state};

/// A match on board A; p1 goes first.
fn on_a() -> Duel {
    let mut duel = placed();
    say(&mut duel, "p1: board A first");
    duel
}

fn all(duel: &mut Duel, lines: &[&str]) {
    lines.iter().for_each(|line| drop(say(duel, line)));
}

/// Phase, seat to choose, and the points of both.
fn stands(duel: &Duel) -> (String, String, String) {
    let state = state(duel);
    let (_, points) = state.split_once("\"points\":").unwrap();
    let points = points.split('}').next().unwrap().replace(['{', '"'], "");
    (json_value(&state, "phase").replace('"', ""), json_value(&state, "turn").replace('"', ""), points)
}

fn is(duel: &Duel, phase: &str, turn: &str, points: &str) {
    let (found_phase, found_turn, found_points) = stands(duel);
    assert_eq!((found_phase.as_str(), found_turn.as_str(), found_points.as_str()), (phase, turn, points));
}

fn effects(duel: &mut Duel, line: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    duel.play(line, Some(&mut effects)).unwrap();
    effects
}

#[test]
fn the_state_of_a_turn_has_the_keys_of_the_notation() {
    let mut duel = placed();
    assert_eq!(
        state(&duel),
        r#"{"phase":"board","turn":"p1","board":null,"first":null,"points":{"p1":0,"p2":0},"wins":{"p1":0,"p2":0},"up":[],"last":null,"turned":0}"#
    );
    all(&mut duel, &["p1: board A second", "p2: turn c3", "p2: north higher", "p2: east lower"]);
    assert_eq!(
        state(&duel),
        r#"{"phase":"guess","turn":"p2","board":"A","first":"p2","points":{"p1":0,"p2":2},"wins":{"p1":0,"p2":0},"up":["c2","d2","c3"],"last":"d2","turned":3}"#
    );
}

#[test]
fn a_grey_card_opens_a_turn_without_a_point_and_each_right_prediction_is_one() {
    let mut duel = on_a();
    say(&mut duel, "p1: turn c3");
    is(&duel, "guess", "p1", "p1:0,p2:0");
    let effects = effects(&mut duel, "p1: north higher");
    assert_eq!(effects.len(), 1);
    assert_eq!(
        (effects[0].rule, effects[0].fate, effects[0].subject.as_str()),
        ("5.7.2", Fate::Resolved, "North higher")
    );
    assert_eq!(effects[0].text, "{p1} said higher than 3, and found Elderberry 6 on c2: 1 point.");
    is(&duel, "guess", "p1", "p1:1,p2:0");
    say(&mut duel, "p1: stop");
    is(&duel, "turn", "p2", "p1:1,p2:0");
}

#[test]
fn a_wrong_prediction_or_the_same_number_ends_the_turn_and_leaves_the_card_face_up() {
    let mut duel = on_a();
    all(&mut duel, &["p1: turn c3", "p1: north lower"]);
    is(&duel, "turn", "p2", "p1:0,p2:0");
    assert_eq!(json_list(&state(&duel), "up"), ["c2", "c3"]);
    // 2, then 5, then 5.
    all(&mut duel, &["p2: turn e1", "p2: west higher"]);
    let effects = effects(&mut duel, "p2: west lower");
    assert!(effects[0].text.contains("the same number"), "{}", effects[0].text);
    assert_eq!((effects[0].rule, effects[0].fate), ("5.7.4", Fate::Failed));
    is(&duel, "turn", "p1", "p1:0,p2:1");
}

#[test]
fn the_eighth_card_ends_the_turn() {
    let mut duel = on_a();
    all(
        &mut duel,
        &[
            "p1: turn c3",
            "p1: north higher",
            "p1: east lower",
            "p1: south higher",
            "p1: south higher",
            "p1: south lower",
        ],
    );
    say(&mut duel, "p1: west higher");
    is(&duel, "guess", "p1", "p1:6,p2:0");
    assert_eq!(json_value(&state(&duel), "turned"), "7");
    let effects = effects(&mut duel, "p1: north lower");
    is(&duel, "turn", "p2", "p1:7,p2:0");
    assert_eq!(effects[1].rule, "5.7.4");
    assert!(effects[1].text.contains("eight cards"), "{}", effects[1].text);
}

#[test]
fn a_turn_ends_where_no_neighbour_lies_face_down() {
    let mut duel = on_a();
    all(&mut duel, &["p1: turn c3", "p1: east lower", "p1: east higher", "p1: stop"]);
    // e5, d5, d4, and e4 between d4, e3 and e5.
    all(&mut duel, &["p2: turn e5", "p2: west lower", "p2: north higher"]);
    let seen = effects(&mut duel, "p2: east lower");
    assert_eq!(seen.iter().map(|effect| effect.rule).collect::<Vec<_>>(), ["5.7.2", "5.7.4"]);
    is(&duel, "turn", "p1", "p1:2,p2:3");
}

#[test]
fn an_opener_that_is_shut_in_ends_its_turn_and_the_last_one_the_board() {
    let mut duel = on_a();
    // a2 (2) and b1 (1) are turned before a1: 4, 7, 5, 2, then east 6, and b1 from there.
    all(&mut duel, &["p1: turn a5", "p1: north higher", "p1: north lower", "p1: north lower", "p1: east higher"]);
    all(&mut duel, &["p1: north lower", "p1: stop"]);
    is(&duel, "turn", "p2", "p1:5,p2:0");
    let seen = effects(&mut duel, "p2: turn a1");
    assert_eq!(seen.iter().map(|effect| effect.rule).collect::<Vec<_>>(), ["5.7.1", "5.7.4"]);
    is(&duel, "turn", "p1", "p1:5,p2:0");
    let mut last = on_a();
    all(&mut last, &["p1: turn a5", "p1: north higher", "p1: north lower", "p1: north lower", "p1: east higher"]);
    all(&mut last, &["p1: north lower", "p1: stop"]);
    for (seat, cell) in [("p2", "e1"), ("p1", "c3"), ("p2", "e5")] {
        all(&mut last, &[&format!("{seat}: turn {cell}"), &format!("{seat}: -")]);
    }
    let seen = effects(&mut last, "p1: turn a1");
    assert_eq!(seen.iter().map(|effect| effect.rule).collect::<Vec<_>>(), ["5.7.1", "5.7.4", "5.8", "5.6"]);
    assert!(seen[2].text.contains("wins board A, 5 to 0"), "{}", seen[2].text);
    is(&last, "board", "p2", "p1:0,p2:0");
}

#[test]
fn a_board_ends_with_the_running_turn_and_not_before() {
    let mut duel = on_a();
    for (seat, cell) in [("p1", "a1"), ("p2", "e1"), ("p1", "c3"), ("p2", "a5")] {
        all(&mut duel, &[&format!("{seat}: turn {cell}"), &format!("{seat}: -")]);
    }
    all(&mut duel, &["p1: turn e5", "p1: north lower", "p1: north higher"]);
    is(&duel, "guess", "p1", "p1:2,p2:0");
    let seen = effects(&mut duel, "p1: stop");
    assert!(seen[1].text.contains("{p1} wins board A, 2 to 0"), "{}", seen[1].text);
    is(&duel, "board", "p2", "p1:0,p2:0");
    assert_eq!(
        state(&duel),
        r#"{"phase":"board","turn":"p2","board":null,"first":null,"points":{"p1":0,"p2":0},"wins":{"p1":1,"p2":0},"up":[],"last":null,"turned":0}"#
    );
    assert_eq!(refused(&duel, "p2: board A first").rule, Some("5.6"));
    assert_eq!(refused(&duel, "p1: board B first").rule, Some("5.6"));
}

#[test]
fn as_many_points_are_a_win_for_the_seat_that_went_second() {
    for (order, winner) in [("first", "p2"), ("second", "p1")] {
        let mut duel = placed();
        say(&mut duel, &format!("p1: board A {order}"));
        let first = json_value(&state(&duel), "first").replace('"', "");
        let seats = if first == "p1" { ["p1", "p2"] } else { ["p2", "p1"] };
        for (n, cell) in ["a1", "e1", "c3", "a5", "e5"].iter().enumerate() {
            all(&mut duel, &[&format!("{}: turn {cell}", seats[n % 2]), &format!("{}: -", seats[n % 2])]);
        }
        assert!(state(&duel).contains(&format!("\"{winner}\":1")), "{}", state(&duel));
    }
}

#[test]
fn a_missed_prediction_ends_the_turn() {
    let mut duel = on_a();
    all(&mut duel, &["p1: turn c3", "p1: north higher"]);
    let seen = effects(&mut duel, "p1: -");
    assert_eq!((seen[0].fate, seen[0].rule), (Fate::Defaulted, "5.10.1"));
    is(&duel, "turn", "p2", "p1:1,p2:0");
    // The count of missed grey choices has not started.
    say(&mut duel, "p2: -");
    is(&duel, "turn", "p1", "p1:1,p2:0");
    assert_eq!(json_list(&state(&duel), "up"), ["c2", "c3"]);
}

#[test]
fn the_second_missed_grey_choice_in_a_row_turns_one_over_for_nobody() {
    let mut duel = on_a();
    say(&mut duel, "p1: -");
    is(&duel, "turn", "p2", "p1:0,p2:0");
    let mut shown = Vec::new();
    let played = duel.play("p2: -", Some(&mut shown)).unwrap();
    assert_eq!(played.shows, [(engine::Party::Host, "a-a1")]);
    assert!(shown[0].text.contains("a1: Apple 1"), "{}", shown[0].text);
    // The turn goes to the seat that missed first.
    is(&duel, "turn", "p1", "p1:0,p2:0");
    assert_eq!(
        (json_list(&state(&duel), "up"), json_value(&state(&duel), "last").to_owned()),
        (vec!["a1".into()], "null".into())
    );
    // Turning a card restarts the count.
    all(&mut duel, &["p1: -", "p2: turn c3", "p2: -", "p1: -"]);
    is(&duel, "turn", "p2", "p1:0,p2:0");
    assert_eq!(json_list(&state(&duel), "up"), ["a1", "c3"]);
    say(&mut duel, "p2: -");
    assert_eq!(json_list(&state(&duel), "up"), ["a1", "e1", "c3"]);
}

/// Nobody ever chooses anything: the DMO goes first on A, B and C, loses each by the tie, and chooses again.
#[test]
fn a_match_in_which_nobody_chooses_ends_after_three_boards() {
    let mut duel = placed();
    for board in ["A", "B", "C"] {
        let seen = effects(&mut duel, "p1: -");
        assert_eq!((seen[0].fate, seen[0].rule), (Fate::Defaulted, "5.10.2"));
        assert_eq!(json_value(&state(&duel), "board"), format!("\"{board}\""));
        for _ in 0..5 {
            all(&mut duel, &["p1: -", "p2: -"]);
        }
    }
    assert_eq!((duel.outcome().winner(), duel.outcome().reason()), (Some(Seat::P2), "three-boards"));
    assert_eq!(
        state(&duel),
        r#"{"phase":"over","turn":null,"board":"C","first":"p1","points":{"p1":0,"p2":0},"wins":{"p1":0,"p2":3},"up":["b2","d2","c3","b4","d4"],"last":null,"turned":0}"#
    );
    assert!(duel.asks().is_empty());
    refused(&duel, "p1: -");
}

#[test]
fn an_umpires_result_closes_the_turn() {
    let mut duel = on_a();
    all(&mut duel, &["p1: turn c3", "p1: north higher", "umpire: result p2 the first seat left"]);
    assert_eq!(
        state(&duel),
        r#"{"phase":"over","turn":null,"board":"A","first":"p1","points":{"p1":1,"p2":0},"wins":{"p1":0,"p2":0},"up":["c2","c3"],"last":null,"turned":0}"#
    );
    assert_eq!((duel.outcome().winner(), duel.outcome().reason()), (Some(Seat::P2), "umpire"));
}

/// A board is a round of the score sheet, and a turn is a row. Everything before the first board takes two rows.
#[test]
fn the_score_sheet_has_a_row_for_each_turn() {
    use engine::Place::{Part, Round, Same};
    let mut duel = open(Seat::P1);
    let mut rows = |lines: &[&str]| {
        let row = |line: &&str| say(&mut duel, line).row;
        lines.iter().map(row).map(|row| (row.round, row.place)).collect::<Vec<_>>()
    };
    assert_eq!(rows(&["p1: colour cyan", "p2: assign A circle A1 A2 A3 A4"]), [(0, Round), (0, Same)]);
    let placements: Vec<String> = (0..5).map(placement).collect();
    let placements: Vec<&str> = placements.iter().map(String::as_str).collect();
    assert_eq!(rows(&placements), [(0, Part), (0, Same), (0, Same), (0, Same), (0, Same)]);
    assert_eq!(rows(&["p1: board A first", "p1: turn c3", "p1: north higher"]), [(1, Round), (1, Part), (1, Same)]);
    assert_eq!(rows(&["p1: stop", "p2: -", "p1: -", "p2: -"]), [(1, Same), (1, Part), (1, Part), (1, Part)]);
    assert_eq!(rows(&["p1: -", "p2: -", "p1: -", "p2: -", "p1: -"]).last(), Some(&(1, Part)));
    assert_eq!(rows(&["p2: board B second"]), [(2, Round)]);
}

/// Each refusal of the play once: the line, the clause, and words of the sentence.
#[test]
fn what_is_refused_in_play() {
    let fresh = placed();
    for (line, rule, why) in [
        ("p2: board A first", "5.6", "the other seat's choice"),
        ("p1: turn c3", "5.7.1", "no turn begins"),
        ("p1: north higher", "5.7.2", "no prediction"),
        ("p1: stop", "5.7.3", "no turn to stop"),
        ("p2: -", "5.10.1", "the other seat's choice"),
        ("p1: colour cyan", "5.2", "chosen already"),
        ("host: place A A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1", "5.5.1", "once"),
    ] {
        let refusal = refused(&fresh, line);
        assert_eq!(refusal.rule, Some(rule), "{line}: {refusal}");
        assert!(refusal.expected.contains(why), "{line}: {refusal}");
    }
    let mut duel = on_a();
    for (line, rule, why) in [
        ("p2: turn c3", "5.7.1", "the other seat's"),
        ("p1: turn b1", "5.7.1", "grey card that lies face down"),
        ("p1: board B first", "5.6", "no board is chosen now"),
        ("p1: stop", "5.7.3", "no turn"),
    ] {
        let refusal = refused(&duel, line);
        assert_eq!(refusal.rule, Some(rule), "{line}: {refusal}");
        assert!(refusal.expected.contains(why), "{line}: {refusal}");
    }
    say(&mut duel, "p1: turn a1");
    for (line, rule, why) in [
        ("p1: north higher", "5.7.2", "the board ends there"),
        ("p1: stop", "5.7.3", "predict at least once"),
        ("p2: east higher", "5.7.2", "the other seat's"),
        ("p1: turn c3", "5.7.1", "no turn begins"),
    ] {
        let refusal = refused(&duel, line);
        assert_eq!(refusal.rule, Some(rule), "{line}: {refusal}");
        assert!(refusal.expected.contains(why), "{line}: {refusal}");
    }
    say(&mut duel, "p1: south higher");
    let refusal = refused(&duel, "p1: north lower");
    assert_eq!((refusal.rule, refusal.found.as_str(), refusal.at), (Some("5.7.2"), "north", 4));
    assert!(refusal.expected.contains("lies face up"));
    all(&mut duel, &["p1: stop"]);
    assert_eq!(refused(&duel, "p2: turn a1").found, "a1");
    for line in
        ["- / -", "p2: turn c3 / p1: stop", "p2: turn f1", "p2: north", "p2: higher", "p2: stop stop", "host: deal A1"]
    {
        let refusal = refused(&duel, line);
        assert_eq!(refusal.rule, None, "{line}: {refusal}");
    }
}

#[test]
fn lines_are_read_leniently_and_written_canonically() {
    let mut duel = placed();
    let read = |duel: &Duel, seat, what, text: &str| duel.read(seat, what, text).map(|reading| reading.text);
    for text in ["board B second", "b s", "B:second", "sec b", "b b s", "BOARD b SECOND", "second board B"] {
        assert_eq!(read(&duel, Seat::P1, "board", text).unwrap(), "board B second", "{text}");
    }
    say(&mut duel, "p1: a f");
    for text in ["turn c3", "C3", "t c3", "c3 turn"] {
        assert_eq!(read(&duel, Seat::P1, "turn", text).unwrap(), "turn c3", "{text}");
    }
    say(&mut duel, "p1: c3");
    for text in ["north higher", "n h", "higher north", "NORTH:HIGHER", "h n"] {
        assert_eq!(read(&duel, Seat::P1, "guess", text).unwrap(), "north higher", "{text}");
    }
    let refusal = read(&duel, Seat::P1, "guess", "s h").unwrap_err();
    assert_eq!(refusal.sentence(), "\"s\": south or stop? Write one letter more");
    say(&mut duel, "p1: e l");
    say(&mut duel, "p1: -");
}

#[test]
fn a_form_bars_what_is_refused() {
    let mut duel = on_a();
    let Some(Form::Words { choices, least: 1, most: 1 }) = duel.form(Seat::P1, "turn") else { panic!("no words") };
    assert_eq!(choices.iter().map(|choice| choice.word).collect::<Vec<_>>(), ["a1", "e1", "c3", "a5", "e5"]);
    assert!(choices.iter().all(|choice| choice.barred.is_none()));
    assert!(duel.form(Seat::P2, "turn").is_none());
    say(&mut duel, "p1: turn a1");
    let Some(Form::Words { choices, .. }) = duel.form(Seat::P1, "guess") else { panic!("no words") };
    let barred: Vec<_> = choices.iter().filter(|choice| choice.barred.is_some()).map(|choice| choice.word).collect();
    assert_eq!(barred, ["north", "west", "stop"]);
}

/// The card turned last is new, and a face-down back is seen only by viewers who may see everything.
#[test]
fn the_boards_show_what_lies_face_up() {
    use engine::{Colour, Mark, Panel, Shape, Sign};
    let mut duel = on_a();
    all(&mut duel, &["p1: turn c3", "p1: north higher"]);
    for sight in [Sight::Public, Sight::Seat(Seat::P1), Sight::Seat(Seat::P2), Sight::Everything] {
        let panels = duel.view(sight).panels;
        let grids: Vec<_> = panels
            .iter()
            .filter_map(|panel| match panel {
                Panel::Grid { title, rows, current, columns } => Some((title, rows, *current, columns.len())),
                _ => None,
            })
            .collect();
        assert_eq!(
            grids.iter().map(|grid| (grid.0.as_str(), grid.2, grid.3)).collect::<Vec<_>>(),
            [
                ("Board A", true, 5),
                ("Board B", false, 5),
                ("Board C", false, 5),
                ("Board D", false, 5),
                ("Board E", false, 5)
            ]
        );
        let cells: Vec<_> = grids[0].1.iter().flat_map(|(_, cells)| cells).collect();
        let (c2, c3, c1) = (cells[7], cells[12], cells[2]);
        assert_eq!((c2.face.as_str(), c2.mark, c2.up), ("E6", Mark::New, true));
        assert_eq!((c3.face.as_str(), c3.mark, c3.name.as_str()), ("A3", Mark::None, "c3, grey circle, Apple 3"));
        assert_eq!((c1.sign, c1.up), (Sign::Shape(Colour::Cyan, Shape::Triangle), false));
        let hidden = grids.iter().flat_map(|grid| grid.1).flat_map(|(_, cells)| cells).filter(|cell| !cell.up);
        for cell in hidden {
            let known = sight == Sight::Everything;
            assert_eq!((cell.mark == Mark::Hidden, cell.face.is_empty()), (known, !known), "{}", cell.name);
        }
    }
}
