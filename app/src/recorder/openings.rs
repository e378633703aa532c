//! The openings of listed shares: they wait privately until all have come, or until their time is up.

use std::collections::BTreeSet;

use engine::Seat;
use ledger::{DecisionId, Field, Sealer, Seq};
use record::body::{OpenSignature, Tree};
use record::share::SHARE;
use record::write::ShareOpening;
use record::{History, Secrets};
use store::StoredSubmission;

use super::{CloseRule, Recorder, sealer};
use crate::due::{TICK, awaited_openings, closes_at, later};
use crate::error::AppError;
use crate::slug::slug;

impl Recorder {
    pub(crate) async fn closed_openings(
        &self,
        history: &History,
        secrets: &Secrets,
    ) -> Result<Option<Vec<ShareOpening>>, AppError> {
        let Some((name, list)) = awaited_openings(history) else { return Ok(None) };
        let match_id = history.match_id;
        let Ok(field) = SHARE.parse::<Field>() else { return Ok(None) };
        let known = |sealed: Seq| secrets.contains_key(&(sealed, field.clone()));
        let waits = |seat: &Seat| list.sealed[*seat].is_some_and(|sealed| !known(sealed));
        let awaited: Vec<Sealer> = Seat::BOTH.into_iter().filter(waits).map(sealer).collect();
        if awaited.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let rows = self.logs.store(match_id).submissions(match_id, &name).await?;
        // A crash after the close leaves it closed, and what came before it counts.
        let closed = rows.iter().any(StoredSubmission::closes);
        let came: BTreeSet<Sealer> = rows.iter().filter(|row| !row.closes()).map(|row| row.seat).collect();
        if !closed && awaited.iter().any(|seat| !came.contains(seat)) {
            let now = self.system.now();
            if now < closes_at(list.deadline()) {
                self.due.add(closes_at(list.deadline()), match_id, &name);
                return Ok(None);
            }
            if self.fit().is_err() || self.arrivals.has_in_flight(&slug(match_id), list.deadline()) {
                // This node decides nothing by the clock; or one arrived in time, and is not stored yet.
                self.due.add(later(now, TICK), match_id, &name);
                return Ok(None);
            }
        }
        let rows = self.close_seats(match_id, &name, &awaited, list.leaf, CloseRule::Always(None)).await?;
        self.opened(history, &name, &awaited, &rows).await.map(Some)
    }

    async fn opened(
        &self,
        history: &History,
        name: &DecisionId,
        awaited: &[Sealer],
        rows: &[StoredSubmission],
    ) -> Result<Vec<ShareOpening>, AppError> {
        let match_id = history.match_id;
        let escrows = self.logs.store(match_id).escrows(match_id).await?;
        let mut openings = Vec::new();
        for row in rows.iter().filter(|row| !row.closes() && awaited.contains(&row.seat)) {
            let Some(seat) = Seat::BOTH.into_iter().find(|seat| sealer(*seat) == row.seat) else { continue };
            let kept =
                escrows.iter().find(|kept| (&kept.decision, kept.seat, kept.ordinal) == (name, row.seat, row.ordinal));
            let lost = || AppError::Unreadable(format!("the opening of {seat}'s share is not in escrow"));
            let opened = self.vault.unlock_openings(match_id, name, row.seat, &kept.ok_or_else(lost)?.ciphertext);
            // Then the share counts as listed and not opened.
            let Some(opened) = self.vault.unless_lost(row.at, opened)? else { continue };
            let (_, secret) = opened.into_iter().next().ok_or_else(lost)?;
            let signature = row.signed.map(|signed| OpenSignature {
                tree: Tree { size: signed.seen.0.0, root: signed.seen.1 },
                signature: signed.signature,
            });
            openings.push(ShareOpening { seat, came: row.at, secret, signature });
        }
        Ok(openings)
    }
}
