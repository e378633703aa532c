//! The graph of a match: the change of its figures from row to row, and the notable events.
//!
//! The game itself supplies the figures, in its views.

use app::views::{Beat, VisibleMatch};
use askama::Template;
use engine::{Duel, Figure, Seat};
use record::SheetRow;
use record::words::row_words;

use super::graph_event::{GraphEvent, graph_events};
use super::{SeatName, Urls};

/// The graph of a match, ready to be drawn.
#[derive(Clone, Debug, Template)]
#[template(path = "page/graph.html")]
pub struct Graph {
    p1: SeatName,
    p2: SeatName,
    columns: Vec<Column>,
    rows: Vec<Row>,
    curves: Vec<Curve>,
    lanes: Vec<Lane>,
    /// The current row, from 0, and the position of the current moment in it.
    at: Option<(usize, &'static str)>,
}

/// The same as a table.
#[derive(Clone, Debug, Template)]
#[template(path = "page/graph_table.html")]
pub struct GraphTable<'c> {
    graph: &'c Graph,
}

/// A figure of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    name: &'static str,
    label: &'static str,
    seat: Option<Seat>,
}

/// A row of the score sheet.
#[derive(Clone, Debug)]
struct Row {
    label: String,
    words: String,
    address: String,
    values: Vec<Option<u32>>,
    events: Vec<GraphEvent>,
}

/// A figure over the whole match. The lines of both seats have one scale; a shared figure has its own line.
#[derive(Clone, Debug)]
struct Curve {
    label: &'static str,
    top: u32,
    /// Lines as SVG paths, each with its class: `p1`, `p2` or `shared`.
    paths: Vec<(&'static str, String)>,
}

/// The rows in which one kind of event happened, as an SVG path.
#[derive(Clone, Debug)]
struct Lane {
    event: GraphEvent,
    path: String,
}

impl Graph {
    /// The graph of these rows, with one of them current; links lead to this beat of each.
    #[must_use]
    pub fn of(
        visible: &VisibleMatch<'_>,
        rows: &[SheetRow<'_>],
        urls: &Urls,
        beat: Beat,
        at: Option<(usize, Beat)>,
    ) -> Option<Self> {
        let first = rows.first()?.steps.first()?;
        let start = visible.history.before(first.number);
        let figures = |duel: Option<&Duel>| duel.map(|duel| duel.figures()).unwrap_or_default();
        let mut states = vec![figures(start)];
        states.extend(rows.iter().map(|row| figures(row.after())));
        let columns = columns(&states);
        let values = |figures: &[Figure]| {
            let value = |column: &Column| {
                let own = |figure: &&Figure| figure.name == column.name && figure.seat == column.seat;
                figures.iter().find(own).map(|figure| figure.value)
            };
            columns.iter().map(value).collect::<Vec<_>>()
        };
        let states: Vec<Vec<Option<u32>>> = states.iter().map(|figures| values(figures)).collect();
        let events = graph_events(visible.history, rows, start);
        let rows = rows.iter().zip(states.iter().skip(1)).zip(events).map(|((row, values), events)| Row {
            label: row.label.clone(),
            words: row_words(&row.label),
            address: urls.moment(&row.label, beat),
            values: values.clone(),
            events,
        });
        let rows: Vec<Row> = rows.collect();
        let [p1, p2] = Seat::BOTH.map(|seat| SeatName::of(visible.history)[seat].clone());
        let at = at.map(|(row, beat)| (row, place_in_row(beat)));
        Some(Self { p1, p2, curves: curves(&columns, &states), lanes: lanes(&rows), columns, rows, at })
    }

    /// The same as a table.
    #[must_use]
    pub const fn table(&self) -> GraphTable<'_> {
        GraphTable { graph: self }
    }

    /// True for the current row.
    fn is_current(&self, row: &usize) -> bool {
        self.at.is_some_and(|(at, _)| at == *row)
    }
}

impl GraphTable<'_> {
    fn name(&self, seat: &Option<Seat>) -> Option<&SeatName> {
        seat.map(|seat| match seat {
            Seat::P1 => &self.graph.p1,
            Seat::P2 => &self.graph.p2,
        })
    }
}

impl Row {
    /// The events in words; empty if there were none.
    fn event_words(&self) -> String {
        self.events.iter().map(|event| event.words()).collect::<Vec<_>>().join("; ")
    }
}

/// The position of a moment within its row: states are at its sides.
const fn place_in_row(beat: Beat) -> &'static str {
    match beat {
        Beat::Before => ".02",
        Beat::Choices => ".5",
        Beat::After => ".98",
    }
}

/// Every figure that occurs, with both seats' side by side.
fn columns(states: &[Vec<Figure>]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for figure in states.iter().flatten() {
        let column = Column { name: figure.name, label: figure.label, seat: figure.seat };
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    // Seats come before shared figures, and figures of one name are together.
    let order: Vec<&str> = columns.iter().filter(|column| column.seat.is_some()).map(|column| column.name).collect();
    let place = |column: &Column| order.iter().position(|name| *name == column.name).unwrap_or(usize::MAX);
    columns.sort_by_key(|column| (column.seat.is_none(), place(column), column.seat));
    columns
}

fn curves(columns: &[Column], states: &[Vec<Option<u32>>]) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    for column in columns {
        if curves.iter().any(|curve| curve.label == column.label) {
            continue;
        }
        let same = columns.iter().enumerate().filter(|(_, other)| other.name == column.name);
        let same: Vec<_> = same
            .map(|(n, other)| {
                let values = states.iter().map(|state| state.get(n).copied().flatten()).collect::<Vec<_>>();
                (other.seat.map_or("shared", Seat::word), values)
            })
            .collect();
        let top = same.iter().flat_map(|(_, values)| values).flatten().copied().max().unwrap_or(0).max(1);
        let paths = same.into_iter().map(|(class, values)| (class, path(&values, top))).collect();
        curves.push(Curve { label: column.label, top, paths });
    }
    curves
}

/// A line through these values, one unit apart. It is upside down because the y axis of SVG points down.
fn path(values: &[Option<u32>], top: u32) -> String {
    let mut path = String::new();
    let mut pen = 'M';
    for (x, value) in values.iter().enumerate() {
        match value {
            Some(value) => {
                path.push_str(&format!("{pen}{x} {}", top.saturating_sub(*value)));
                pen = 'L';
            }
            None => pen = 'M',
        }
    }
    path
}

fn lanes(rows: &[Row]) -> Vec<Lane> {
    let lane = |event: GraphEvent| {
        let places = rows.iter().enumerate().filter(|(_, row)| row.events.contains(&event));
        let path: String = places.map(|(x, _)| format!("M{x}.2 0h.6v1h-.6z")).collect();
        (!path.is_empty()).then_some(Lane { event, path })
    };
    GraphEvent::ALL.into_iter().filter_map(lane).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_breaks_where_nothing_is_known() {
        assert_eq!(path(&[Some(0), Some(2), None, Some(1)], 2), "M0 2L1 0M3 1");
        assert_eq!(path(&[], 1), "");
    }

    #[test]
    fn a_figure_of_both_seats_is_one_curve() {
        let figure = |name, seat, value| Figure { name, label: name, seat, value };
        let state = |pot, p1, p2| {
            vec![figure("pot", None, pot), figure("chips", Some(Seat::P1), p1), figure("chips", Some(Seat::P2), p2)]
        };
        let states = [state(1, 0, 0), state(2, 3, 1)];
        let columns = columns(&states);
        let names: Vec<_> = columns.iter().map(|column| (column.name, column.seat)).collect();
        assert_eq!(names, [("chips", Some(Seat::P1)), ("chips", Some(Seat::P2)), ("pot", None)]);
        let values = vec![vec![Some(0), Some(0), Some(1)], vec![Some(3), Some(1), Some(2)]];
        let curves = curves(&columns, &values);
        assert_eq!(curves[0].paths, [("p1", "M0 3L1 0".to_owned()), ("p2", "M0 3L1 2".to_owned())]);
        assert_eq!((curves[1].label, curves[1].top), ("pot", 2));
    }
}
