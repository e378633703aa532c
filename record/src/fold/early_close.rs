//! Finds decisions that were closed early, with a seat's default.

use engine::{BySeat, Seat};
use ledger::{Entry, Moment, Seq};

use super::Fold;
use crate::clock::{ClockState, between};
use crate::decision::OpenDecision;
use crate::early_close::{EarlyClose, TimeLeft};

impl Fold<'_> {
    /// Records such a decision. `counted` is the `sealed` entry that counted for each seat.
    pub(super) fn early_close(&mut self, entry: &Entry, open: &OpenDecision, counted: &BySeat<Option<u32>>) {
        let without = open.asked.seats.iter().map(|seat| seat.0).filter(|seat| counted[*seat].is_none());
        let seats: Vec<Seat> = without.collect();
        for seat in &seats {
            self.defaulted.insert((open.asked.decision.clone(), crate::body::SeatWord(*seat).sealer()));
        }
        let Some(state) = self.history.clock(&open.asked.decision).map(|clock| clock.state) else { return };
        let (closed, at) = self.closed(entry, open);
        let left = match state {
            ClockState::Waiting => TimeLeft::NotBegun,
            ClockState::Paused { .. } => TimeLeft::Stopped,
            ClockState::Running { deadline } => {
                TimeLeft::Time(between(at, self.history.in_time_until(open).unwrap_or(deadline)))
            }
        };
        if seats.is_empty() || matches!(left, TimeLeft::Time(left) if left.is_zero()) {
            return;
        }
        let (decision, what) = (open.asked.decision.clone(), open.asked.what.clone());
        self.history.early_closes.push(EarlyClose { entry: closed, by: entry.by.clone(), decision, what, seats, left });
    }

    /// The entry that closed a decision, which this one resolves, and its time: after its first seal has entered, nothing
    /// can be sent for it any more.
    pub(super) fn closed(&self, entry: &Entry, open: &OpenDecision) -> (Seq, Moment) {
        let first =
            open.sealed.first().and_then(|(place, _)| self.history.seals.iter().find(|seal| seal.entry == *place));
        first.map_or((entry.seq, entry.at), |seal| (seal.entry, seal.at))
    }
}
