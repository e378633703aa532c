//! Openings that are not public yet.

use std::collections::BTreeMap;

use ledger::{Entry, Field, SealKey, Seq};

use crate::body::{Body, Opening};

/// What opens one commitment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Its key.
    pub key: SealKey,
    /// Its value.
    pub value: String,
}

/// The openings that somebody holds, by the entry that holds the commitment, and the commitment's name in it.
pub type Secrets = BTreeMap<(Seq, Field), Secret>;

/// Every opening that the entries themselves make public.
#[must_use]
pub fn openings(entries: &[Entry]) -> Secrets {
    let mut secrets = Secrets::new();
    for entry in entries {
        let openings = match Body::read(entry) {
            Ok(Body::Resolved(body)) => body.openings,
            Ok(Body::Drawn(body)) => body.openings,
            Ok(Body::Unsealed(body)) => body.openings,
            Ok(Body::Struck(body)) => body.openings,
            _ => continue,
        };
        for Opening { entry, field, key, value } in openings {
            if let Ok(key) = SealKey::from_hex(&key) {
                secrets.insert((Seq(entry), field), Secret { key, value });
            }
        }
    }
    secrets
}
