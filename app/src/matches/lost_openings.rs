//! What a running match lacks since an escrow key was lost: openings that nobody has any more.

use ledger::{Moment, Sealer};
use record::History;
use store::Escrow;

use super::Matches;
use crate::error::AppError;
use crate::keys::EscrowError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostOpenings {
    pub since: Moment,
    pub question: bool,
    pub step: Option<u32>,
    /// True if the host's share is among them: nothing more can be drawn from it.
    pub share: bool,
}

impl LostOpenings {
    /// True if moves are among them: the match cannot go on before the umpire acts.
    #[must_use]
    pub const fn has_moves(&self) -> bool {
        self.question || self.step.is_some()
    }
}

impl Matches {
    /// The openings of a running match that nobody has any more; none if nothing is missing. A match that was opened under
    /// the present key costs nothing.
    pub async fn lost_openings(&self, history: &History) -> Result<Option<LostOpenings>, AppError> {
        let since = self.vault.since();
        if history.is_ended() || history.opened_at >= since {
            return Ok(None);
        }
        let mut lost = self.logs.store(history.match_id).escrows(history.match_id).await?;
        lost.retain(|kept| {
            let opened = self.vault.unlock_openings(history.match_id, &kept.decision, kept.seat, &kept.ciphertext);
            matches!(opened, Err(EscrowError))
        });
        let lost = LostOpenings {
            since,
            question: lost.iter().any(|kept| is_sealed(history, kept)),
            step: history.closed_at.filter(|_| !lost.is_empty()),
            share: lost.iter().any(|kept| is_host_share(history, kept)),
        };
        Ok((lost.has_moves() || lost.share).then_some(lost))
    }
}

fn is_sealed(history: &History, kept: &Escrow) -> bool {
    let mut sealed = history.open.iter().flat_map(|open| &open.sealed);
    sealed.any(|(_, sealed)| {
        (&sealed.decision, sealed.seat.sealer(), sealed.ordinal)
            == (&kept.decision, kept.seat, u32::from(kept.ordinal.0))
    })
}

fn is_host_share(history: &History, kept: &Escrow) -> bool {
    let last = history.seeds.last().filter(|seed| seed.given_up.is_none() && !history.is_share_open(seed));
    let seal = last.and_then(|seed| history.seals.iter().find(|seal| seal.entry == seed.share));
    kept.seat == Sealer::Host && seal.is_some_and(|seal| seal.decision == kept.decision)
}
