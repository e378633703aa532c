//! Deleting a practice match whole.

use ledger::{Author, MatchId};
use record::write::WriteError;

use super::Commands;
use crate::error::AppError;

/// What the database says if there is no such practice match (PostgreSQL, appendix A).
const NO_DATA_FOUND: &str = "P0002";

impl Commands {
    /// Deletes a practice match, with everything that was kept of it. Only whoever runs it may.
    ///
    /// # Errors
    /// It is no practice match, somebody else runs it, or the database.
    pub async fn delete_practice(&self, by: &Author, match_id: MatchId) -> Result<(), AppError> {
        let turn = self.recorder.turns.of(match_id);
        let _turn = turn.lock().await;
        if *self.recorder.matches.history(match_id).await?.umpire_now() != *by {
            let whose = "another umpire runs this practice match: they can delete it, or hand it over";
            return Err(WriteError::NotNow(whose).into());
        }
        match sqlx::query!("select delete_practice($1)", match_id.0).execute(self.recorder.logs.pool()).await {
            // It went by another node in this moment.
            Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(NO_DATA_FOUND) => {
                self.recorder.matches.forget(match_id);
                return Err(AppError::NoMatch);
            }
            deleted => {
                deleted?;
            }
        }
        self.recorder.matches.forget(match_id);
        self.recorder.matches.caches.forget_receipts();
        Ok(())
    }
}
