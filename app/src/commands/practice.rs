//! Deleting practice matches.

use ledger::{Author, MatchId};
use record::write::WriteError;
use store::matches::practice;

use super::Commands;
use crate::error::AppError;

impl Commands {
    pub async fn delete_practice(&self, by: &Author, match_id: MatchId) -> Result<(), AppError> {
        let lock = self.recorder.locks.of(match_id);
        let _guard = lock.lock().await;
        if *self.recorder.matches.history(match_id).await?.umpire_now() != *by {
            let whose = "another umpire runs this practice match: they can delete it, or hand it over";
            return Err(WriteError::NotNow(whose).into());
        }
        let deleted = practice::delete(self.recorder.logs.pool(), match_id).await?;
        self.recorder.matches.forget(match_id);
        // Another node may have deleted it at the same moment.
        if !deleted {
            return Err(AppError::NoMatch);
        }
        self.recorder.matches.caches.forget_receipts();
        Ok(())
    }
}
