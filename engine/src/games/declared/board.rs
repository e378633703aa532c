//! Cells that hold a mark.

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::scanner::{Scanner, read_number};
use crate::Refusal;

/// The largest number of columns and of rows.
const SIDE_MAX: i32 = 26;

/// A declared board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Its name.
    pub name: String,
    /// From left to right, from column a.
    pub columns: u8,
    /// From top to bottom, from row 1.
    pub rows: u8,
}

/// A cell of a board, such as `c3`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// From 0, for a.
    pub column: u8,
    /// From 0, for row 1.
    pub row: u8,
}

/// A mark on a cell: up to three letters or digits, or none, which is `-`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark([u8; 3]);

impl Board {
    pub(super) fn read(name: String, words: &mut Scanner<'_>) -> Result<Self, Refusal> {
        let token = words.next();
        let side = |text| read_number(text, &(1..=SIDE_MAX)).and_then(|side| u8::try_from(side).ok());
        let sides = token.text.split_once('x').and_then(|(columns, rows)| side(columns).zip(side(rows)));
        let (columns, rows) = sides
            .ok_or_else(|| token.refuse(format!("expected columns and rows such as 3x3, at most {SIDE_MAX} each")))?;
        Ok(Self { name, columns, rows })
    }

    /// Its cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| Cell { column, row }))
    }

    /// The place of a cell among its cells.
    pub(super) fn place(&self, cell: Cell) -> usize {
        usize::from(cell.row) * usize::from(self.columns) + usize::from(cell.column)
    }

    pub(super) fn read_cell(&self, words: &mut Scanner<'_>) -> Result<Cell, Refusal> {
        let token = words.next();
        let (letter, number) = token.text.split_at_checked(1).unwrap_or_default();
        let column = letter.bytes().next().and_then(|letter| letter.checked_sub(b'a')).filter(|at| *at < self.columns);
        let row = read_number(number, &(1..=self.rows.into())).and_then(|row| u8::try_from(row - 1).ok());
        let found = column.zip(row).map(|(column, row)| Cell { column, row });
        let last = Cell { column: self.columns.saturating_sub(1), row: self.rows.saturating_sub(1) };
        found.ok_or_else(|| token.refuse(format!("expected a cell of {}, from a1 to {last}", self.name)))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a'.saturating_add(self.column)), u16::from(self.row) + 1)
    }
}

impl Mark {
    pub(super) fn read(words: &mut Scanner<'_>) -> Result<Self, Refusal> {
        let token = words.next();
        let text = token.text.as_bytes();
        let mut mark = Self::default();
        if text == b"-" {
            return Ok(mark);
        }
        if !(1..=mark.0.len()).contains(&text.len()) || !text.iter().all(u8::is_ascii_alphanumeric) {
            return Err(token.refuse("expected a mark of at most 3 letters or digits, or - for none"));
        }
        mark.0.iter_mut().zip(text).for_each(|(place, letter)| *place = *letter);
        Ok(mark)
    }

    /// As it is written.
    #[must_use]
    pub fn word(&self) -> &str {
        let length = self.0.iter().position(|byte| *byte == 0).unwrap_or(self.0.len());
        let text = self.0.get(..length).and_then(|text| core::str::from_utf8(text).ok()).unwrap_or_default();
        if text.is_empty() { "-" } else { text }
    }
}
