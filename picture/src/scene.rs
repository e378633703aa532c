//! The content of a picture: a state as somebody may see it, and the statements about it.

use engine::{BySeat, Figure, Seat, View, name_seats};

use crate::text::plain;

#[derive(Clone, Debug)]
pub struct Scene {
    pub game: String,
    pub moment: String,
    pub names: BySeat<String>,
    pub winner: Option<Seat>,
    pub view: Option<View>,
    /// The figures of the state before it, if changes are to be drawn; empty otherwise.
    pub since: Vec<Figure>,
    pub said: Vec<String>,
}

impl Scene {
    pub(crate) fn name(&self, seat: Seat) -> String {
        plain(&self.names[seat])
    }

    pub(crate) fn named(&self, text: &str) -> String {
        plain(&name_seats(text, BySeat { p1: &self.name(Seat::P1), p2: &self.name(Seat::P2) }))
    }

    pub(crate) fn figures(&self, seat: Option<Seat>) -> impl Iterator<Item = (&Figure, Option<String>)> {
        let figures = self.view.iter().flat_map(|view| &view.figures).filter(move |figure| figure.seat == seat);
        figures.map(|figure| {
            let was = self.since.iter().find(|was| was.name == figure.name && was.seat == figure.seat);
            (figure, was.and_then(|was| change(was.value, figure.value)))
        })
    }
}

#[must_use]
pub fn change(from: i32, to: i32) -> Option<String> {
    match to.cmp(&from) {
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(format!("+{}", to.abs_diff(from))),
        std::cmp::Ordering::Less => Some(format!("\u{2212}{}", to.abs_diff(from))),
    }
}
