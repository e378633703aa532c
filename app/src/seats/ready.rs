//! Who said to be ready to begin. Only the umpire and the seat itself are told; nothing waits for it.

use engine::{BySeat, Seat};
use ledger::{MatchId, Moment};
use store::matches::ready;

use super::Seats;
use crate::account::player::Chair;
use crate::error::AppError;
use crate::scope::Scope;

impl Seats {
    /// A player is ready. Said again, it stays as it was.
    ///
    /// # Errors
    /// The database.
    pub async fn ready(&self, chair: Chair) -> Result<(), AppError> {
        let (log_id, now) = (Scope::of(chair.match_id).log_id(), self.system.now().to_utc());
        Ok(ready::add(self.logs.pool(), log_id, chair.match_id, chair.seat.word(), now).await?)
    }

    /// When each seat said that it is ready; none where it did not.
    ///
    /// # Errors
    /// The database.
    pub async fn who_is_ready(&self, match_id: MatchId) -> Result<BySeat<Option<Moment>>, AppError> {
        let rows = ready::of_match(self.logs.pool(), Scope::of(match_id).log_id(), match_id).await?;
        Ok(BySeat::from_fn(|seat: Seat| {
            let row = rows.iter().find(|row| row.seat == seat.word())?;
            Moment::from_micros(row.at.timestamp_micros()).ok()
        }))
    }
}
