//! A betting phase. The starting player opens, the seats alternate, and every raise is higher than the one before. The
//! amounts alone therefore tell which seat made each raise.

use crate::{BySeat, Seat};

/// One of the two phases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Street {
    /// Before any private card is shown.
    #[default]
    First,
    /// After both first cards were shown.
    Second,
}

impl Street {
    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first betting phase",
            Self::Second => "second betting phase",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Betting {
    pub(super) street: Street,
    /// The highest bet allowed in this phase: the chips of the poorer seat at its start, at most 30.
    pub(super) cap: u8,
    /// Bit N: somebody raised to N.
    raises: u64,
}

impl Betting {
    pub(super) const fn start(street: Street, cap: u8) -> Self {
        Self { street, cap, raises: 0 }
    }

    pub(super) const fn is_fresh(self) -> bool {
        self.raises == 0
    }

    pub(super) const fn turn(self, starter: Seat) -> Seat {
        if self.raises.count_ones().is_multiple_of(2) { starter } else { starter.other() }
    }

    pub(super) const fn highest(self) -> u8 {
        Self::top(self.raises)
    }

    pub(super) fn bets(self, starter: Seat) -> BySeat<u8> {
        let highest = self.highest();
        // The seat whose turn it is has the bet below the highest: the one that was raised, or none.
        let below = Self::top(self.raises & !(1 << highest));
        let turn = self.turn(starter);
        BySeat::from_fn(|seat| if seat == turn { below } else { highest })
    }

    pub(super) const fn raise(&mut self, total: u8) {
        self.raises |= 1 << total;
    }

    pub(super) fn said(self, starter: Seat) -> impl Iterator<Item = (Seat, u8)> {
        let seats = [starter, starter.other()].into_iter().cycle();
        seats.zip((1..=self.cap).filter(move |total| self.raises >> total & 1 == 1))
    }

    const fn top(raises: u64) -> u8 {
        if raises == 0 { 0 } else { raises.ilog2() as u8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_amounts_say_who_bet_what() {
        let mut betting = Betting::start(Street::First, 30);
        assert!(betting.is_fresh() && betting.turn(Seat::P2) == Seat::P2);
        assert_eq!(betting.bets(Seat::P2), BySeat { p1: 0, p2: 0 });
        for (total, p1, p2) in [(1, 0, 1), (4, 4, 1), (30, 4, 30)] {
            betting.raise(total);
            assert_eq!((betting.highest(), betting.bets(Seat::P2)), (total, BySeat { p1, p2 }));
        }
        assert_eq!(betting.turn(Seat::P2), Seat::P1);
        assert!(betting.said(Seat::P2).eq([(Seat::P2, 1), (Seat::P1, 4), (Seat::P2, 30)]));
    }
}
