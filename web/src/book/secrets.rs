//! The openings that the server keeps until they are public, encrypted.

use ledger::store::Ordinal;
use ledger::{DecisionId, Entry, Field, MatchId, SealKey, Sealer, Seq};
use record::body::{Body, Struck};
use record::{Secret, Secrets};
use serde::{Deserialize, Serialize};

use super::{Book, BookError};

/// An opening in escrow. The nonce is not secret; everything else in the row is ciphertext.
#[derive(Serialize, Deserialize)]
struct Kept {
    field: Field,
    key: String,
    value: String,
}

impl Book {
    /// Locks openings away for one submission.
    pub(super) fn lock_away(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Sealer,
        secrets: &[(Field, Secret)],
    ) -> Result<Vec<u8>, BookError> {
        let kept = secrets.iter().map(|(field, secret)| Kept {
            field: field.clone(),
            key: secret.key.to_hex(),
            value: secret.value.clone(),
        });
        // Words and hex digits: nothing in here can fail to become JSON.
        let opening = serde_json::to_vec(&kept.collect::<Vec<_>>()).unwrap_or_default();
        Ok(self.keys.lock(&self.mint, &place(match_id, decision, seat), &opening)?)
    }

    /// Every opening of a match that is known here: those that its entries made public, and those in escrow.
    pub(super) async fn secrets(&self, match_id: MatchId, entries: &[Entry]) -> Result<Secrets, BookError> {
        let mut secrets = record::openings(entries);
        for entry in entries {
            let (decision, seat, ordinal) = match Body::read(entry) {
                Ok(Body::Sealed(sealed)) => {
                    let ordinal = Ordinal(u8::try_from(sealed.ordinal).unwrap_or(u8::MAX));
                    (sealed.decision, sealed.seat.sealer(), ordinal)
                }
                Ok(Body::Struck(struck)) => match self.resealed(match_id, entry.seq, &struck).await? {
                    Some((decision, ordinal)) => (decision, Sealer::Host, ordinal),
                    None => continue,
                },
                _ => continue,
            };
            // Everything of an ended match is in its entries, and its escrow is empty.
            let Some(locked) = self.store.escrow(match_id, &decision, seat, ordinal).await? else { continue };
            let opening = self.keys.unlock(&place(match_id, &decision, seat), &locked)?;
            let kept: Vec<Kept> = serde_json::from_slice(&opening).map_err(|_| crate::keys::EscrowError)?;
            for kept in kept {
                let key = SealKey::from_hex(&kept.key).map_err(|_| crate::keys::EscrowError)?;
                secrets.entry((entry.seq, kept.field)).or_insert(Secret { key, value: kept.value });
            }
        }
        Ok(secrets)
    }

    /// Where the openings of the new seals in a `struck` entry are kept, if it has any: an attempt that was overtaken may
    /// have left others beside them.
    async fn resealed(
        &self,
        match_id: MatchId,
        seq: Seq,
        struck: &Struck,
    ) -> Result<Option<(DecisionId, Ordinal)>, BookError> {
        let seals: Vec<_> =
            struck.steps.iter().flat_map(|step| &step.seals).filter_map(|seal| seal.commitment).collect();
        let Some(decision) = struck_place(seq).filter(|_| !seals.is_empty()) else { return Ok(None) };
        let kept = self.store.submissions(match_id, &decision).await?;
        let kept = kept.into_iter().find(|kept| kept.commitments == seals);
        Ok(kept.map(|kept| (decision, kept.ordinal)))
    }
}

/// The decision under which a strike's new seals are kept.
pub(super) fn struck_place(seq: Seq) -> Option<DecisionId> {
    format!("struck-{}", seq.0).parse().ok()
}

fn place(match_id: MatchId, decision: &DecisionId, seat: Sealer) -> String {
    format!("{match_id}/{decision}/{seat}")
}
