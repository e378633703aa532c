//! The seats whose page or program is there: it asked this node for something within 20 seconds. An open page asks every two
//! seconds, and every fifteen where nobody looks at it. Nothing of it is stored, and other nodes do not know it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use engine::Seat;
use ledger::{MatchId, Moment};

use super::Seats;
use crate::account::player::SeatRef;

const AWAY_MICROS: i64 = 20_000_000;

#[derive(Debug, Default)]
pub(super) struct Here(Mutex<HashMap<(MatchId, Seat), Moment>>);

const fn is_recent(seen: Moment, now: Moment) -> bool {
    now.micros().saturating_sub(seen.micros()) <= AWAY_MICROS
}

impl Seats {
    pub fn note_here(&self, SeatRef { match_id, seat }: SeatRef) {
        let now = self.system.now();
        let mut seen = self.here.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.insert((match_id, seat), now).is_none() {
            // Only seats that are there have a place.
            seen.retain(|_, seen| is_recent(*seen, now));
        }
    }

    #[must_use]
    pub fn is_here(&self, SeatRef { match_id, seat }: SeatRef) -> bool {
        let seen = self.here.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.get(&(match_id, seat)).is_some_and(|seen| is_recent(*seen, self.system.now()))
    }
}
