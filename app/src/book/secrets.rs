//! The openings that the server keeps until they are public, encrypted.

use std::collections::{BTreeSet, HashMap};

use ledger::{Commitment, DecisionId, Entry, Field, MatchId, SealKey, Sealer};
use record::body::Body;
use record::{Secret, Secrets};
use serde::{Deserialize, Serialize};
use store::Ordinal;

use super::{Book, BookError};
use crate::keys::EscrowError;

/// An opening in escrow. The nonce is not secret; everything else in the row is ciphertext.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) field: Field,
    pub(super) key: String,
    pub(super) value: String,
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

    /// Locks a text of this server's own away, such as a token that others gave it. `place` says where it belongs.
    ///
    /// # Errors
    /// It is too large to lock away.
    pub fn lock_text(&self, place: &str, text: &str) -> Result<Vec<u8>, EscrowError> {
        self.keys.lock(&self.mint, place, text.as_bytes())
    }

    /// Gives back what [`Book::lock_text`] took.
    ///
    /// # Errors
    /// It was locked under another key, for another place, or altered.
    pub fn unlock_text(&self, place: &str, locked: &[u8]) -> Result<String, EscrowError> {
        String::from_utf8(self.keys.unlock(place, locked)?).map_err(|_| EscrowError)
    }

    /// Every opening of a match that is known here: those that its entries made public, and those in escrow.
    pub(super) async fn secrets(&self, match_id: MatchId) -> Result<Secrets, BookError> {
        let entries = self.entries(match_id).await?;
        let bodies = Body::read_all(&entries);
        let mut secrets = self.escrowed(match_id, &entries, &bodies).await?;
        secrets.extend(record::openings(bodies.iter().flatten()));
        Ok(secrets)
    }

    /// The openings of a match that are in escrow: those that its entries have not made public yet.
    pub(super) async fn escrowed(
        &self,
        match_id: MatchId,
        entries: &[Entry],
        bodies: &[Result<Body, String>],
    ) -> Result<Secrets, BookError> {
        let mut secrets = Secrets::new();
        let public = bodies.iter().flatten().flat_map(Body::openings);
        let public: BTreeSet<(u32, &Field)> = public.map(|opening| (opening.entry, &opening.field)).collect();
        let mut open: HashMap<u32, usize> = HashMap::new();
        for (entry, _) in public {
            *open.entry(entry).or_default() += 1;
        }
        // Most of what was sealed was opened with its step, and of a match that ended nothing is left.
        let bodies = entries.iter().zip(bodies).filter_map(|(entry, body)| Some((entry, body.as_ref().ok()?)));
        let closed = bodies.filter(|(entry, body)| open.get(&entry.seq.0).copied().unwrap_or(0) < sealed(body));
        let closed: Vec<(&Entry, &Body)> = closed.collect();
        if closed.is_empty() {
            return Ok(secrets);
        }
        let escrows = self.store.escrows(match_id).await?;
        let kept = |decision: &DecisionId, seat, ordinal| {
            escrows.iter().find(|kept| (&kept.decision, kept.seat, kept.ordinal) == (decision, seat, ordinal))
        };
        for (entry, body) in closed {
            let (decision, seat, ordinal) = if let Body::Sealed(sealed) = body {
                let ordinal = Ordinal(u8::try_from(sealed.ordinal).unwrap_or(u8::MAX));
                (sealed.decision.clone(), sealed.seat.sealer(), ordinal)
            } else {
                let Ok(decision) = format!("{}-{}", body.kind().as_str(), entry.seq.0).parse() else { continue };
                match self.held(match_id, &decision, &unasked(body)).await? {
                    Some(ordinal) => (decision, Sealer::Host, ordinal),
                    None => continue,
                }
            };
            // Everything of an ended match is in its entries, and its escrow is empty.
            let Some(locked) = kept(&decision, seat, ordinal) else { continue };
            let opening = self.keys.unlock(&place(match_id, &decision, seat), &locked.ciphertext)?;
            let opened: Vec<Kept> = serde_json::from_slice(&opening).map_err(|_| EscrowError)?;
            for kept in opened {
                let key = SealKey::from_hex(&kept.key).map_err(|_| EscrowError)?;
                secrets.insert((entry.seq, kept.field), Secret { key, value: kept.value });
            }
        }
        Ok(secrets)
    }

    /// Where the openings of the seals that an entry itself holds are kept: an attempt that was overtaken may have left
    /// others beside them.
    async fn held(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        commitments: &[Commitment],
    ) -> Result<Option<Ordinal>, BookError> {
        let kept = self.store.submissions(match_id, decision).await?;
        Ok(kept.into_iter().find(|kept| kept.commitments == commitments).map(|kept| kept.ordinal))
    }
}

/// How many seals an entry holds.
fn sealed(body: &Body) -> usize {
    match body {
        Body::Sealed(sealed) => sealed.commitments.len(),
        other => unasked(other).len(),
    }
}

/// The seals of the host that an entry holds beside what it says.
fn unasked(body: &Body) -> Vec<Commitment> {
    match body {
        Body::Struck(body) => {
            body.steps.iter().flat_map(|step| &step.seals).filter_map(|seal| seal.commitment).collect()
        }
        Body::Drawn(body) => body.seals.iter().map(|seal| seal.commitment).collect(),
        Body::Shared(body) => body.seals.iter().map(|seal| seal.commitment).collect(),
        _ => Vec::new(),
    }
}

/// What binds an opening in escrow to its place.
pub(super) fn place(match_id: MatchId, decision: &DecisionId, seat: Sealer) -> String {
    format!("{match_id}/{decision}/{seat}")
}
