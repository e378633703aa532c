//! The host places the boards: every order of them, and the draws for those that are missing.

use engine::{Place, Seat, Sight, SplitMix64};

use super::table::{LAYOUT, coloured, placed, placement, refused, say, state};

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
