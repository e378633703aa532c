//! The score sheet: a table with a row for each round or part of a round, and notes between the rows.

use std::collections::BTreeSet;

use app::views::VisibleMatch;
use askama::Template;
use engine::{BySeat, Figure, Lamp, Panel, Seat, Word};

use super::sheet_lines::{Line, lines};
use super::{SeatName, Urls};

/// Rounds between two heavy lines.
const GROUP_ROUNDS: u32 = 5;

#[derive(Clone, Debug, Template)]
#[template(path = "sheet.html")]
pub struct Sheet {
    caption: String,
    p1: SeatName,
    p2: SeatName,
    columns: Columns,
    bodies: Vec<Vec<Line>>,
    letters: Vec<(&'static str, &'static str)>,
    beats: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) lamps: Option<Word>,
    /// Each seat's figures: name and label.
    pub(super) own: Vec<(Word, Word)>,
    pub(super) shared: Vec<(Word, Word)>,
}

impl Columns {
    fn of(figures: &[Figure], panels: &[Panel]) -> Self {
        let named = |whose: Option<Seat>| {
            let own = figures.iter().filter(|figure| figure.seat == whose);
            own.map(|figure| (figure.name.clone(), figure.label.clone())).collect::<Vec<_>>()
        };
        let lamps = panels.iter().find_map(|panel| match panel {
            Panel::Lamps { title, .. } => Some(title.clone()),
            _ => None,
        });
        Self { lamps, own: named(Some(Seat::P1)), shared: named(None) }
    }

    fn all(&self) -> usize {
        3 + 2 * (usize::from(self.lamps.is_some()) + self.own.len()) + self.shared.len()
    }
}

impl Sheet {
    fn has_outcomes(&self) -> bool {
        let lines = self.bodies.iter().flatten();
        lines
            .filter_map(|line| if let Line::Round(row) = line { Some(row) } else { None })
            .any(|row| row.played.has_outcomes())
    }

    #[must_use]
    pub fn of(visible: &VisibleMatch<'_>, urls: &Urls) -> Self {
        let view = visible.view(visible.history.duel());
        let columns = Columns::of(&view.figures, &view.panels);
        let lines = lines(visible, urls, &columns);
        let BySeat { p1, p2 } = SeatName::of(visible.history);
        let caption = "Score sheet: what happened in each round and what became of it, and the state after it";
        let letters = letters(&view.panels);
        Self { caption: caption.to_owned(), p1, p2, columns, bodies: grouped(lines), letters, beats: true }
    }
}

fn grouped(lines: Vec<Line>) -> Vec<Vec<Line>> {
    let parts = lines.iter().any(|line| matches!(line, Line::Round(row) if row.part));
    let rounds = if parts { 1 } else { GROUP_ROUNDS };
    let mut bodies: Vec<Vec<Line>> = Vec::new();
    let mut group = None;
    for line in lines {
        let own = match &line {
            Line::Round(row) => Some(row.round.div_ceil(rounds)),
            Line::Note(_) => group,
        };
        match bodies.last_mut() {
            Some(body) if own == group || group.is_none() => body.push(line),
            _ => bodies.push(vec![line]),
        }
        group = own;
    }
    bodies
}

fn letters(panels: &[Panel]) -> Vec<(&'static str, &'static str)> {
    let mut seen = BTreeSet::new();
    let lamps = panels.iter().flat_map(|panel| match panel {
        Panel::Lamps { lamps, .. } => lamps.as_slice(),
        _ => &[],
    });
    let lamps = lamps.filter(|lamp: &&Lamp| seen.insert(lamp.letters));
    lamps.map(|lamp| (lamp.letters, lamp.name)).collect()
}
