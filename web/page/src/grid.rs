//! Cells in rows and columns, such as a board. It is a table, so that a screen reader can walk through it.

use std::fmt;

use askama::Template;
use engine::{Cell, Panel, Sign, View};

use super::cards::MarkView;
use super::icon::Icon;

#[derive(Clone, Debug, Template)]
#[template(path = "grid.html")]
pub struct Grid {
    title: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<GridCell>)>,
    pub(super) current: bool,
}

#[derive(Clone, Debug)]
pub(super) struct CellPick {
    pub(super) field: String,
    pub(super) value: String,
    pub(super) label: String,
    pub(super) barred: Option<String>,
    pub(super) picked: bool,
}

#[derive(Clone, Debug)]
struct GridCell {
    sign: Icon,
    face: String,
    name: String,
    mark: MarkView,
    up: bool,
    pick: Option<CellPick>,
}

impl Grid {
    #[must_use]
    pub fn of(title: &str, columns: &[String], rows: &[(String, Vec<Cell>)], current: bool) -> Self {
        let rows = rows.iter().map(|(label, cells)| (label.clone(), cells.iter().map(GridCell::of).collect()));
        Self { title: title.to_owned(), columns: columns.to_vec(), rows: rows.collect(), current }
    }

    pub(super) fn with_picks(mut self, pick_of: impl Fn(&str) -> Option<CellPick>) -> Self {
        let columns = self.columns.clone();
        for (label, cells) in &mut self.rows {
            for (column, cell) in columns.iter().zip(cells) {
                cell.pick = pick_of(&format!("{column}{label}"));
            }
        }
        self
    }

    pub(super) fn prefix_fields(&mut self, prefix: &str) {
        for cell in self.rows.iter_mut().flat_map(|(_, cells)| cells) {
            if let Some(pick) = &mut cell.pick {
                pick.field.insert_str(0, prefix);
            }
        }
    }

    fn headed(&self) -> bool {
        self.rows.iter().any(|(label, _)| !label.is_empty())
    }
}

/// A board in small, to choose it by its looks.
#[derive(Clone, Debug)]
pub(super) struct MiniBoard(Vec<Vec<Sign>>);

impl MiniBoard {
    /// The board of this title, if the table has one.
    pub(super) fn of(view: &View, title: &str) -> Option<Self> {
        view.panels.iter().find_map(|panel| match panel {
            Panel::Grid { title: of, rows, .. } if of == title => {
                let signs = |(_, cells): &(String, Vec<Cell>)| cells.iter().map(|cell| cell.sign).collect();
                Some(Self(rows.iter().map(signs).collect()))
            }
            _ => None,
        })
    }
}

impl fmt::Display for MiniBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.0.len() * 20;
        write!(f, r#"<svg class="mini" viewBox="0 0 {side} {side}" aria-hidden="true">"#)?;
        for (down, row) in self.0.iter().enumerate() {
            for (across, sign) in row.iter().enumerate() {
                let (x, y) = (across * 20 + 1, down * 20 + 1);
                let (class, outline) = (Icon(*sign).class(), picture::icon::sign(*sign));
                write!(
                    f,
                    r#"<rect x="{x}" y="{y}" width="18" height="18" rx="3"/><path class="{class}" transform="translate({} {}) scale(.625)" d="{outline}"/>"#,
                    x + 4,
                    y + 4
                )?;
            }
        }
        f.write_str("</svg>")
    }
}

impl GridCell {
    fn of(cell: &Cell) -> Self {
        Self {
            sign: Icon(cell.sign),
            face: cell.face.clone(),
            name: cell.name.clone(),
            mark: MarkView(cell.mark),
            up: cell.up,
            pick: None,
        }
    }
}

pub(super) fn key_to(cells: &[&Cell]) -> Option<&'static str> {
    let fronts = cells.iter().any(|cell| matches!(cell.sign, Sign::Shape(..)));
    fronts.then_some("c, filled: cyan; p, ringed: pink; g, dashed: grey")
}

#[cfg(test)]
mod tests {
    use engine::{Colour, Mark, Shape};

    use super::*;

    #[test]
    fn a_grid_is_a_table_with_headers() {
        let cell = |face: &str, name: &str, up, mark| Cell {
            sign: Sign::Shape(Colour::Pink, Shape::Triangle),
            face: face.to_owned(),
            name: name.to_owned(),
            mark,
            up,
        };
        let row = vec![
            cell("A10", "a1, pink triangle, Apple 10", true, Mark::New),
            cell("", "b1, pink triangle", false, Mark::None),
        ];
        let columns = ["a".to_owned(), "b".to_owned()];
        let drawn = Grid::of("Board A", &columns, &[("1".to_owned(), row)], true).to_string();
        assert!(drawn.contains("<caption>Board A<"), "{drawn}");
        assert!(drawn.contains(r#"<th scope="col">b</th>"#) && drawn.contains(r#"<th scope="row">1</th>"#), "{drawn}");
        assert!(drawn.contains("<b>A10</b>") && drawn.contains("Apple 10, new<"), "{drawn}");
        assert_eq!(drawn.matches("is-up").count(), 1, "{drawn}");
        assert!(drawn.contains(">p</text>"), "a letter beside the colour: {drawn}");
    }
}
