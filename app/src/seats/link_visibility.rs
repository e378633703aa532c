//! The visible part of a match for a link to a seat. A new link shows nothing secret from before it. Otherwise whoever makes
//! a second one reads the moves of the first.
//!
//! One thing remains: the form of a question offers only what the seat can still play, and so tells something of it.

use engine::Party;
use record::{History, SealRecord};

use crate::account::player::SeatAccess;
use crate::receipts::SeatReceipt;
use crate::views::VisibleMatch;

impl SeatAccess {
    /// The match as this link may show it: with what is secret to others, unless a part of that is older than the link.
    #[must_use]
    pub fn view<'h>(&self, history: &'h History) -> VisibleMatch<'h> {
        let own = |seal: &&SealRecord| seal.whose == Party::Seat(self.seat_ref.seat);
        let closed = |seal: &SealRecord| seal.opened_by.iter().any(Option::is_none);
        let older = history.seals.iter().filter(own).any(|seal| seal.at < self.since && closed(seal));
        if older { VisibleMatch::public(history) } else { VisibleMatch::seat(history, self.seat_ref.seat) }
    }

    #[must_use]
    pub fn shown(&self, receipts: Vec<SeatReceipt>) -> Vec<SeatReceipt> {
        receipts.into_iter().filter(|receipt| receipt.receipt.receipt.at >= self.since).collect()
    }
}
