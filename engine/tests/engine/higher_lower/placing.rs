//! The host places the boards: the possible orders, the refusals, and the groups that must stay possible.

use engine::{Form, Party, Place, Seat, Sight, SplitMix64};

use super::table::{LAYOUT, backs, coloured, placed, placement, refused, say, state, swapped};

/// Each refusal of a placement once.
#[test]
fn what_is_refused_when_a_board_is_placed() {
    let duel = coloured();
    let line = |change: &dyn Fn(&mut Vec<String>)| {
        let mut cards = backs(0);
        change(&mut cards);
        format!("host: place A {}", cards.join(" "))
    };
    // d2 is cyan and the first circle; b1 the first pink one; a1, e1 and c3 are grey.
    let (d2, a1, e1) = (8, 0, 4);
    for (line, rule, why, found) in [
        (line(&|cards| cards[d2] = "A2".into()), "5.3.6", "each cyan card lies on the boards once", "A2"),
        (line(&|cards| cards[1] = "A2".into()), "5.3.6", "each pink card", "A2"),
        (line(&|cards| cards[d2] = "D1".into()), "5.3.3", "Apple, Blueberry and Elderberry", "D1"),
        (line(&|cards| cards[d2] = "B1".into()), "5.3.4", "must all be one fruit", ""),
        (line(&|cards| cards[a1] = "B1".into()), "5.4.1", "are all Apple", "B1"),
        (line(&|cards| cards[a1] = cards[e1].clone()), "5.4.1", "same number", "A2"),
    ] {
        let refusal = refused(&duel, &line);
        assert_eq!(refusal.rule, Some(rule), "{line}: {refusal}");
        assert!(refusal.expected.contains(why), "{line}: {refusal}");
        let found = if found.is_empty() { line.strip_prefix("host: ").unwrap() } else { found };
        assert_eq!(refusal.found, found, "{line}");
    }
    let mut duel = duel;
    say(&mut duel, &placement(0));
    // Board B has three grey circles and two grey triangles; c1 is a circle.
    let mut cards = backs(1);
    cards[2] = "B6".into();
    let refusal = refused(&duel, &format!("host: place B {}", cards.join(" ")));
    assert_eq!(refusal.rule, Some("5.4.2"), "{refusal}");
    say(&mut duel, &placement(1));
    // Board C has grey cells of all three shapes: 6 and 7 are consecutive.
    let cards: Vec<String> = backs(2);
    let greys: Vec<usize> = (0..25).filter(|at| LAYOUT[2].1.split(' ').nth(*at).unwrap() == "go").collect();
    let mut near = cards.clone();
    near[greys[0]] = "C6".into();
    near[greys[1]] = "C7".into();
    let refusal = refused(&duel, &format!("host: place C {}", near.join(" ")));
    assert_eq!(refusal.rule, Some("5.4.3"), "{refusal}");
    // A board that is placed already, and one of its cards.
    let refusal = refused(&duel, &placement(1));
    assert_eq!((refusal.rule, refusal.found.as_str()), (Some("5.5.2"), "B"), "{refusal}");
    assert_eq!(refusal.expected, "board B is placed already; board C, D or E is still missing");
    let refusal = refused(&duel, &format!("host: place C {}", cards.join(" ").replace("B8", "B1")));
    assert_eq!((refusal.rule, refusal.found.as_str()), (Some("5.3.6"), "B1"), "{refusal}");
    for line in ["host: place C C1", "host: place", "host: place C ?", "host: place X A1"] {
        assert_eq!(refused(&duel, line).rule, None, "{line}");
    }
}

/// A placement may be right by itself and still leave cells that no card fits.
#[test]
fn a_placement_must_leave_the_rest_possible() {
    let mut duel = coloured();
    (0..3).for_each(|board| drop(say(&mut duel, &placement(board))));
    let mut cards = backs(3);
    for (front, others) in [("ct", ["C8", "D9", "E10"]), ("cs", ["E1", "E2", "E3"])] {
        let cells = (0..25).filter(|at| LAYOUT[3].1.split(' ').nth(*at) == Some(front));
        cells.zip(others).for_each(|(cell, card)| cards[cell] = card.into());
    }
    let refusal = refused(&duel, &format!("host: place D {}", cards.join(" ")));
    assert_eq!(refusal.rule, Some("5.5.1"), "{refusal}");
    assert!(refusal.expected.contains("cyan cells of the other boards cannot all be filled"), "{refusal}");
}

/// Every order of the five boards is allowed, and gives the same state.
#[test]
fn the_boards_may_be_placed_in_any_order() {
    let straight = placed();
    let orders = orders(&[0, 1, 2, 3, 4]);
    assert_eq!(orders.len(), 120);
    for order in orders {
        let mut duel = coloured();
        for (n, board) in order.iter().enumerate() {
            let played = say(&mut duel, &placement(*board));
            assert_eq!(played.row.place, if n == 0 { Place::Part } else { Place::Same });
            let letter = LAYOUT[*board].0.to_lowercase();
            assert!(played.keeps.iter().all(|(_, name)| name.starts_with(&format!("{letter}-"))), "{:?}", played.keeps);
            if n < 4 {
                assert_eq!(refused(&duel, &placement(*board)).rule, Some("5.5.2"));
                assert_eq!(refused(&duel, "p1: assign A circle A1 A2 A3 A4").rule, Some("5.3.2"));
            }
        }
        assert_eq!((state(&duel), duel.asks()), (state(&straight), straight.asks()), "{order:?}");
        assert_eq!(duel.view(Sight::Everything), straight.view(Sight::Everything), "{order:?}");
        assert_eq!(refused(&duel, &placement(0)).rule, Some("5.5.1"));
    }
}

/// Every order of these.
fn orders(of: &[usize]) -> Vec<Vec<usize>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let first = |first: &usize| {
        let rest: Vec<usize> = of.iter().copied().filter(|other| other != first).collect();
        orders(&rest).into_iter().map(|rest| [vec![*first], rest].concat()).collect::<Vec<_>>()
    };
    of.iter().flat_map(first).collect()
}

/// The question names the missing boards, and is asked in the fields of the first of them, which is drawn.
#[test]
fn the_host_is_asked_for_the_boards_that_are_missing() {
    let mut duel = coloured();
    say(&mut duel, &placement(2));
    say(&mut duel, &placement(0));
    let [ask] = &duel.asks()[..] else { panic!("one question is left") };
    assert_eq!((ask.what, ask.prompt.as_str(), ask.fields[0].name), ("place", "The backs of board B, D or E", "b-a1"));
    let Some(Form::Line { hint, example, .. }) = duel.form(Party::Host, "place") else { panic!("a line") };
    assert!(hint.contains("board B, D or E") && example.starts_with("place B "), "{hint}, as in {example}");
    let drawn = duel.draw(&mut SplitMix64(4)).unwrap();
    assert!(drawn.starts_with("place B "), "{drawn}");
    // The backs of another board are sealed in the fields of that board.
    let values = duel.split(Party::Host, "place", placement(4).strip_prefix("host: ").unwrap()).unwrap();
    assert_eq!((values[0].0, values.len()), ("e-a1", 25));
}

/// The groups that bind are fixed by the first placement, for all boards and in their own order, whichever board is
/// placed first.
#[test]
fn what_was_assigned_binds_whichever_board_comes_first() {
    // Both groups name A8 to A10. The one on board A gets them, and E circle is open.
    let mut duel = coloured();
    say(&mut duel, "p1: assign E circle A8 A9 A10 | A triangle A8 A9 A10");
    let refusal = refused(&duel, &placement(4));
    assert_eq!((refusal.rule, refusal.found.as_str()), (Some("5.3.8"), "A8"), "{refusal}");
    assert!(refusal.expected.contains("is assigned to another board"), "{refusal}");
    // A card that binds to a placed board is gone for the others.
    let mut duel = coloured();
    say(&mut duel, "p1: assign E circle A8 A9 A10");
    say(&mut duel, &placement(4));
    let refusal = refused(&duel, &swapped(&placement(0), "A4", "A9"));
    assert_eq!((refusal.rule, refusal.found.as_str()), (Some("5.3.6"), "A9"), "{refusal}");
    say(&mut duel, &placement(0));
}

/// An earlier board may be the one that could no longer be filled.
#[test]
fn a_placement_must_leave_the_boards_before_it_possible() {
    let mut duel = coloured();
    for board in [4, 2, 1] {
        say(&mut duel, &placement(board));
    }
    // Four Elderberries and three Durians on D: the fourth Durian is left for A, which takes none.
    let mut cards = backs(3);
    for (front, others) in [("co", &["E5", "E6", "E7", "E8"][..]), ("cs", &["D1", "D2", "D3"])] {
        let cells = (0..25).filter(|at| LAYOUT[3].1.split(' ').nth(*at) == Some(front));
        cells.zip(others).for_each(|(cell, card)| cards[cell] = (*card).into());
    }
    let refusal = refused(&duel, &format!("host: place D {}", cards.join(" ")));
    assert_eq!(refusal.rule, Some("5.5.1"), "{refusal}");
    assert!(refusal.expected.contains("cyan cells of the other boards cannot all be filled"), "{refusal}");
    say(&mut duel, &placement(3));
    say(&mut duel, &placement(0));
}

/// A draw fits, whichever boards are placed already.
#[test]
fn a_draw_fills_the_first_board_missing() {
    let mut random = SplitMix64(17);
    // Six orders at a time begin with the same two boards.
    for order in orders(&[0, 1, 2, 3, 4]).into_iter().step_by(6) {
        let mut duel = coloured();
        let sent = duel.sample(Seat::P2, "assign", &mut random).unwrap();
        say(&mut duel, &format!("p2: {sent}"));
        let (typed, drawn) = (&order[..2], order[2..].iter().min().unwrap());
        // Two boards by hand, from a drawn placing of all five.
        let mut other = duel.clone();
        let lines: Vec<String> = (0..5)
            .map(|_| {
                let line = format!("host: {}", other.draw(&mut random).unwrap());
                say(&mut other, &line).text
            })
            .collect();
        typed.iter().for_each(|board| drop(say(&mut duel, &lines[*board])));
        for n in 0..3 {
            let line = duel.draw(&mut random).unwrap();
            assert!(n > 0 || line.starts_with(&format!("place {}", LAYOUT[*drawn].0)), "{line} after {typed:?}");
            say(&mut duel, &format!("host: {line}"));
        }
        assert!(duel.draw(&mut random).is_none());
    }
}
