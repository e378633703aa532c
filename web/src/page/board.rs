//! A state as a panel: each seat's figures, lamps and notices, and between them what both share.

use askama::Template;
use engine::{BySeat, Duel, Figure, Lamp, Panel, Seat, View};

use super::{SeatName, Shown};

/// A state, ready to be drawn.
#[derive(Clone, Debug, Template)]
#[template(path = "page/board.html")]
pub struct Board {
    title: String,
    p1: Side,
    p2: Side,
    shared: Vec<Count>,
    notices: Vec<Told>,
}

/// One seat's half.
#[derive(Clone, Debug)]
struct Side {
    name: SeatName,
    counts: Vec<Count>,
    lamps: Vec<Row>,
    notices: Vec<Told>,
}

/// A figure, and how much it changed.
#[derive(Clone, Debug)]
struct Count {
    label: &'static str,
    value: u32,
    change: Option<String>,
}

/// A row of lamps.
#[derive(Clone, Debug)]
struct Row {
    title: &'static str,
    lamps: Vec<Lamp>,
}

/// A short statement.
#[derive(Clone, Debug)]
struct Told {
    title: &'static str,
    text: String,
}

impl Board {
    /// A state; with `since`, how much its figures changed from that one.
    #[must_use]
    pub fn of(shown: &Shown<'_>, title: impl Into<String>, duel: &Duel, since: Option<&Duel>) -> Self {
        let view = shown.view(duel);
        let old = since.map(|since| shown.view(since).figures).unwrap_or_default();
        let counts = |seat| {
            let own = view.figures.iter().filter(|figure| figure.seat == seat);
            own.map(|figure| count(figure, &old)).collect::<Vec<_>>()
        };
        let names = SeatName::of(shown.history);
        let side = |seat: Seat| Side {
            name: names[seat].clone(),
            counts: counts(Some(seat)),
            lamps: lamps(&view, seat),
            notices: notices(shown, &view, Some(seat)),
        };
        let BySeat { p1, p2 } = BySeat::from_fn(side);
        Self { title: title.into(), p1, p2, shared: counts(None), notices: notices(shown, &view, None) }
    }
}

fn count(figure: &Figure, old: &[Figure]) -> Count {
    let was = old.iter().find(|was| was.name == figure.name && was.seat == figure.seat);
    let change = was.and_then(|was| change(was.value, figure.value));
    Count { label: figure.label, value: figure.value, change }
}

/// `+3`, or `−2` with a true minus; none where nothing changed.
pub(super) fn change(from: u32, to: u32) -> Option<String> {
    match to.cmp(&from) {
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(format!("+{}", to - from)),
        std::cmp::Ordering::Less => Some(format!("\u{2212}{}", from - to)),
    }
}

fn lamps(view: &View, whose: Seat) -> Vec<Row> {
    let rows = view.panels.iter().filter_map(|panel| match panel {
        Panel::Lamps { title, seat, lamps } if *seat == whose => Some(Row { title, lamps: lamps.clone() }),
        _ => None,
    });
    rows.collect()
}

fn notices(shown: &Shown<'_>, view: &View, whose: Option<Seat>) -> Vec<Told> {
    let notices = view.panels.iter().filter_map(|panel| match panel {
        Panel::Notice { title, seat, text } if *seat == whose => Some(Told { title, text: shown.name_in(text) }),
        _ => None,
    });
    notices.collect()
}

#[cfg(test)]
mod tests {
    use super::change;

    #[test]
    fn a_change_has_its_sign() {
        assert_eq!(change(3, 5).as_deref(), Some("+2"));
        assert_eq!(change(5, 1).as_deref(), Some("\u{2212}4"));
        assert_eq!(change(4, 4), None);
    }
}
