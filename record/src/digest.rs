//! The digest of a state.

use engine::{Duel, Sight};
use ledger::Hash;
use sha2::{Digest, Sha256};

/// SHA-256 of the public state object of the notation, without spaces. It never depends on a secret.
#[must_use]
pub fn state_digest(duel: &Duel) -> Hash {
    Hash::new(Sha256::digest(duel.state(Sight::Public)).into())
}
