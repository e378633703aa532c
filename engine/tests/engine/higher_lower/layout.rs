//! The default layout, and the clauses.

use engine::games::higher_lower::{Board, Cell, default_layout};
use engine::{Clause, Colour, ruleset};

use super::table::{LAYOUT, placed};

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
