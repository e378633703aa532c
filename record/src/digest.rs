//! The digest of a state, and of a declared game.

use engine::games::declared::Declaration;
use engine::{Duel, Sight};
use ledger::Hash;
use sha2::{Digest, Sha256};

/// SHA-256 of the public state object of the notation, without spaces. It never depends on a secret.
#[must_use]
pub fn state_digest(duel: &Duel) -> Hash {
    Hash::new(Sha256::digest(duel.state(Sight::Public)).into())
}

/// The identity of a declared game: SHA-256 of its structure, each line with its end. Games with one structure are one game,
/// whatever their titles.
#[must_use]
pub fn game_hash(game: &Declaration) -> Hash {
    let lines: String = game.structure().into_iter().flat_map(|line| [line, "\n".to_owned()]).collect();
    Hash::new(Sha256::digest(lines).into())
}
