//! The graph of a match: the change of its figures from row to row, and the notable events.
//!
//! The game itself supplies the figures, in its views.

use app::views::{Beat, VisibleMatch};
use askama::Template;
use engine::{Duel, Fate, Figure, Seat};
use record::words::row_words;
use record::{Change, History, SheetRow, StepRecord, StepSource};

use super::{SeatName, Urls};

/// If more rows than this share the largest swing, swings are normal in this game and none is marked.
const MARKED_SWINGS_MAX: usize = 3;

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
    ticks: Vec<Tick>,
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
    tick: Tick,
    path: String,
}

/// A notable event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tick {
    /// The lead changed from one seat to the other.
    Lead,
    /// The margin between the scores changed more than in any other row.
    Swing,
    /// Somebody ruled, corrected or objected.
    Ruling,
    /// The clock was paused.
    Pause,
    /// A seat sent nothing in time.
    Default,
}

impl Tick {
    const ALL: [Self; 5] = [Self::Lead, Self::Swing, Self::Ruling, Self::Pause, Self::Default];

    const fn label(self) -> &'static str {
        match self {
            Self::Lead => "Lead",
            Self::Swing => "Swing",
            Self::Ruling => "Ruling",
            Self::Pause => "Pause",
            Self::Default => "Default",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Lead => "the lead changes",
            Self::Swing => "the largest swing",
            Self::Ruling => "a ruling or correction",
            Self::Pause => "the clock was paused",
            Self::Default => "nothing in time",
        }
    }
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
        let ticks = ticks(visible.history, rows, start);
        let rows = rows.iter().zip(states.iter().skip(1)).zip(ticks).map(|((row, values), ticks)| Row {
            label: row.label.clone(),
            words: row_words(&row.label),
            address: urls.moment(&row.label, beat),
            values: values.clone(),
            ticks,
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
    fn events(&self) -> String {
        self.ticks.iter().map(|tick| tick.words()).collect::<Vec<_>>().join("; ")
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
    let lane = |tick: Tick| {
        let places = rows.iter().enumerate().filter(|(_, row)| row.ticks.contains(&tick));
        let path: String = places.map(|(x, _)| format!("M{x}.2 0h.6v1h-.6z")).collect();
        (!path.is_empty()).then_some(Lane { tick, path })
    };
    Tick::ALL.into_iter().filter_map(lane).collect()
}

/// The events in each row.
fn ticks(history: &History, rows: &[SheetRow<'_>], start: Option<&Duel>) -> Vec<Vec<Tick>> {
    let margin = |duel: Option<&Duel>| {
        let score = duel?.score()?;
        Some(i64::from(score.p1) - i64::from(score.p2))
    };
    let mut margins = vec![margin(start)];
    margins.extend(rows.iter().map(|row| margin(row.after())));
    let of_row = |((row, leads), swings): ((&SheetRow<'_>, bool), bool)| {
        let any = |happened: &dyn Fn(&StepRecord) -> bool| row.steps.iter().any(|step| happened(step));
        let found = [
            (leads, Tick::Lead),
            (swings, Tick::Swing),
            (any(&|step| is_ruled(history, step)), Tick::Ruling),
            (any(&|step| was_paused(history, step)), Tick::Pause),
            (any(&is_default), Tick::Default),
        ];
        found.into_iter().filter(|(found, _)| *found).map(|(_, tick)| tick).collect()
    };
    rows.iter().zip(changes_of_lead(&margins)).zip(largest_swings(&margins)).map(of_row).collect()
}

/// Marks the rows after which a seat leads that did not lead before. A margin is how far seat 1 is ahead, at the start
/// and after each row.
fn changes_of_lead(margins: &[Option<i64>]) -> Vec<bool> {
    let mut led = None;
    let changes = margins.iter().map(|margin| {
        let leads = margin.map(i64::signum).filter(|side| *side != 0);
        let changes = leads.is_some() && led.is_some() && leads != led;
        led = leads.or(led);
        changes
    });
    changes.skip(1).collect()
}

/// Marks the rows after which the margin moved most, by more than a point. If many rows moved it equally far, none is
/// marked. Most matches have no second change of lead, and this shows where they were decided.
fn largest_swings(margins: &[Option<i64>]) -> Vec<bool> {
    let moved = margins.iter().zip(margins.iter().skip(1)).map(|pair| match pair {
        (Some(before), Some(after)) => before.abs_diff(*after),
        _ => 0,
    });
    let moved: Vec<u64> = moved.collect();
    let largest = moved.iter().copied().max().unwrap_or(0);
    let is_rare = largest > 1 && moved.iter().filter(|by| **by == largest).count() <= MARKED_SWINGS_MAX;
    moved.into_iter().map(|by| is_rare && by == largest).collect()
}

/// True if somebody ruled on a step, decided in it, corrected it, struck it before, or objected to it.
pub(crate) fn is_ruled(history: &History, step: &StepRecord) -> bool {
    let corrected = step.source == StepSource::Correction { changed: true };
    let struck = history.strikes.iter().any(|strike| strike.from == step.number);
    let remarked = history.remarks.iter().any(|remark| match remark.objects {
        Some((_, number)) => number == step.number,
        None => remark.ruling && remark.after_step == step.number,
    });
    is_decision(step) || corrected || struck || remarked || step.source == StepSource::Ruling
}

/// True if a step is an umpire's decision and not a move.
pub(crate) fn is_decision(step: &StepRecord) -> bool {
    step.public.starts_with("umpire:")
}

fn was_paused(history: &History, step: &StepRecord) -> bool {
    let StepSource::Decision(decision) = &step.source else { return false };
    let changes = history.clock(decision).map(|clock| clock.changes.as_slice()).unwrap_or_default();
    changes.iter().any(|change| matches!(change.change, Change::Paused { .. }))
}

fn is_default(step: &StepRecord) -> bool {
    let silent = Seat::BOTH.into_iter().any(|seat| step.moves[seat].as_deref() == Some("-"));
    silent || step.effects.iter().any(|effect| effect.fate == Fate::Defaulted)
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
    fn the_lead_changes_where_the_other_seat_leads_for_the_first_time() {
        let margins = [0, 2, 0, -1, 0, -3, 1].map(Some);
        assert_eq!(changes_of_lead(&margins), [false, false, true, false, false, true], "level is nobody's lead");
        assert_eq!(changes_of_lead(&[None, None]), [false]);
    }

    #[test]
    fn a_swing_is_marked_only_if_it_is_rare() {
        assert_eq!(largest_swings(&[0, 2, -3, -1].map(Some)), [false, true, false]);
        assert_eq!(largest_swings(&[0, 2, 0].map(Some)), [true, true], "two of the same size");
        assert_eq!(largest_swings(&[0, 1, 0].map(Some)), [false; 2], "a point is no swing");
        assert_eq!(largest_swings(&[0, 2, 0, 2, 0].map(Some)), [false; 4], "four of the same size");
        assert_eq!(largest_swings(&[Some(0), None, Some(9)]), [false; 2], "what is not known did not swing");
        assert_eq!(largest_swings(&[]), [false; 0]);
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
