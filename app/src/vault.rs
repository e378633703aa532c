//! Encryption of private data in the database, with keys that are not in it.

use std::sync::Arc;

use ledger::{Commitment, DecisionId, Field, Hash, MatchId, Moment, SealKey, Sealer};
use record::Secret;
use serde::{Deserialize, Serialize};
use store::{Submit, SubmitId};

use crate::half_hash::first_half;
use crate::keys::{EscrowError, Keys};
use crate::system::System;

/// Encrypts and decrypts private data. Data that is encrypted for one place can be decrypted only there.
#[derive(Clone, Debug)]
pub struct Vault {
    keys: Arc<Keys>,
    system: Arc<System>,
    /// The time since which there is this escrow key. It stays, as long as a node runs.
    since: Moment,
}

/// An opening in escrow. The nonce is not secret; everything else in the row is ciphertext.
#[derive(Serialize, Deserialize)]
struct Opening {
    field: Field,
    key: String,
    value: String,
}

impl Vault {
    pub(crate) const fn new(keys: Arc<Keys>, system: Arc<System>, since: Moment) -> Self {
        Self { keys, system, since }
    }

    pub(crate) const fn since(&self) -> Moment {
        self.since
    }

    /// What was decrypted of something that was encrypted at this time; none if that was under a key that is lost.
    pub(crate) fn unless_lost<T>(
        &self,
        at: Moment,
        unlocked: Result<T, EscrowError>,
    ) -> Result<Option<T>, EscrowError> {
        match unlocked {
            Err(EscrowError) if at < self.since => Ok(None),
            unlocked => unlocked.map(Some),
        }
    }

    pub(crate) fn keys(&self) -> &Keys {
        &self.keys
    }

    pub fn lock(&self, place: &str, bytes: &[u8]) -> Result<Vec<u8>, EscrowError> {
        self.keys.lock(&self.system, place, bytes)
    }

    pub fn unlock(&self, place: &str, locked: &[u8]) -> Result<Vec<u8>, EscrowError> {
        self.keys.unlock(place, locked)
    }

    pub fn lock_text(&self, place: &str, text: &str) -> Result<Vec<u8>, EscrowError> {
        self.keys.lock(&self.system, place, text.as_bytes())
    }

    pub fn unlock_text(&self, place: &str, locked: &[u8]) -> Result<String, EscrowError> {
        String::from_utf8(self.keys.unlock(place, locked)?).map_err(|_| EscrowError)
    }

    #[must_use]
    pub fn digest(&self, parts: &[&[u8]]) -> Hash {
        self.keys.digest(parts.iter().copied())
    }

    pub(crate) fn submit_of(&self, match_id: MatchId, decision: &DecisionId, commitments: &[Commitment]) -> Submit {
        let match_name = match_id.to_string();
        let mut parts = vec![b"host".as_slice(), match_name.as_bytes(), decision.as_str().as_bytes()];
        parts.extend(commitments.iter().map(|commitment| commitment.bytes().as_slice()));
        let digest = self.digest(&parts);
        Submit { id: SubmitId(first_half(*digest.bytes())), digest }
    }

    pub(crate) fn lock_openings(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Sealer,
        secrets: &[(Field, Secret)],
    ) -> Result<Vec<u8>, EscrowError> {
        let openings = secrets.iter().map(|(field, secret)| Opening {
            field: field.clone(),
            key: secret.key.to_hex(),
            value: secret.value.clone(),
        });
        // Texts and hex digits always become JSON.
        let openings = serde_json::to_vec(&openings.collect::<Vec<_>>()).unwrap_or_default();
        self.lock(&place(match_id, decision, seat), &openings)
    }

    pub(crate) fn unlock_openings(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Sealer,
        locked: &[u8],
    ) -> Result<Vec<(Field, Secret)>, EscrowError> {
        let openings = self.unlock(&place(match_id, decision, seat), locked)?;
        let openings: Vec<Opening> = serde_json::from_slice(&openings).map_err(|_| EscrowError)?;
        let secret = |opening: Opening| {
            let key = SealKey::from_hex(&opening.key).map_err(|_| EscrowError)?;
            Ok((opening.field, Secret { key, value: opening.value }))
        };
        openings.into_iter().map(secret).collect()
    }
}

fn place(match_id: MatchId, decision: &DecisionId, seat: Sealer) -> String {
    format!("{match_id}/{decision}/{seat}")
}
