//! A seat's moves and the host's draws, and their writers.

use alloc::string::String;

use super::{Card, Division, Spread};
use crate::{BySeat, Seat, json};

/// A seat's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Nothing came in time: `-`.
    Missing,
    /// The seat that starts the first round.
    Start(Seat),
    /// Pay for a refill.
    Refill,
    /// No refill, or no more.
    Stand,
    /// Piles out of the offer.
    Divide(Division),
    /// Cards that are discarded, openly.
    Discard(Spread),
    /// A card that the refiller left, or none.
    Take(Option<Card>),
    /// The private cards, in the order in which they will be shown.
    Private(Card, Card),
    /// A bet: the seat's total in this phase.
    Raise(u16),
    /// The opponent's bet is matched.
    Call,
    /// The round is given up.
    Fold,
}

/// A draw of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// Both pools at the start of the match.
    Deal(BySeat<[Card; DEALT]>),
    /// The cards of a refill.
    Offer([Card; OFFERED]),
    /// The community card of a round.
    Community(Card),
}

pub(super) const DEALT: usize = 5;
pub(super) const OFFERED: usize = 12;

/// The two sealed fields of the private cards.
pub(super) const FIRST: &str = "first";
pub(super) const SECOND: &str = "second";

fn cards(cards: &[Card], out: &mut String) {
    for card in cards {
        out.push(' ');
        out.push_str(card.word());
    }
}

impl Move {
    pub(super) fn write(&self, hidden: &[&str], out: &mut String) {
        match self {
            Self::Missing => out.push('-'),
            Self::Start(seat) => {
                out.push_str("start ");
                out.push_str(seat.word());
            }
            Self::Refill => out.push_str("refill"),
            Self::Stand => out.push_str("stand"),
            Self::Divide(division) => write_division(division, out),
            Self::Discard(spread) => {
                out.push_str("discard");
                cards(spread.cards(), out);
            }
            Self::Take(card) => out.push_str(card.map_or("take none", |card| card.take().0)),
            Self::Private(first, second) => {
                let shown = |field, card: &Card| if hidden.contains(&field) { "?" } else { card.word() };
                out.push_str(shown(FIRST, first));
                out.push(' ');
                out.push_str(shown(SECOND, second));
            }
            Self::Raise(total) => {
                out.push_str("raise ");
                json::number(out, (*total).into());
            }
            Self::Call => out.push_str("call"),
            Self::Fold => out.push_str("fold"),
        }
    }
}

fn write_division(division: &Division, out: &mut String) {
    out.push_str("divide");
    if division.count() == 0 {
        out.push_str(" none");
    }
    for (n, pile) in (1..).zip(division.piles()) {
        if n > 1 {
            out.push_str(" |");
        }
        if n == division.count() {
            out.push_str(" aside");
        }
        cards(pile, out);
    }
}

impl Draw {
    pub(super) fn write(&self, out: &mut String) {
        match self {
            Self::Deal(pools) => {
                out.push_str("deal");
                cards(&pools.p1, out);
                out.push_str(" |");
                cards(&pools.p2, out);
            }
            Self::Offer(offered) => {
                out.push_str("offer");
                cards(offered, out);
            }
            Self::Community(card) => {
                out.push_str("community");
                cards(&[*card], out);
            }
        }
    }

    pub(super) fn repeated(&self) -> Option<Card> {
        let mut all = Spread::default();
        match self {
            Self::Deal(pools) => [pools.p1, pools.p2].as_flattened().iter().for_each(|card| {
                all.push(*card);
            }),
            Self::Offer(offered) => all = offered.iter().copied().collect(),
            Self::Community(_) => {}
        }
        all.repeated()
    }
}
