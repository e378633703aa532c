//! The controls for answering a question: one template for each kind of form, and none for a single game.
//!
//! Their values become a line of notation ([`compose`]), which is read like any typed line. So there is one
//! way to submit, whichever way somebody answers, and no script is needed.

mod compose;
mod parts;
mod picks;
mod placing;

use askama::Template;
use engine::{BySeat, Form, Ruleset, View};

pub use self::compose::{compose, fields_of};
use self::parts::{PartField, PartInput};
use self::picks::{AmountRow, BarredPair, NOTHING, Pick, TargetRow};
use self::placing::{Inputs, Placing};
use super::effects::{clause_of, short};
use super::grid::Grid;
use super::icon::Icon;

pub type Fields = [(String, String)];

#[derive(Debug, Template)]
#[template(path = "controls.html")]
pub struct Controls {
    id: String,
    prefix: String,
    kind: Kind,
    on_stage: bool,
    /// What is sent where nothing is chosen; empty if something must be.
    none: &'static str,
}

/// The part of the controls that lies in the dock of the stage, beside the button that sends or in its place.
#[derive(Debug, Template)]
#[template(path = "controls_dock.html")]
pub struct DockControls<'c> {
    controls: &'c Controls,
}

/// Up to so many choices are buttons that send at once.
const BUTTONS_MAX: usize = 3;

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
    /// Parts that are filled in one by one.
    Parts(Vec<PartField>),
}

impl Controls {
    /// The controls of a form, filled with the submitted values; none if the form accepts only a line. `view` is the
    /// state as this reader may see it: cards look here as they look there.
    pub fn of(id: &str, form: &Form, view: &View, names: BySeat<&str>, nothing: bool, sent: &Fields) -> Option<Self> {
        let kind = match form {
            Form::Words { choices, most: 1, .. } => picks::one(choices, view, names, sent),
            Form::Words { choices, least, most } => picks::several(choices, (*least, *most), names, nothing, sent),
            Form::Line { places: Some(places), .. } => Kind::Place(Placing::of(places, view, sent)),
            Form::Line { fields, .. } if fields.is_empty() => return None,
            Form::Line { fields, .. } => Kind::Parts(PartField::all(fields, sent)),
        };
        Some(Self { id: id.to_owned(), prefix: String::new(), kind, on_stage: false, none: "" })
    }

    pub fn with_barred_pairs(mut self, refused: impl Fn(&str, &str) -> Option<String>) -> Self {
        if let Kind::Cards { picks, targets, pairs, .. } = &mut self.kind {
            *pairs = BarredPair::among(picks, targets, refused);
        }
        self
    }

    /// With the things of a form laid as this line says, until somebody lays them otherwise.
    #[must_use]
    pub fn drawn_as(mut self, form: &Form, line: &str) -> Self {
        if let (Kind::Place(placing), Form::Line { places: Some(places), .. }) = (&mut self.kind, form) {
            placing.drawn_as(places, &fields_of(form, line));
        }
        self
    }

    /// For the stage: a barred card has the reason in its face, as its clause of this ruleset puts it, and what sends by
    /// itself lies in the dock.
    pub fn on_stage(mut self, ruleset: &dyn Ruleset) -> Self {
        self.on_stage = true;
        // No card for it: what is not chosen is not played.
        if let Kind::Cards { picks, most: 2.., .. } = &mut self.kind {
            let before = picks.len();
            picks.retain(|pick| pick.value != NOTHING);
            self.none = if picks.len() < before { NOTHING } else { "" };
        }
        let picks: Vec<&mut Pick> = match &mut self.kind {
            Kind::Cards { picks, .. } => picks.iter_mut().collect(),
            Kind::Board { rest, .. } => rest.iter_mut().collect(),
            Kind::Deck { .. } | Kind::Place(_) | Kind::Parts(_) => Vec::new(),
        };
        for pick in picks {
            let clause = pick.rule.and_then(|rule| clause_of(ruleset, rule));
            pick.short = clause.map_or_else(|| "not now".to_owned(), |clause| short(&clause));
        }
        self
    }

    pub fn dock(&self) -> DockControls<'_> {
        DockControls { controls: self }
    }

    /// True if its buttons send, so that it needs none beside it.
    pub fn sends_itself(&self) -> bool {
        match &self.kind {
            Kind::Cards { picks, targets, most, .. } => {
                *most == 1
                    && targets.is_empty()
                    && picks.len() <= BUTTONS_MAX
                    && picks.iter().all(|pick| pick.face.is_none())
            }
            Kind::Board { targets, .. } => !targets.is_empty(),
            Kind::Deck { .. } | Kind::Place(_) | Kind::Parts(_) => false,
        }
    }

    /// True if nothing of it lies on the table.
    pub fn is_in_dock(&self) -> bool {
        matches!(self.kind, Kind::Cards { .. }) && self.sends_itself()
    }

    /// True if the cells of the board in play are chosen.
    pub const fn is_board(&self) -> bool {
        matches!(self.kind, Kind::Board { .. })
    }

    /// True if it lies between the seats: boards, and places for things.
    pub fn is_between(&self) -> bool {
        self.is_board() || self.has_boards() || matches!(self.kind, Kind::Place(_))
    }

    /// The names of the things that are laid into places.
    pub fn things(&self) -> Vec<&str> {
        match &self.kind {
            Kind::Place(placing) => placing.things.iter().map(|thing| thing.label.as_str()).collect(),
            _ => Vec::new(),
        }
    }

    fn has_boards(&self) -> bool {
        matches!(&self.kind, Kind::Cards { picks, .. } if picks.iter().any(|pick| pick.board.is_some()))
    }

    /// The choices that are not barred; the first of them is last, where the thumb is.
    fn offered(&self) -> Vec<&Pick> {
        match &self.kind {
            Kind::Cards { picks, .. } => picks.iter().rev().filter(|pick| pick.barred.is_none()).collect(),
            _ => Vec::new(),
        }
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
            Kind::Deck { .. } | Kind::Place(_) | Kind::Parts(_) => &[],
        };
        picks.iter().filter(|pick| pick.face.is_none() && !pick.hint.is_empty()).collect()
    }

    pub fn show_the_table(&self) -> bool {
        match &self.kind {
            Kind::Cards { .. } | Kind::Parts(_) => false,
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
