//! The part of a state that a viewer may see, as data that any page can draw.

use alloc::string::String;
use alloc::vec::Vec;

use crate::{Seat, Word};

/// The viewer for whom a state is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Everybody: public facts only.
    Public,
    /// This seat: its own facts, too.
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
    pub name: Word,
    /// The game's name for it, such as "Gems".
    pub label: Word,
    /// The seat that it belongs to; none if both share it.
    pub seat: Option<Seat>,
    /// The number, in the figure's own unit (chips, cards, points).
    pub value: i32,
}

/// A part of a state that is more than a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Panel {
    /// A row of lamps of one seat.
    Lamps {
        /// "Lights", "Torches".
        title: Word,
        /// The seat that they belong to.
        seat: Seat,
        /// From left to right.
        lamps: Vec<Lamp>,
    },
    /// A short statement about one seat or both, such as "Score is blocked in the coming round".
    Notice {
        /// "Blocked".
        title: Word,
        /// The seat that it concerns; none for both.
        seat: Option<Seat>,
        /// The statement; players are named as in [`Effect::text`](crate::Effect::text).
        text: String,
    },
    /// Cards lying in groups: a hand, a pool, the piles of an offer.
    Cards {
        /// "Pool", "Hands".
        title: Word,
        /// The seat that they belong to; none for cards between the seats.
        seat: Option<Seat>,
        /// From left to right.
        groups: Vec<CardGroup>,
        /// They are played in this round, and lie before the seat; the others it holds.
        in_play: bool,
    },
    /// Cells in rows and columns, such as a board.
    Grid {
        /// "Board A".
        title: String,
        /// The headings of the columns, such as "a" to "e"; empty if there are none.
        columns: Vec<String>,
        /// From top to bottom; each with its heading, such as "1".
        rows: Vec<(String, Vec<Cell>)>,
        /// The grid is the one in play; the others are drawn smaller.
        current: bool,
    },
    /// Statements made in turn, such as the bets of a phase.
    Track {
        /// "First betting phase".
        title: Word,
        /// In order.
        said: Vec<(Seat, String)>,
    },
}

/// Some cards that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardGroup {
    /// Such as "Front"; empty if the title is enough.
    pub label: String,
    /// The cards, in the order in which they lie.
    pub cards: Vec<CardFace>,
    /// Places that are still empty, such as 2 for a front hand of one card.
    pub empty: u8,
}

/// A card as it is drawn: letters and a sign, so that colour is never the only difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardFace {
    /// As the notation writes it, such as `TH` or `R7`; `?` for a card that the viewer may not see.
    pub card: String,
    /// The large print, such as "10" or "7"; empty for a card that the viewer may not see.
    pub face: String,
    /// The sign beside it.
    pub sign: Sign,
    /// In full words, such as "ten of hearts" or "a card face down".
    pub name: String,
    /// Its special state.
    pub mark: Mark,
}

/// The sign on a card or a cell. Each has a shape of its own, and a colour beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// None.
    None,
    /// A card's back.
    Back,
    /// The suits of a deck.
    Clubs,
    /// Diamonds.
    Diamonds,
    /// Hearts.
    Hearts,
    /// Spades.
    Spades,
    /// A red card; drawn with R.
    Red,
    /// A green card; drawn with G.
    Green,
    /// A blue card; drawn with B.
    Blue,
    /// A shape on a cell.
    Shape(Colour, Shape),
}

/// The colour of a cell's front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// Drawn with the letter c.
    Cyan,
    /// Drawn with the letter p.
    Pink,
    /// Drawn with the letter g.
    Grey,
}

/// The shape on a cell's front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// Written o.
    Circle,
    /// Written t.
    Triangle,
    /// Written s.
    Square,
}

/// The special state of a card or a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Nothing.
    None,
    /// It came with the last step.
    New,
    /// It is gone: struck out, such as a card that nobody can pick any more.
    Gone,
    /// It lies face down for the players, and is only shown because this viewer may know it.
    Hidden,
    /// It may no longer be there: some of these have left face down.
    Perhaps,
}

/// One cell of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its front.
    pub sign: Sign,
    /// The print on its back, such as `A7`; empty while it is face down to the viewer.
    pub face: String,
    /// In full words, such as "c3, cyan circle, Apple 7".
    pub name: String,
    /// Its special state.
    pub mark: Mark,
    /// It is turned face up.
    pub up: bool,
}

/// The finding of a search of the state about one seat; see [`DynGame::analyse`](crate::DynGame::analyse).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insight {
    /// The seat that it is about.
    pub seat: Seat,
    /// A stable word for the question, such as `valid-set`.
    pub what: &'static str,
    /// The answer to it.
    pub holds: bool,
    /// The proof that it holds, in the notation, such as three hands; empty if it does not hold.
    pub witness: String,
    /// The same as cards, to be drawn; empty if it does not hold or has no cards.
    pub groups: Vec<CardGroup>,
    /// The finding as a sentence. Players are named as in [`Effect::text`](crate::Effect::text).
    pub text: String,
}

/// One lamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lamp {
    /// The action it belongs to, such as "Score".
    pub name: &'static str,
    /// Its letters, distinct within the row, such as "Sc".
    pub letters: &'static str,
    /// The lamp is on.
    pub lit: bool,
}

/// A step's place in the score sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of its round; 0 before the first.
    pub round: u32,
    /// Its place among the rows of that round.
    pub place: Place,
}

/// The place of a step among the rows of its round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It begins the round: row 7, or 7b if round 7 is played again.
    Round,
    /// It begins another part of the round: row 7.2.
    Part,
    /// It belongs to the row of the step before it.
    Same,
}
