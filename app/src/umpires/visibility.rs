//! Submissions that the umpire may read before a decision closes. The first entry of the match says whether, so it is
//! never changed; the players' pages show it.

use engine::Seat;
use record::body::SeatWord;
use record::{History, OpenDecision};

use super::Umpires;
use crate::error::AppError;
use crate::stored_submissions::last_of;

impl Umpires {
    /// The move in a seat's last submission for an open decision, for an umpire who may read it; none if there is no
    /// submission.
    ///
    /// # Errors
    /// The database, or the escrow cannot be read.
    pub async fn content(
        &self,
        history: &History,
        open: &OpenDecision,
        seat: Seat,
    ) -> Result<Option<String>, AppError> {
        let (match_id, decision) = (history.match_id, &open.asked.decision);
        let rows = self.logs.store(match_id).submissions(match_id, decision).await?;
        let Some(last) = last_of(&rows, seat) else { return Ok(None) };
        let sealer = SeatWord(seat).sealer();
        let kept = self.logs.store(match_id).escrows(match_id).await?.into_iter();
        let place = (decision, sealer, last.ordinal);
        let kept = kept.into_iter().find(|kept| (&kept.decision, kept.seat, kept.ordinal) == place);
        let Some(kept) = kept else { return Ok(None) };
        let opened = self.vault.unlock_openings(match_id, decision, sealer, &kept.ciphertext)?;
        let values: Vec<&str> = opened.iter().map(|(_, secret)| secret.value.as_str()).collect();
        Ok(Some(history.duel().join(&open.asked.what, &values)))
    }
}
