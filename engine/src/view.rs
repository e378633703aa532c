//! What a viewer may see of a state, as data that any page can draw.

use alloc::string::String;
use alloc::vec::Vec;

use crate::Seat;

/// Whose knowledge a state is shown with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// What everybody may know.
    Public,
    /// What this seat may know.
    Seat(Seat),
    /// Everything; for the umpire, and for everybody once a match is over.
    Everything,
}

/// A state, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The numbers that make up the score sheet's columns and the graph of a match.
    pub figures: Vec<Figure>,
    /// The rest, panel by panel.
    pub panels: Vec<Panel>,
}

/// One number of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// A stable name, such as `chips`.
    pub name: &'static str,
    /// What the game calls it, such as "Gems".
    pub label: &'static str,
    /// Whose number it is; none for one that both share.
    pub seat: Option<Seat>,
    /// How much, in the figure's own unit (chips, cards, points).
    pub value: u32,
}

/// A part of a state that is more than a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Panel {
    /// A row of lamps of one seat.
    Lamps {
        /// "Lights", "Torches".
        title: &'static str,
        /// Whose they are.
        seat: Seat,
        /// From left to right.
        lamps: Vec<Lamp>,
    },
    /// A short statement about one seat or both, such as "Score is blocked in the coming round".
    Notice {
        /// "Blocked".
        title: &'static str,
        /// Whom it concerns.
        seat: Option<Seat>,
        /// The statement; players are named as in [`Effect::text`](crate::Effect::text).
        text: String,
    },
}

/// One lamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lamp {
    /// The action it belongs to, such as "Score".
    pub name: &'static str,
    /// Its letters, distinct within the row, such as "Sc".
    pub letters: &'static str,
    /// Whether it is on.
    pub lit: bool,
}

/// A step's place in the score sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the round it belongs to; 0 for what comes before the first.
    pub round: u32,
    /// Whether a row of its own begins with it; else it belongs to the row before.
    pub begins: bool,
}
