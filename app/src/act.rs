//! An act: who does it, and the form that it is sent with.

use ledger::Author;
use sha2::{Digest, Sha256};
use store::{Submit, SubmitId};

use crate::vault::Vault;

/// Who acts, and the form that is sent with it: a form that is sent twice acts once.
#[derive(Clone, Debug)]
pub struct Act {
    /// The umpire.
    pub by: Author,
    /// The form's own id.
    pub form: SubmitId,
}

impl Act {
    /// The id under which an append is known, and a digest of what it asked for.
    pub(crate) fn submit(&self, vault: &Vault, what: &[&str]) -> Submit {
        let by = self.by.to_string();
        let parts: Vec<&[u8]> = [by.as_str()].iter().chain(what).map(|part| part.as_bytes()).collect();
        Submit { id: self.form, digest: vault.digest(&parts) }
    }
}

/// The id of a form that follows from its contents: whoever sends the same again acts once.
#[must_use]
pub fn form_of(parts: &[&str]) -> SubmitId {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    SubmitId(first_half(hash.finalize().into()))
}

/// The first 16 of 32 bytes.
pub(crate) fn first_half(hash: [u8; 32]) -> [u8; 16] {
    std::array::from_fn(|at| hash.get(at).copied().unwrap_or(0))
}

/// The umpire as entries name them.
#[must_use]
pub fn by_umpire(id: &str) -> Author {
    id.parse().map_or(Author::Server, Author::Umpire)
}
