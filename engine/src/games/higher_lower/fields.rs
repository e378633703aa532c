//! The names of sealed values: one for each cell of each board, such as `a-c3`, and `move` for a seat's line.

use super::{Board, ByBoard, Cell};
use crate::{Field, Opens, Word};

/// A seat's choice, which becomes public with its step.
pub(super) const OPEN: &[Field] = &[Field { name: Word::Static("move"), opens: Opens::WithStep }];
/// An assignment, which stays sealed until the end of the match.
pub(super) const CLOSED: &[Field] = &[Field { name: Word::Static("move"), opens: Opens::WhenItActs }];

/// Writes out the 125 names, because each must be a static text.
macro_rules! cells {
    ($($cell:literal)+) => {
        ByBoard::new([
            [$(Field { name: Word::Static(concat!("a-", $cell)), opens: Opens::WhenItActs }),+],
            [$(Field { name: Word::Static(concat!("b-", $cell)), opens: Opens::WhenItActs }),+],
            [$(Field { name: Word::Static(concat!("c-", $cell)), opens: Opens::WhenItActs }),+],
            [$(Field { name: Word::Static(concat!("d-", $cell)), opens: Opens::WhenItActs }),+],
            [$(Field { name: Word::Static(concat!("e-", $cell)), opens: Opens::WhenItActs }),+],
        ])
    };
}

static BACKS: ByBoard<[Field; 25]> = cells!(
    "a1" "b1" "c1" "d1" "e1" "a2" "b2" "c2" "d2" "e2" "a3" "b3" "c3" "d3" "e3" "a4" "b4" "c4" "d4" "e4" "a5" "b5" "c5"
    "d5" "e5"
);

pub(super) fn of_board(board: Board) -> &'static [Field] {
    &BACKS[board]
}

pub(super) fn of_cell(board: Board, cell: Cell) -> &'static str {
    BACKS[board].get(cell.index()).map_or("", |field| &*field.name)
}
