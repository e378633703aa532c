//! Whether a match's umpire may read what the players sent before a decision closes. It is chosen when the match is opened
//! and never after; the players' pages say it.

use engine::Seat;
use ledger::{DecisionId, MatchId, Sealer};
use record::body::SeatWord;
use record::{History, OpenDecision};

use super::{Book, BookError, last_of};

impl Book {
    /// Lets the umpire of a match that was just opened read what the players send. Said again, it changes nothing.
    ///
    /// # Errors
    /// The database.
    pub async fn let_umpire_look(&self, match_id: MatchId) -> Result<(), BookError> {
        sqlx::query!(
            "insert into sighted (log_id, match_id) values ($1, $2) on conflict do nothing",
            self.log().0,
            match_id.0
        )
        .execute(self.pool())
        .await?;
        Ok(())
    }

    /// Whether the umpire may read what the players sent before a decision closes.
    ///
    /// # Errors
    /// The database.
    pub async fn umpire_looks(&self, match_id: MatchId) -> Result<bool, BookError> {
        let sighted = sqlx::query_scalar!(
            "select exists (select from sighted where log_id = $1 and match_id = $2) as \"sighted!\"",
            self.log().0,
            match_id.0
        );
        Ok(sighted.fetch_one(self.pool()).await?)
    }

    /// What a seat's last submission for an open decision says, for the umpire of a match who may look; none where nothing
    /// came.
    ///
    /// # Errors
    /// The database, or the escrow cannot be read.
    pub async fn content(
        &self,
        history: &History,
        open: &OpenDecision,
        seat: Seat,
    ) -> Result<Option<String>, BookError> {
        let (match_id, decision) = (history.match_id, &open.asked.decision);
        let rows = self.store.submissions(match_id, decision).await?;
        let Some(last) = last_of(&rows, seat) else { return Ok(None) };
        let sealer = SeatWord(seat).sealer();
        let kept = self.store.escrows(match_id).await?.into_iter();
        let place = (decision, sealer, last.ordinal);
        let kept = kept.into_iter().find(|kept| (&kept.decision, kept.seat, kept.ordinal) == place);
        let Some(kept) = kept else { return Ok(None) };
        let opened = self.opened(match_id, decision, sealer, &kept.ciphertext)?;
        let values: Vec<&str> = opened.iter().map(|kept| kept.value.as_str()).collect();
        Ok(Some(history.duel().join(&open.asked.what, &values)))
    }

    fn opened(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Sealer,
        ciphertext: &[u8],
    ) -> Result<Vec<super::secrets::Kept>, BookError> {
        let opening = self.keys.unlock(&super::secrets::place(match_id, decision, seat), ciphertext)?;
        serde_json::from_slice(&opening).map_err(|_| crate::keys::EscrowError.into())
    }
}
