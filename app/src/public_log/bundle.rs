//! A match as a file that anyone can check.

use ledger::{Commitment, Head, MatchId, Seq};
use record::Bundle;

use super::PublicLog;
use crate::error::AppError;
use crate::matches::by_commitment;
use crate::scope::Scope;

impl PublicLog {
    pub async fn bundle(&self, match_id: MatchId) -> Result<Bundle, AppError> {
        let store = self.logs.reading_store(match_id);
        let stored = store.match_entries(match_id).await?;
        let last = stored.last().ok_or(AppError::NoMatch)?;
        let head = Head { next: Seq(last.seq.0.saturating_add(1)), leaf: last.leaf };
        let mut texts = by_commitment(store.texts(match_id).await?);
        let mut logged = match Scope::of(match_id) {
            Scope::Record => self.logged(&stored).await?,
            Scope::Practice => None,
        };
        if let Some(logged) = &mut logged {
            logged.players = self.player_evidence(&stored, &texts, logged).await?;
        }
        let lines: Vec<Vec<u8>> = stored.into_iter().map(|entry| entry.bytes).collect();
        // Texts of entries that were appended meanwhile are left out.
        texts.retain(|commitment, _| is_named(&lines, *commitment));
        Ok(Bundle { origin: self.logs.origin(match_id).clone(), match_id, lines, head, texts, logged })
    }
}

fn is_named(lines: &[Vec<u8>], commitment: Commitment) -> bool {
    let named = commitment.to_string();
    lines.iter().any(|line| std::str::from_utf8(line).is_ok_and(|line| line.contains(&named)))
}
