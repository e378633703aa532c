//! Openings that are not public yet.

use std::collections::BTreeMap;

use ledger::{Field, SealKey, Seq};

use crate::body::{Body, Opening};

/// The opening of one commitment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Its key.
    pub key: SealKey,
    /// Its value.
    pub value: String,
}

/// The openings that somebody has, by the entry that contains the commitment, and the commitment's name in it.
pub type Secrets = BTreeMap<(Seq, Field), Secret>;

/// Every opening that entries with these bodies make public.
pub fn openings<'b>(bodies: impl IntoIterator<Item = &'b Body>) -> Secrets {
    let mut secrets = Secrets::new();
    for body in bodies {
        for Opening { entry, field, key, value } in body.openings() {
            if let Ok(key) = SealKey::from_hex(key) {
                secrets.insert((Seq(*entry), field.clone()), Secret { key, value: value.clone() });
            }
        }
    }
    secrets
}
