//! The two seats of a duel, and values held once for each.

use core::fmt;
use core::ops::{Index, IndexMut};
use core::str::FromStr;

/// One of the two players' places in a match. The engine does not know who sits there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// The seat written first.
    P1,
    /// The seat written second.
    P2,
}

impl Seat {
    /// Both seats, in the order in which they are always written.
    pub const BOTH: [Self; 2] = [Self::P1, Self::P2];

    /// The opponent's seat.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::P1 => Self::P2,
            Self::P2 => Self::P1,
        }
    }

    /// `p1` or `p2`, as notation and record write it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::P1 => "p1",
            Self::P2 => "p2",
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::P1 => "{p1}",
            Self::P2 => "{p2}",
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Seat {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "p1" => Ok(Self::P1),
            "p2" => Ok(Self::P2),
            _ => Err("a seat is p1 or p2"),
        }
    }
}

/// The sender of a step's text: a seat, or the host who deals and draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Party {
    /// A player's seat.
    Seat(Seat),
    /// The host.
    Host,
}

impl Party {
    /// `p1`, `p2` or `host`, as notation and record write it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Seat(seat) => seat.word(),
            Self::Host => "host",
        }
    }

    /// The seat, if it is one.
    #[must_use]
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Host => None,
        }
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl From<Seat> for Party {
    fn from(seat: Seat) -> Self {
        Self::Seat(seat)
    }
}

/// One value for each seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BySeat<T> {
    /// The value of [`Seat::P1`].
    pub p1: T,
    /// The value of [`Seat::P2`].
    pub p2: T,
}

impl<T> BySeat<T> {
    /// Makes each seat's value from the seat.
    pub fn from_fn(mut make: impl FnMut(Seat) -> T) -> Self {
        Self { p1: make(Seat::P1), p2: make(Seat::P2) }
    }

    /// Looks at both values without taking them.
    pub const fn as_ref(&self) -> BySeat<&T> {
        BySeat { p1: &self.p1, p2: &self.p2 }
    }

    /// Turns each value into another.
    pub fn map<U>(self, mut turn: impl FnMut(T) -> U) -> BySeat<U> {
        BySeat { p1: turn(self.p1), p2: turn(self.p2) }
    }

    /// Turns each value into another, stopping at the first error.
    pub fn try_map<U, E>(self, mut turn: impl FnMut(T) -> Result<U, E>) -> Result<BySeat<U>, E> {
        Ok(BySeat { p1: turn(self.p1)?, p2: turn(self.p2)? })
    }

    /// Each seat with its value, `p1` first.
    pub fn each(&self) -> [(Seat, &T); 2] {
        [(Seat::P1, &self.p1), (Seat::P2, &self.p2)]
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        match seat {
            Seat::P1 => &self.p1,
            Seat::P2 => &self.p2,
        }
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        match seat {
            Seat::P1 => &mut self.p1,
            Seat::P2 => &mut self.p2,
        }
    }
}
