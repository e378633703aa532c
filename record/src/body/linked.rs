//! The body of `linked`: what became of a private link to a seat.

use serde::{Deserialize, Serialize};

use super::SeatWord;

/// `linked`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Linked {
    /// The seat.
    pub seat: SeatWord,
    /// The number of the link among those to the seat, from 0.
    pub link: u32,
    /// The act.
    pub act: LinkAct,
}

/// Something that happened with a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkAct {
    /// It was made: whoever has it can play for the seat.
    Made,
    /// A browser or a program began to use it.
    Followed,
    /// A browser that followed it offered a key, and the seat has another one.
    Refused,
}
