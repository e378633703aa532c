//! The seats that said that they are ready. Only the umpire and the seat itself see it; nothing waits for it.

use engine::{BySeat, Seat};
use ledger::{MatchId, Moment};
use store::matches::ready;

use super::Seats;
use crate::account::player::SeatRef;
use crate::error::AppError;
use crate::scope::Scope;

impl Seats {
    pub async fn ready(&self, seat_ref: SeatRef) -> Result<(), AppError> {
        self.note_here(seat_ref);
        let (log_id, now) = (Scope::of(seat_ref.match_id).log_id(), self.system.now().to_utc());
        Ok(ready::add(self.logs.pool(), log_id, seat_ref.match_id, seat_ref.seat.word(), now).await?)
    }

    pub async fn ready_times(&self, match_id: MatchId) -> Result<BySeat<Option<Moment>>, AppError> {
        let rows = ready::of_match(self.logs.pool(), Scope::of(match_id).log_id(), match_id).await?;
        Ok(BySeat::from_fn(|seat: Seat| {
            let row = rows.iter().find(|row| row.seat == seat.word())?;
            Moment::from_micros(row.at.timestamp_micros()).ok()
        }))
    }
}
