//! Before play: layouts, colours, assignments, and the host's placements.

use engine::games::higher_lower::{Board, Cell, default_layout};
use engine::{Clause, Colour, Duel, Panel, Seat, Sight, SplitMix64, To, ruleset};

use super::table::{
    ALL_ASSIGNED, LAYOUT, assignment, coloured, json_value, open, placed, placement, refused, say, state, swapped,
};

fn phase(duel: &Duel) -> String {
    json_value(&state(duel), "phase").replace('"', "")
}

fn asked(duel: &Duel) -> Vec<(To, &'static str)> {
    duel.asks().iter().map(|ask| (ask.to, ask.what)).collect()
}

#[test]
fn every_default_board_has_ten_cells_a_colour_and_five_grey_ones() {
    let layout = default_layout();
    for (board, (_, fronts)) in Board::ALL.into_iter().zip(LAYOUT) {
        let drawn: Vec<&str> = Cell::all().map(|cell| layout[board].front(cell).text()).collect();
        assert_eq!(drawn.join(" "), fronts);
        let counts = [Colour::Cyan, Colour::Pink, Colour::Grey].map(|colour| layout[board].coloured(colour).count());
        assert_eq!(counts, [10, 10, 5], "{board:?}");
    }
}

#[test]
fn the_questions_come_in_the_order_of_the_notation() {
    let mut duel = open(Seat::P2);
    assert_eq!(asked(&duel), [(To::Host, "layout"), (To::One(Seat::P2), "colour")]);
    assert_eq!(
        state(&duel),
        r#"{"phase":"layout","turn":null,"board":null,"first":null,"points":{"p1":0,"p2":0},"wins":{"p1":0,"p2":0},"up":[],"last":null,"turned":0}"#
    );
    for (board, fronts) in LAYOUT {
        assert_eq!(phase(&duel), "layout");
        say(&mut duel, &format!("host: layout {board} {fronts}"));
    }
    assert_eq!((phase(&duel), asked(&duel)), ("colour".into(), vec![(To::One(Seat::P2), "colour")]));
    assert_eq!(json_value(&state(&duel), "turn"), "\"p2\"");
    say(&mut duel, "p2: colour pink");
    let missing = ["A, B, C, D or E", "B, C, D or E", "C, D or E", "D or E", "E"];
    for (board, missing) in missing.into_iter().enumerate() {
        assert_eq!((phase(&duel), json_value(&state(&duel), "turn").to_owned()), ("place".into(), "null".into()));
        let asks = duel.asks();
        assert_eq!(asks.len(), if board == 0 { 3 } else { 1 }, "assignments come before the first placement");
        assert!(
            asks.iter().rev().skip(1).all(|ask| ask.optional && ask.what == "assign" && ask.clock_seconds == 82_800)
        );
        let place = &asks[asks.len() - 1];
        assert_eq!((place.what, place.fields.len()), ("place", 25));
        assert_eq!(place.prompt, format!("The backs of board {missing}"));
        let played = say(&mut duel, &placement(board));
        assert_eq!(played.public, format!("host: place {}{}", LAYOUT[board].0, " ?".repeat(25)));
        assert_eq!(played.keeps.len(), 25);
    }
    assert_eq!((phase(&duel), asked(&duel)), ("board".into(), vec![(To::One(Seat::P2), "board")]));
}

#[test]
fn no_colour_in_time_is_cyan() {
    for (line, expected) in
        [("p1: -", "{p1} has cyan, {p2} has pink."), ("p1: colour pink", "{p2} has cyan, {p1} has pink.")]
    {
        let mut duel = open(Seat::P1);
        say(&mut duel, line);
        let panels = duel.view(Sight::Public).panels;
        let colours = panels.iter().find_map(|panel| match panel {
            Panel::Notice { title: "Colours", text, .. } => Some(text.clone()),
            _ => None,
        });
        assert_eq!(colours.as_deref(), Some(expected));
    }
    let duel = open(Seat::P1);
    for line in ["p2: colour cyan", "p2: -"] {
        assert_eq!(refused(&duel, line).rule, Some("5.2"), "{line}");
    }
    for text in ["colour cyan", "cyan", "c", "color cyan", "c c", "cyan colour", "COL CY"] {
        assert_eq!(duel.read(Seat::P1, "colour", text).unwrap().text, "colour cyan", "{text}");
    }
    assert_eq!(duel.read(Seat::P1, "colour", "c p").unwrap().text, "colour pink");
    assert!(duel.read(Seat::P1, "colour", "grey").is_err());
}

/// A layout line with its cells as runs, such as "10 co".
fn layout(board: &str, runs: &[(usize, &str)]) -> String {
    let cells: Vec<&str> = runs.iter().flat_map(|(count, front)| vec![*front; *count]).collect();
    assert_eq!(cells.len(), 25);
    format!("host: layout {board} {}", cells.join(" "))
}

#[test]
fn a_layout_that_nothing_could_fill_is_refused() {
    let duel = open(Seat::P1);
    for (line, rule, why) in [
        (layout("A", &[(8, "co"), (5, "ct"), (6, "po"), (6, "pt")]), "5.1.2", "needs a grey cell"),
        // Two grey shapes: no six numbers are all odd or all even.
        (layout("A", &[(6, "go"), (1, "gt"), (9, "co"), (9, "po")]), "5.4.1", "ten numbers"),
        // Three grey shapes: six numbers of ten always include two consecutive ones.
        (layout("A", &[(6, "go"), (1, "gt"), (1, "gs"), (8, "co"), (9, "po")]), "5.4.1", "ten numbers"),
        (layout("A", &[(11, "go"), (7, "co"), (7, "po")]), "5.4.1", "ten numbers"),
        // There are not eleven cards of one fruit.
        (layout("A", &[(11, "co"), (9, "po"), (5, "go")]), "5.1.2", "fifty cards"),
    ] {
        let refusal = refused(&duel, &line);
        assert_eq!(refusal.rule, Some(rule), "{line}: {refusal}");
        assert!(refusal.expected.contains(why), "{line}: {refusal}");
    }
    for line in ["host: layout F go", "host: layout A go", "host: layout A xo", "host: lay", "host: deal R1"] {
        assert_eq!(refused(&duel, line).rule, None, "{line}");
    }
    let mut duel = duel;
    say(&mut duel, &format!("host: layout a {}", LAYOUT[0].1.to_uppercase()));
    assert_eq!(refused(&duel, &format!("host: layout A {}", LAYOUT[0].1)).rule, Some("5.1.3"));
    assert_eq!(refused(&duel, &placement(0)).rule, Some("5.5.1"));
    say(&mut duel, "p1: colour cyan");
    assert_eq!(refused(&duel, &format!("host: layout B {}", LAYOUT[1].1)).rule, Some("5.1.2"));
}

/// While the boards cannot be filled, the colour waits until one of them is laid out again.
#[test]
fn the_colour_waits_for_boards_that_can_be_filled() {
    let mut duel = open(Seat::P1);
    // Twelve cyan cells, and the other boards have ten each.
    say(&mut duel, &layout("A", &[(4, "co"), (4, "ct"), (4, "cs"), (4, "po"), (4, "pt"), (5, "go")]));
    assert_eq!(asked(&duel), [(To::Host, "layout")]);
    assert!(!duel.asks()[0].optional);
    assert_eq!(refused(&duel, "p1: colour cyan").rule, Some("5.1.2"));
    assert_eq!(refused(&duel, "p1: -").rule, Some("5.1.2"));
    let mut other = duel.clone();
    // Eight on another board compensate.
    say(&mut other, &layout("B", &[(4, "co"), (4, "ct"), (4, "po"), (4, "pt"), (4, "ps"), (5, "go")]));
    assert_eq!(asked(&other), [(To::Host, "layout"), (To::One(Seat::P1), "colour")]);
    // The same board again: the host is offered the default for it.
    let line = duel.draw(&mut SplitMix64(1)).unwrap();
    assert_eq!(line, format!("layout A {}", LAYOUT[0].1));
    say(&mut duel, &format!("host: {line}"));
    assert_eq!(asked(&duel), [(To::Host, "layout"), (To::One(Seat::P1), "colour")]);
}

#[test]
fn an_assignment_is_closed_and_binds() {
    let mut duel = coloured();
    let line = format!("p2: {}", assignment(&ALL_ASSIGNED));
    let played = say(&mut duel, &line);
    assert_eq!((played.public.as_str(), played.keeps.as_slice()), ("p2: ?", &[(Seat::P2.into(), "move")][..]));
    assert_eq!(played.text, line);
    assert!(refused(&duel, "p2: ?").sealed);
    say(&mut duel, &placement(0));
    // C8 to C10 instead of the cards assigned to B square: still a pattern, but not the seat's.
    let other = placement(1).replace("C5", "C8");
    let refusal = refused(&duel, &other);
    assert_eq!((refusal.rule, refusal.found.as_str()), (Some("5.3.8"), "C8"), "{refusal}");
    assert_eq!(refused(&duel, "p2: assign A circle A1 A2 A3 A4").rule, Some("5.3.2"));
    assert_eq!(refused(&duel, "p2: -").rule, Some("5.10.1"));
    say(&mut duel, &placement(1));
}

/// The match does not wait for an assignment: a missing one is not a step, before an assignment and after.
#[test]
fn an_assignment_cannot_be_missed() {
    let mut duel = coloured();
    for _ in 0..2 {
        for line in ["p1: -", "p2: -"] {
            let refusal = refused(&duel, line);
            assert_eq!((refusal.rule, refusal.found.as_str()), (Some("5.10.1"), "-"), "{refusal}");
            assert!(refusal.expected.contains("nobody waits for an assignment"), "{refusal}");
        }
        assert!(Seat::BOTH.into_iter().all(|seat| duel.read(seat, "assign", "-").is_err()));
        say(&mut duel, "p1: assign A circle A1 A2 A3 A4");
    }
}

#[test]
fn the_last_assignment_replaces_the_one_before_as_a_whole() {
    let mut duel = coloured();
    say(&mut duel, "p1: assign A circle A1 A2 A3 A4");
    say(&mut duel, "p1: assign A triangle B5 B6 B7");
    let instead = |from: &str, to: &str| {
        placement(0).split(' ').map(|card| if card == from { to } else { card }).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(refused(&duel, &instead("B5", "B8")).rule, Some("5.3.8"));
    // A circle is open again: A9 may lie there.
    say(&mut duel.clone(), &instead("A4", "A9"));
    say(&mut duel, "p1: assign E square D8 D9 D10");
    say(&mut duel.clone(), &instead("B5", "B8"));
    // A card of a group that binds may not be on an earlier board, even in a valid pattern.
    let mut bound = coloured();
    say(&mut bound, "p1: assign E circle A8 A9 A10");
    let refusal = refused(&bound, &instead("A4", "A9"));
    assert_eq!((refusal.rule, refusal.found.as_str()), (Some("5.3.8"), "A9"), "{refusal}");
}

/// The parts of an assignment that the rules leave out are shown to the seat, and to nobody else.
#[test]
fn groups_that_do_not_count_are_warned_of() {
    let mut duel = coloured();
    let notes = |text: &str| duel.read(Seat::P1, "assign", text).unwrap().notes;
    assert!(notes(&assignment(&ALL_ASSIGNED)).is_empty());
    for (text, why, rule) in [
        ("assign A circle A1 A2 A3", "it has 3 cards for 4 cells", "5.3.2"),
        ("assign A circle C1 C2 C3 C4", "Apple, Blueberry and Elderberry, and no Clementine", "5.3.3"),
        ("assign A circle A1 A2 B3 B4", "neither all one fruit", "5.3.4"),
        ("assign A square A1 B2 E2", "neither all one fruit", "5.3.4"),
        ("assign A circle A1 A2 A3 A3", "names a card twice", "5.3.6"),
        ("assign A triangle A1 A2 A3 | A circle A1 A4 A5 A6", "Apple 1 lies in an earlier group", "5.3.6"),
    ] {
        let notes = notes(text);
        assert_eq!(notes.len(), 1, "{text}: {notes:?}");
        assert!(notes[0].contains(why) && notes[0].ends_with(&format!("(rule {rule}).")), "{text}: {notes:?}");
        assert!(notes[0].contains("will not count"), "{notes:?}");
    }
    // The group that is filled first keeps the card, whatever its place in the line.
    assert!(notes("assign A triangle A1 A2 A3 | A circle A1 A4 A5 A6")[0].starts_with("A triangle"));
    assert!(notes("assign A square A1 B2 E3").is_empty());
    // A group that does not count uses up no card.
    assert_eq!(notes("assign A circle A1 A2 B3 B4 | A triangle B3 B4 B5").len(), 1);
    for text in [
        "assign",
        "assign A",
        "assign A circle",
        "assign A hexagon A1",
        "assign F circle A1",
        "assign A circle A11",
        "assign A circle A0",
        "assign A circle F1",
        "assign A circle A1 | A circle A2",
        "assign A circle A1 | ",
        "assign A circle ?",
    ] {
        let refusal = duel.read(Seat::P1, "assign", text).unwrap_err();
        assert_eq!(refusal.rule, None, "{text}: {refusal}");
    }
    for text in [
        "as a c a1, 2A, apple 3, 10 app",
        "a a circle A1 a2 a3 a10",
        "ASSIGN A CIRCLE: A1 A2 A3 A10",
        "circle A A1 A2 A3 A10",
    ] {
        let read = duel.read(Seat::P1, "assign", text).unwrap();
        assert!(["assign A circle A1 A2 A3 A10"].contains(&read.text.as_str()), "{text}: {}", read.text);
    }
    // In a layout without cyan squares on board A, cards for them have no effect.
    duel = open(Seat::P1);
    say(&mut duel, &layout("A", &[(5, "co"), (5, "ct"), (5, "po"), (5, "pt"), (5, "go")]));
    say(&mut duel, "p1: colour cyan");
    let notes = duel.read(Seat::P1, "assign", "assign A square A1 A2 A3").unwrap().notes;
    assert!(notes[0].contains("no cyan cell of that shape") && notes[0].contains("5.3.7"), "{notes:?}");
}

/// The groups of boards A to C as in [`ALL_ASSIGNED`], the circles of D, and then these.
fn up_to_d(then: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    [&ALL_ASSIGNED[..10], then].concat()
}

/// All fifty cards are on a board, so an assignment can leave cards that fit nowhere. The last of the groups that fit
/// by themselves are dropped until the rest can be filled.
#[test]
fn groups_that_leave_no_way_to_fill_the_rest_are_dropped_from_the_end() {
    let mut duel = coloured();
    // Only board D takes more of the last three Clementines; with one used, the other two fit in no group.
    let mixed = ("D triangle", "C8 D9 E10");
    let groups = up_to_d(&[mixed, ("D square", "E1 E2 E3"), ("E circle", "A8 A9 A10")]);
    let notes = duel.read(Seat::P1, "assign", &assignment(&groups)).unwrap().notes;
    let dropped: Vec<&str> = notes.iter().map(|note| note.split(" will not count").next().unwrap()).collect();
    assert_eq!(dropped, ["D triangle", "D square", "E circle"]);
    assert!(notes.iter().all(|note| note.ends_with("(rule 5.3.8).")), "{notes:?}");
    // The dropped groups do not bind, though E circle alone would have fitted; the groups before them do.
    say(&mut duel, &format!("p1: {}", assignment(&groups)));
    for board in 0..3 {
        say(&mut duel, &placement(board));
    }
    let refusal = refused(&duel, &swapped(&placement(3), "D4", "D8"));
    assert_eq!((refusal.rule, refusal.found.as_str()), (Some("5.3.8"), "D8"), "{refusal}");
    say(&mut duel, &placement(3));
    say(&mut duel, &swapped(&placement(4), "A8", "A9"));
}

#[test]
fn a_seat_sees_its_own_assignment_and_nobody_elses() {
    let mut duel = coloured();
    say(&mut duel, "p2: assign A circle A1 A2 A3 A4 | A triangle B5 B6");
    let panels = |duel: &Duel, sight| {
        let panels = duel.view(sight).panels.into_iter();
        panels.filter(|panel| matches!(panel, Panel::Cards { .. })).collect::<Vec<_>>()
    };
    assert!(panels(&duel, Sight::Public).is_empty());
    assert!(panels(&duel, Sight::Seat(Seat::P1)).is_empty());
    let own = panels(&duel, Sight::Seat(Seat::P2));
    assert_eq!(own, panels(&duel, Sight::Everything));
    let Some(Panel::Cards { title, seat, groups }) = own.first() else { panic!("nothing is shown") };
    assert_eq!((*title, *seat, groups.len()), ("Assigned to pink", Some(Seat::P2), 2));
    assert!(groups[0].cards.iter().all(|card| card.mark == engine::Mark::None));
    assert!(
        groups[1].cards.iter().all(|card| card.mark == engine::Mark::Gone),
        "two cards for three cells do not count"
    );
}

/// Every ruling has its own number, and every clause that effects and refusals cite exists.
#[test]
fn the_rulings_are_numbered() {
    let clauses: Vec<Clause> = ruleset("higher-lower/tempo-up").unwrap().clauses();
    let issues: Vec<&str> =
        clauses.iter().filter_map(|clause| clause.ruling.as_ref().map(|ruling| ruling.issue)).collect();
    let expected: Vec<String> = (1..=20).map(|number| format!("HL-{number}")).collect();
    assert_eq!(issues, expected);
    let numbers: std::collections::BTreeSet<&str> = clauses.iter().map(|clause| clause.number).collect();
    assert_eq!(numbers.len(), clauses.len());
    assert!(numbers.iter().all(|number| number.starts_with("5.")));
    assert_eq!(placed().outcome().reason(), "");
}
