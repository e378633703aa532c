//! Who said to be ready to begin. Only the umpire and the seat itself are told; nothing waits for it.

use engine::{BySeat, Seat};
use ledger::{MatchId, Moment};

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
        sqlx::query!(
            "insert into ready (log_id, match_id, seat, at) values ($1, $2, $3, $4) on conflict do nothing",
            Scope::of(chair.match_id).log_id().0,
            chair.match_id.0,
            chair.seat.word(),
            self.system.now().to_utc()
        )
        .execute(self.logs.pool())
        .await?;
        Ok(())
    }

    /// When each seat said that it is ready; none where it did not.
    ///
    /// # Errors
    /// The database.
    pub async fn who_is_ready(&self, match_id: MatchId) -> Result<BySeat<Option<Moment>>, AppError> {
        let rows = sqlx::query!(
            "select seat, at from ready where log_id = $1 and match_id = $2",
            Scope::of(match_id).log_id().0,
            match_id.0
        );
        let rows = rows.fetch_all(self.logs.pool()).await?;
        Ok(BySeat::from_fn(|seat: Seat| {
            let row = rows.iter().find(|row| row.seat == seat.word())?;
            Moment::from_micros(row.at.timestamp_micros()).ok()
        }))
    }
}
