//! The controls for answering a question: one template for each kind of form, and none for a single game.
//!
//! Their values become a line of notation ([`compose`]), which is read like any typed line. So there is one
//! way to submit, whichever way somebody answers, and no script is needed.

mod compose;
mod picks;
mod placing;

use askama::Template;
use engine::{BySeat, Form, View};

pub use self::compose::{compose, fields_of};
use self::picks::{AmountRow, BarredPair, Pick, TargetRow};
use self::placing::{Inputs, Placing};
use super::grid::Grid;
use super::icon::Icon;

pub type Fields = [(String, String)];

#[derive(Debug, Template)]
#[template(path = "controls.html")]
pub struct Controls {
    id: String,
    prefix: String,
    kind: Kind,
}

/// The kind of control.
#[derive(Debug)]
enum Kind {
    /// Action cards, one or several of them.
    Cards {
        legend: String,
        picks: Vec<Pick>,
        targets: Vec<TargetRow>,
        amounts: Vec<AmountRow>,
        /// How many can be picked at once.
        most: u8,
        /// Two picks that are allowed alone and not together.
        pairs: Vec<BarredPair>,
    },
    /// A deck in rows, with the rest below it.
    Deck { rows: Vec<Vec<Pick>>, rest: Vec<Pick> },
    /// Cells of the board in play, with the rest below it.
    Board { grid: Grid, rest: Vec<Pick>, targets: Vec<TargetRow> },
    /// Things to lay into places.
    Place(Placing),
}

impl Controls {
    /// The controls of a form, filled with the submitted values; none if the form accepts only a line. `view` is the
    /// state as this reader may see it: cards look here as they look there.
    pub fn of(id: &str, form: &Form, view: &View, names: BySeat<&str>, nothing: bool, sent: &Fields) -> Option<Self> {
        let kind = match form {
            Form::Words { choices, most: 1, .. } => picks::one(choices, view, names, sent),
            Form::Words { choices, least, most } => picks::several(choices, (*least, *most), names, nothing, sent),
            Form::Line { places: Some(places), .. } => Kind::Place(Placing::of(places, view, sent)),
            Form::Line { places: None, .. } => return None,
        };
        Some(Self { id: id.to_owned(), prefix: String::new(), kind })
    }

    pub fn with_barred_pairs(mut self, refused: impl Fn(&str, &str) -> Option<String>) -> Self {
        if let Kind::Cards { picks, targets, pairs, .. } = &mut self.kind {
            *pairs = BarredPair::among(picks, targets, refused);
        }
        self
    }

    pub fn prefixed(mut self, prefix: &str) -> Self {
        if let Kind::Board { grid, .. } = &mut self.kind {
            grid.prefix_fields(prefix);
        }
        Self { prefix: prefix.to_owned(), ..self }
    }

    pub fn single(&self) -> Option<[&str; 3]> {
        match &self.kind {
            Kind::Cards { picks, .. } => match picks.as_slice() {
                [only] if !only.several => Some([only.label.as_str(), only.value.as_str(), only.hint.as_str()]),
                _ => None,
            },
            _ => None,
        }
    }

    fn explained(&self) -> Vec<&Pick> {
        let picks = match &self.kind {
            Kind::Cards { picks, .. } => picks.as_slice(),
            Kind::Board { rest, .. } => rest.as_slice(),
            // Beside a deck there is only a pass, which says it itself.
            Kind::Deck { .. } | Kind::Place(_) => &[],
        };
        picks.iter().filter(|pick| pick.face.is_none() && !pick.hint.is_empty()).collect()
    }

    pub fn show_the_table(&self) -> bool {
        match &self.kind {
            Kind::Cards { .. } => false,
            Kind::Deck { .. } | Kind::Board { .. } => true,
            Kind::Place(placing) => placing.dense,
        }
    }
}

type Face = Option<(String, Icon)>;

fn all<'s>(sent: &'s Fields, name: &str) -> impl Iterator<Item = &'s str> {
    sent.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
}

fn first<'s>(sent: &'s Fields, name: &str) -> &'s str {
    all(sent, name).next().unwrap_or("")
}

#[cfg(test)]
mod tests;
