//! Seats, and what is sent from them, as programs write them.

use engine::{BySeat, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SeatWord {
    P1,
    P2,
}

impl From<SeatWord> for Seat {
    fn from(word: SeatWord) -> Self {
        match word {
            SeatWord::P1 => Self::P1,
            SeatWord::P2 => Self::P2,
        }
    }
}

impl From<Seat> for SeatWord {
    fn from(seat: Seat) -> Self {
        match seat {
            Seat::P1 => Self::P1,
            Seat::P2 => Self::P2,
        }
    }
}

/// A line for each seat; a seat that is left out sends none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Lines {
    /// Of the first seat.
    #[schema(nullable = false, max_length = 600, example = "score grow")]
    pub p1: Option<String>,
    /// Of the second seat; `-` for no move.
    #[schema(nullable = false, max_length = 600, example = "claim")]
    pub p2: Option<String>,
}

impl Lines {
    /// Each line without the space around it; none if it is empty.
    #[must_use]
    pub fn by_seat(&self) -> BySeat<Option<&str>> {
        BySeat { p1: &self.p1, p2: &self.p2 }.map(|line| line.as_deref().map(str::trim).filter(|line| !line.is_empty()))
    }
}
