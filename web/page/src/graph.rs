//! The graph of a match: the change of its figures from row to row, and the notable events.
//!
//! The game itself supplies the figures, in its views.

use app::views::{Beat, VisibleMatch};
use askama::Template;
use engine::{Duel, Figure, Seat, Word};
use record::SheetRow;
use record::words::row_words;

use super::graph_event::{GraphEvent, graph_events};
use super::{SeatName, Urls};

#[derive(Clone, Debug, Template)]
#[template(path = "graph.html")]
pub struct Graph {
    p1: SeatName,
    p2: SeatName,
    columns: Vec<Column>,
    rows: Vec<Row>,
    curves: Vec<Curve>,
    lanes: Vec<Lane>,
    width: usize,
    at: Option<(usize, String)>,
}

#[derive(Clone, Debug, Template)]
#[template(path = "graph_table.html")]
pub struct GraphTable<'c> {
    graph: &'c Graph,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    name: Word,
    label: Word,
    seat: Option<Seat>,
}

#[derive(Clone, Debug)]
struct Row {
    label: String,
    words: String,
    address: String,
    values: Vec<Option<u32>>,
    events: Vec<GraphEvent>,
    x: usize,
    width: usize,
}

/// A figure over the whole match. The lines of both seats have one scale; a shared figure has its own line.
#[derive(Clone, Debug)]
struct Curve {
    label: Word,
    top: u32,
    /// The areas between the seats' lines, each with the class of the seat that leads there.
    areas: Vec<(&'static str, String)>,
    /// Lines as SVG paths, each with its class: `p1`, `p2` or `shared`.
    paths: Vec<(&'static str, String)>,
}

#[derive(Clone, Debug)]
struct Lane {
    event: GraphEvent,
    path: String,
}

impl Graph {
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
        let (mut states, mut places, mut ends) = (vec![figures(start)], vec![0], vec![0]);
        for row in rows {
            let x = places.last().copied().unwrap_or_default();
            let beats = Beat::of(row).len();
            // The state after each act has its place; that of a single one is at the side of its row.
            for (n, step) in row.steps.iter().enumerate() {
                states.push(figures(step.after.as_ref()));
                places.push(if n + 1 == row.steps.len() { x + beats } else { x + n + 1 });
            }
            ends.push(states.len() - 1);
        }
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
        let now = at.map(|(row, beat)| (row, rows.get(row).map(|row| place_in_row(row, beat)).unwrap_or_default()));
        let rows = rows.iter().zip(ends.windows(2)).zip(events).map(|((row, ends), events)| {
            let side = |n: usize| ends.get(n).and_then(|end| places.get(*end)).copied().unwrap_or_default();
            Row {
                label: row.label.clone(),
                words: row_words(&row.label),
                address: urls.moment(&row.label, beat.in_any_version()),
                values: ends.get(1).and_then(|end| states.get(*end)).cloned().unwrap_or_default(),
                events,
                x: side(0),
                width: side(1) - side(0),
            }
        });
        let rows: Vec<Row> = rows.collect();
        let [p1, p2] = Seat::BOTH.map(|seat| SeatName::of(visible.history)[seat].clone());
        let at = now.map(|(row, (whole, part))| {
            let x = rows.get(row).map_or(0, |row| row.x) + whole;
            (row, format!("{x}{part}"))
        });
        let width = places.last().copied().unwrap_or_default();
        let curves = curves(&columns, &states, &places);
        Some(Self { p1, p2, curves, lanes: lanes(&rows), columns, rows, width, at })
    }

    #[must_use]
    pub const fn table(&self) -> GraphTable<'_> {
        GraphTable { graph: self }
    }

    fn is_current(&self, row: &usize) -> bool {
        self.at.as_ref().is_some_and(|(at, _)| at == row)
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
    fn event_words(&self) -> String {
        self.events.iter().map(|event| event.words()).collect::<Vec<_>>().join("; ")
    }
}

fn place_in_row(row: &SheetRow<'_>, beat: Beat) -> (usize, &'static str) {
    let beats = Beat::of(row).len();
    match beat {
        Beat::Before => (0, ".05"),
        Beat::Choices => (beats / 2, ".5"),
        Beat::Act(number) => (usize::from(number), ""),
        Beat::After => (beats.saturating_sub(1), ".95"),
    }
}

fn columns(states: &[Vec<Figure>]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for figure in states.iter().flatten() {
        let column = Column { name: figure.name.clone(), label: figure.label.clone(), seat: figure.seat };
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    // Seats come before shared figures, and figures of one name are together.
    let order: Vec<Word> =
        columns.iter().filter(|column| column.seat.is_some()).map(|column| column.name.clone()).collect();
    let place = |column: &Column| order.iter().position(|name| *name == column.name).unwrap_or(usize::MAX);
    columns.sort_by_key(|column| (column.seat.is_none(), place(column), column.seat));
    columns
}

fn curves(columns: &[Column], states: &[Vec<Option<u32>>], places: &[usize]) -> Vec<Curve> {
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
        let areas = match same.as_slice() {
            [("p1", p1), ("p2", p2)] => areas(p1, p2, places, top),
            _ => Vec::new(),
        };
        let paths = same.into_iter().map(|(class, values)| (class, path(&values, places, top))).collect();
        curves.push(Curve { label: column.label.clone(), top, areas, paths });
    }
    curves
}

/// A line through these values at their places. It is upside down because the y axis of SVG points down.
fn path(values: &[Option<u32>], places: &[usize], top: u32) -> String {
    let mut path = String::new();
    let mut pen = 'M';
    for (value, x) in values.iter().zip(places) {
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

fn areas(p1: &[Option<u32>], p2: &[Option<u32>], places: &[usize], top: u32) -> Vec<(&'static str, String)> {
    let mut areas = [("p1", String::new()), ("p2", String::new())];
    let points: Vec<_> = p1.iter().zip(p2).zip(places).collect();
    for pair in points.windows(2) {
        let [((Some(one), Some(other)), x), ((Some(later), Some(later_other)), to)] = pair else { continue };
        let lead = |one: u32, other: u32| f64::from(one) - f64::from(other);
        let (from, then) = (lead(*one, *other), lead(*later, *later_other));
        let y = |value: u32| top.saturating_sub(value);
        let mut add = |leads: f64, area: String| {
            if let Some((_, path)) = areas.get_mut(usize::from(leads < 0.0)).filter(|_| leads != 0.0) {
                path.push_str(&area);
            }
        };
        if from * then >= 0.0 {
            let area = format!("M{x} {}L{to} {}V{}L{x} {}z", y(*one), y(*later), y(*later_other), y(*other));
            add(if from == 0.0 { then } else { from }, area);
        } else {
            // They cross between the two places.
            let part = from / (from - then);
            let (x, to) = (**x, **to);
            let cross_x = x as f64 + part * to.saturating_sub(x) as f64;
            let cross_y = f64::from(y(*one)) + part * (f64::from(y(*later)) - f64::from(y(*one)));
            add(from, format!("M{x} {}L{cross_x:.2} {cross_y:.2}L{x} {}z", y(*one), y(*other)));
            add(then, format!("M{to} {}L{cross_x:.2} {cross_y:.2}L{to} {}z", y(*later), y(*later_other)));
        }
    }
    areas.into_iter().filter(|(_, path)| !path.is_empty()).collect()
}

fn lanes(rows: &[Row]) -> Vec<Lane> {
    let lane = |event: GraphEvent| {
        let places = rows.iter().filter(|row| row.events.contains(&event));
        let path: String = places.map(|row| format!("M{} 0h{}v1h-{}z", row.x, row.width, row.width)).collect();
        (!path.is_empty()).then_some(Lane { event, path })
    };
    GraphEvent::ALL.into_iter().filter_map(lane).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_breaks_where_nothing_is_known() {
        assert_eq!(path(&[Some(0), Some(2), None, Some(1)], &[0, 3, 6, 9], 2), "M0 2L3 0M9 1");
        assert_eq!(path(&[], &[], 1), "");
    }

    #[test]
    fn an_area_is_of_the_seat_that_leads_and_ends_where_the_lines_cross() {
        let areas = areas(&[Some(1), Some(3), Some(1)], &[Some(1), Some(1), Some(3)], &[0, 3, 6], 4);
        let expected = [("p1", "M0 3L3 1V3L0 3zM3 1L4.50 2.00L3 3z"), ("p2", "M6 3L4.50 2.00L6 1z")];
        assert_eq!(areas, expected.map(|(seat, path)| (seat, path.to_owned())));
    }

    #[test]
    fn a_figure_of_both_seats_is_one_curve() {
        let figure = |name: &'static str, seat, value| Figure { name: name.into(), label: name.into(), seat, value };
        let state = |pot, p1, p2| {
            vec![figure("pot", None, pot), figure("chips", Some(Seat::P1), p1), figure("chips", Some(Seat::P2), p2)]
        };
        let states = [state(1, 0, 0), state(2, 3, 1)];
        let columns = columns(&states);
        let names: Vec<_> = columns.iter().map(|column| (&*column.name, column.seat)).collect();
        assert_eq!(names, [("chips", Some(Seat::P1)), ("chips", Some(Seat::P2)), ("pot", None)]);
        let values = vec![vec![Some(0), Some(0), Some(1)], vec![Some(3), Some(1), Some(2)]];
        let curves = curves(&columns, &values, &[0, 3]);
        assert_eq!(curves[0].paths, [("p1", "M0 3L3 0".to_owned()), ("p2", "M0 3L3 2".to_owned())]);
        assert_eq!((&*curves[1].label, curves[1].top), ("pot", 2));
    }
}
