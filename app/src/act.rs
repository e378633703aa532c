//! An act: its author, and the form with which it is sent.

use ledger::Author;
use sha2::{Digest, Sha256};
use store::{Submit, SubmitId};

use crate::half_hash::first_half;
use crate::vault::Vault;

/// An act of an umpire or a player. A form that is sent twice acts once.
#[derive(Clone, Debug)]
pub struct Act {
    pub by: Author,
    pub form: SubmitId,
}

impl Act {
    pub(crate) fn submit(&self, vault: &Vault, what: &[&str]) -> Submit {
        let by = self.by.to_string();
        let parts: Vec<&[u8]> = [by.as_str()].iter().chain(what).map(|part| part.as_bytes()).collect();
        Submit { id: self.form, digest: vault.digest(&parts) }
    }
}

#[must_use]
pub fn form_of(parts: &[&str]) -> SubmitId {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    SubmitId(first_half(hash.finalize().into()))
}

#[must_use]
pub fn by_umpire(id: &str) -> Author {
    id.parse().map_or(Author::Server, Author::Umpire)
}
