//! Submissions that the umpire may read before a decision closes. The first entry of the match says whether, so it is
//! never changed; the players' pages show it.

use engine::Seat;
use record::{History, OpenDecision};
use store::{Escrow, StoredSubmission};

use super::Umpires;
use crate::error::AppError;
use crate::keys::EscrowError;
use crate::stored_submissions::last_of;

impl Umpires {
    pub async fn content(
        &self,
        history: &History,
        open: &OpenDecision,
        seat: Seat,
    ) -> Result<Option<String>, AppError> {
        let (match_id, decision) = (history.match_id, &open.asked.decision);
        let rows = self.logs.store(match_id).submissions(match_id, decision).await?;
        let Some(last) = last_of(&rows, seat) else { return Ok(None) };
        let Some(kept) = self.escrow_of(history, open, last).await? else { return Ok(None) };
        let opened = self.vault.unlock_openings(match_id, decision, last.seat, &kept.ciphertext);
        let Some(opened) = self.vault.unless_lost(last.at, opened)? else { return Ok(None) };
        let values: Vec<&str> = opened.iter().map(|(_, secret)| secret.value.as_str()).collect();
        Ok(Some(history.duel().join(&open.asked.what, &values)))
    }

    /// True if nobody can open this submission for an open decision any more, because the key was lost. Unless it is sent
    /// again, the decision cannot be resolved.
    pub async fn is_lost(
        &self,
        history: &History,
        open: &OpenDecision,
        row: &StoredSubmission,
    ) -> Result<bool, AppError> {
        if row.at >= self.vault.since() {
            return Ok(false);
        }
        let kept = self.escrow_of(history, open, row).await?;
        Ok(kept.is_some_and(|kept| {
            let (match_id, decision) = (history.match_id, &open.asked.decision);
            let opened = self.vault.unlock_openings(match_id, decision, row.seat, &kept.ciphertext);
            matches!(opened, Err(EscrowError))
        }))
    }

    async fn escrow_of(
        &self,
        history: &History,
        open: &OpenDecision,
        row: &StoredSubmission,
    ) -> Result<Option<Escrow>, AppError> {
        let kept = self.logs.store(history.match_id).escrows_of(history.match_id, row.seat).await?;
        let place = (&open.asked.decision, row.ordinal);
        Ok(kept.into_iter().find(|kept| (&kept.decision, kept.ordinal) == place))
    }
}
