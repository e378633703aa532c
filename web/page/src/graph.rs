//! The graph of a match: who led by how much from row to row, and what stood out. As a table it has every figure.
//!
//! The game itself supplies the figures, in its views.

use app::views::{Beat, Highlights, VisibleMatch};
use askama::Template;
use engine::{BySeat, Duel, Figure, Ruleset, Seat, Word};
use record::SheetRow;
use record::words::row_words;

use super::graph_event::{GraphEvent, graph_events};
use super::graph_note::GraphNote;
use super::{SeatName, Urls};

/// From the middle to an edge, in the drawing's own units.
const HALF: i64 = 100;
/// A lead of less than this fills no graph.
const LEAD_MIN: i64 = 3;

#[derive(Clone, Debug, Template)]
#[template(path = "graph.html")]
pub struct Graph {
    p1: SeatName,
    p2: SeatName,
    columns: Vec<Column>,
    rows: Vec<Row>,
    ribbon: Ribbon,
    notes: Vec<GraphNote>,
    /// The row that is looked at, and the place of its moment.
    at: Option<(usize, String)>,
}

/// Who led by how much, one column a row. Nobody leads in some games before the end: there it is a strip of ticks, who did
/// something that counts, in which row.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ribbon {
    Lead { above: String, below: String, most: i64 },
    Ticks { above: String, below: String },
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
    values: Vec<Option<i32>>,
    events: Vec<GraphEvent>,
}

impl Graph {
    #[must_use]
    pub fn of(
        visible: &VisibleMatch<'_>,
        rows: &[SheetRow<'_>],
        urls: &Urls,
        beat: Beat,
        at: Option<(usize, Beat, usize)>,
    ) -> Option<Self> {
        let first = rows.first()?.steps.first()?;
        let (history, start) = (visible.history, visible.history.before(first.number));
        let duels: Vec<Option<&Duel>> = [start].into_iter().chain(rows.iter().map(SheetRow::after)).collect();
        let states: Vec<Vec<Figure>> =
            duels.iter().map(|duel| duel.map(|duel| duel.figures()).unwrap_or_default()).collect();
        let columns = columns(&states);
        let values = |figures: &Vec<Figure>| {
            let value = |column: &Column| {
                let own = |figure: &&Figure| figure.name == column.name && figure.seat == column.seat;
                figures.iter().find(own).map(|figure| figure.value)
            };
            columns.iter().map(value).collect::<Vec<_>>()
        };
        let pairs: Vec<Option<(i64, i64)>> =
            duels.iter().zip(&states).map(|(duel, figures)| pair(*duel, figures)).collect();
        let ribbon = if super::course::has_lead(history.ruleset().game()) { lead(&pairs) } else { ticks(&pairs) };
        let events = graph_events(history, rows, start);
        let rows: Vec<Row> = rows
            .iter()
            .zip(states.iter().skip(1))
            .zip(events)
            .map(|((row, figures), events)| Row {
                label: row.label.clone(),
                words: row_words(&row.label),
                address: urls.moment(&row.label, beat.in_any_version()),
                values: values(figures),
                events,
            })
            .collect();
        let [p1, p2] = Seat::BOTH.map(|seat| SeatName::of(history)[seat].clone());
        let at = at.map(|(row, beat, acts)| (row, format!("{row}{}", place_in_row(beat, acts))));
        Some(Self { p1, p2, ribbon, columns, rows, notes: Vec::new(), at })
    }

    /// With what stood out, and interventions, in their places.
    #[must_use]
    pub fn with_notes(mut self, found: &Highlights, names: BySeat<&str>, ruleset: &dyn Ruleset) -> Self {
        let places = self.rows.iter().map(|row| (row.label.as_str(), row.address.as_str()));
        let intervened = self.rows.iter().find(|row| row.events.contains(&GraphEvent::Ruling));
        let intervened = intervened.map(|row| row.label.clone());
        self.notes = GraphNote::all(found, intervened, &places.collect::<Vec<_>>(), names, ruleset);
        self
    }

    /// A graph by each other figure that both seats have, with the figure's name.
    #[must_use]
    pub fn others(&self) -> Vec<(Word, Self)> {
        let first = self.columns.iter().enumerate().filter(|(_, column)| column.seat == Some(Seat::P1));
        let graphs = first.map(|(at, column)| {
            let value = |row: &Row, at: usize| row.values.get(at).copied().flatten().map(i64::from);
            // The other seat's column is the next one.
            let pairs = self.rows.iter().map(|row| value(row, at).zip(value(row, at + 1)));
            let ribbon = lead(&[None].into_iter().chain(pairs).collect::<Vec<_>>());
            (column.label.clone(), Self { ribbon, notes: Vec::new(), ..self.clone() })
        });
        graphs.filter(|(_, graph)| graph.ribbon != self.ribbon).collect()
    }

    #[must_use]
    pub const fn table(&self) -> GraphTable<'_> {
        GraphTable { graph: self }
    }

    fn is_current(&self, row: &usize) -> bool {
        self.at.as_ref().is_some_and(|(at, _)| at == row)
    }

    /// The highest lead; none where nobody leads.
    const fn most(&self) -> Option<i64> {
        match &self.ribbon {
            Ribbon::Lead { most, .. } => Some(*most),
            Ribbon::Ticks { .. } => None,
        }
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

/// A moment's place in its row, of so many acts, as the rest of a number: the state after the last act is at its end.
fn place_in_row(beat: Beat, acts: usize) -> String {
    match beat {
        Beat::Before => ".05".to_owned(),
        Beat::Choices => ".5".to_owned(),
        Beat::Act(number) => format!(".{:02}", (usize::from(number) * 100 / acts.max(1)).min(99)),
        Beat::After => ".95".to_owned(),
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

/// What each seat has, as the lead is counted.
fn pair(duel: Option<&Duel>, figures: &[Figure]) -> Option<(i64, i64)> {
    if let Some(score) = duel?.score() {
        return Some((score.p1.into(), score.p2.into()));
    }
    let first = figures.iter().find(|figure| figure.seat == Some(Seat::P1))?;
    let other = figures.iter().find(|figure| figure.seat == Some(Seat::P2) && figure.name == first.name)?;
    Some((first.value.into(), other.value.into()))
}

fn lead(pairs: &[Option<(i64, i64)>]) -> Ribbon {
    let leads: Vec<i64> = pairs.iter().skip(1).map(|pair| pair.map_or(0, |(p1, p2)| p1 - p2)).collect();
    let most = leads.iter().map(|lead| lead.abs()).max().unwrap_or(0).max(LEAD_MIN);
    let heights = |of: fn(i64) -> i64| leads.iter().map(move |lead| of(*lead) * HALF / most);
    Ribbon::Lead { above: area(heights(|lead| lead.max(0))), below: area(heights(|lead| lead.min(0))), most }
}

fn ticks(pairs: &[Option<(i64, i64)>]) -> Ribbon {
    let gained = |of: fn((i64, i64)) -> i64| {
        pairs.windows(2).map(move |two| match two {
            [Some(before), Some(after)] => of(*after) > of(*before),
            _ => false,
        })
    };
    let marks = |gained: &mut dyn Iterator<Item = bool>, y: i64| {
        let marks = gained.enumerate().filter(|(_, gained)| *gained);
        marks.map(|(x, _)| format!("M{x}.15 {y}h.7v{}h-.7z", HALF / 2)).collect::<String>()
    };
    Ribbon::Ticks {
        above: marks(&mut gained(|pair| pair.0), HALF / 4),
        below: marks(&mut gained(|pair| pair.1), HALF * 5 / 4),
    }
}

/// Columns between the middle and these heights. The y axis points down.
fn area(heights: impl Iterator<Item = i64>) -> String {
    let columns: String = heights.map(|height| format!("V{}h1", HALF - height)).collect();
    format!("M0 {HALF}{columns}V{HALF}z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_above_the_middle_for_seat_1_and_below_it_for_seat_2() {
        let drawn = lead(&[Some((0, 0)), Some((4, 0)), Some((4, 6))]);
        assert_eq!(
            drawn,
            Ribbon::Lead { above: "M0 100V0h1V100h1V100z".into(), below: "M0 100V100h1V150h1V100z".into(), most: 4 }
        );
        // A lead of one does not look like a rout.
        assert_eq!(
            lead(&[Some((0, 0)), Some((1, 0))]),
            Ribbon::Lead { above: "M0 100V67h1V100z".into(), below: "M0 100V100h1V100z".into(), most: 3 }
        );
    }

    #[test]
    fn where_nobody_leads_there_are_ticks() {
        let drawn = ticks(&[Some((0, 0)), Some((1, 0)), Some((1, 1))]);
        assert_eq!(drawn, Ribbon::Ticks { above: "M0.15 25h.7v50h-.7z".into(), below: "M1.15 125h.7v50h-.7z".into() });
    }

    #[test]
    fn a_figure_of_both_seats_has_its_columns_together() {
        let figure = |name: &'static str, seat, value| Figure { name: name.into(), label: name.into(), seat, value };
        let state = |pot, p1, p2| {
            vec![figure("pot", None, pot), figure("chips", Some(Seat::P1), p1), figure("chips", Some(Seat::P2), p2)]
        };
        let columns = columns(&[state(1, 0, 0), state(2, 3, 1)]);
        let names: Vec<_> = columns.iter().map(|column| (&*column.name, column.seat)).collect();
        assert_eq!(names, [("chips", Some(Seat::P1)), ("chips", Some(Seat::P2)), ("pot", None)]);
    }
}
