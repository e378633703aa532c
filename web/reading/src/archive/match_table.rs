//! A match as a table for spreadsheets: a row for each step that counts, in the public view.

use app::views::VisibleMatch;
use engine::Seat;
use serde_json::{Value, json};

use super::list_files::cell;

const COLUMNS: [&str; 7] = ["step", "row", "at", "line", "p1", "p2", "host"];

pub(super) fn table(visible: &VisibleMatch<'_>) -> String {
    let figures = visible.history.duel().figures();
    let mut names: Vec<(&str, Option<Seat>)> = figures.iter().map(|figure| (&*figure.name, figure.seat)).collect();
    names.dedup();
    let head = COLUMNS.into_iter().map(str::to_owned).chain(names.iter().map(|(name, seat)| match seat {
        Some(seat) => format!("{name}_{}", seat.word()),
        None => (*name).to_owned(),
    }));
    let mut text = head.collect::<Vec<_>>().join(",") + "\r\n";
    for row in visible.history.rows() {
        for step in row.steps {
            let after = step.after.as_ref().map(|duel| duel.figures()).unwrap_or_default();
            let figure = |(name, seat): &(&str, Option<Seat>)| {
                let found = after.iter().find(|figure| figure.name == *name && figure.seat == *seat);
                json!(found.map(|figure| figure.value))
            };
            let mut cells = vec![
                json!(step.number),
                json!(row.label),
                json!(step.at.to_string()),
                json!(visible.line(step)),
                json!(visible.seat_line(step, Seat::P1)),
                json!(visible.seat_line(step, Seat::P2)),
                json!(visible.draw(step)),
            ];
            cells.extend(names.iter().map(figure));
            text += &cells.iter().map(written).collect::<Vec<_>>().join(",");
            text += "\r\n";
        }
    }
    text
}

/// A lone hyphen means no move, and is not a formula.
fn written(value: &Value) -> String {
    if value == "-" { "-".to_owned() } else { cell(value) }
}
