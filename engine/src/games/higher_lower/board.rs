//! The five boards, their cells, and the ways from a cell to its neighbours.

use core::ops::{Index, IndexMut};

use crate::bit_set::bit_set;

/// One of the five boards, in the order used everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Board {
    /// Takes Apple, Blueberry and Elderberry.
    A,
    /// Takes Apple, Blueberry and Clementine.
    B,
    /// Takes Blueberry, Clementine and Durian.
    C,
    /// Takes Clementine, Durian and Elderberry.
    D,
    /// Takes Apple, Durian and Elderberry.
    E,
}

impl Board {
    /// All five, in order.
    pub const ALL: [Self; 5] = [Self::A, Self::B, Self::C, Self::D, Self::E];

    /// The notation's letter.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::D => "D",
            Self::E => "E",
        }
    }

    /// The board of a letter, in either case.
    #[must_use]
    pub fn of_letter(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|board| board.letter().eq_ignore_ascii_case(text))
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Boards(u8);

impl Boards {
    pub(super) const fn has(self, board: Board) -> bool {
        self.0 & board.bit() != 0
    }

    pub(super) const fn add(&mut self, board: Board) {
        self.0 |= board.bit();
    }

    pub(super) const fn count(self) -> u32 {
        self.0.count_ones()
    }

    pub(super) fn others(self) -> impl Iterator<Item = Board> {
        Board::ALL.into_iter().filter(move |board| !self.has(*board))
    }
}

/// One value for each board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByBoard<T>([T; 5]);

impl<T> ByBoard<T> {
    /// Makes each board's value from the board.
    pub fn from_fn(make: impl FnMut(Board) -> T) -> Self {
        Self(Board::ALL.map(make))
    }

    /// The values in the boards' order.
    pub const fn new(values: [T; 5]) -> Self {
        Self(values)
    }
}

impl<T> Index<Board> for ByBoard<T> {
    type Output = T;

    fn index(&self, board: Board) -> &T {
        let [a, b, c, d, e] = &self.0;
        match board {
            Board::A => a,
            Board::B => b,
            Board::C => c,
            Board::D => d,
            Board::E => e,
        }
    }
}

impl<T> IndexMut<Board> for ByBoard<T> {
    fn index_mut(&mut self, board: Board) -> &mut T {
        let [a, b, c, d, e] = &mut self.0;
        match board {
            Board::A => a,
            Board::B => b,
            Board::C => c,
            Board::D => d,
            Board::E => e,
        }
    }
}

/// One of a board's 25 cells: 0 is a1, at the top left, 4 is e1, 5 is a2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// All 25, row by row.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..25).map(Self)
    }

    /// Its place row by row, 0 to 24.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its name: the column's letter from the left, the row's number from the top.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.get(self.index()).copied().unwrap_or_default()
    }

    /// The cell of a name, in either case.
    #[must_use]
    pub fn of_name(text: &str) -> Option<Self> {
        Self::all().find(|cell| cell.name().eq_ignore_ascii_case(text))
    }

    /// The neighbour in that direction; none beyond the edge.
    #[must_use]
    pub const fn next(self, direction: Direction) -> Option<Self> {
        let (column, row) = (self.0 % 5, self.0 / 5);
        match direction {
            Direction::North if row > 0 => Some(Self(self.0 - 5)),
            Direction::East if column < 4 => Some(Self(self.0 + 1)),
            Direction::South if row < 4 => Some(Self(self.0 + 5)),
            Direction::West if column > 0 => Some(Self(self.0 - 1)),
            _ => None,
        }
    }
}

const NAMES: [&str; 25] = [
    "a1", "b1", "c1", "d1", "e1", "a2", "b2", "c2", "d2", "e2", "a3", "b3", "c3", "d3", "e3", "a4", "b4", "c4", "d4",
    "e4", "a5", "b5", "c5", "d5", "e5",
];

bit_set! {
    /// A set of cells of a board, listed row by row.
    Cells(u32) of Cell
}

/// The direction from a cell to a neighbour; north is the top of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Up.
    North,
    /// To the right.
    East,
    /// Down.
    South,
    /// To the left.
    West,
}

impl Direction {
    /// All four, clockwise.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The notation's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        }
    }

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::North => "North",
            Self::East => "East",
            Self::South => "South",
            Self::West => "West",
        }
    }
}
