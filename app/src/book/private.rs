//! What is kept beside the record and may be secret: encrypted, and told apart, under keys that are not in the database.

use ledger::Hash;

use super::{Book, BookError};

impl Book {
    /// Locks something away. `place` says where it belongs, and it opens nowhere else.
    ///
    /// # Errors
    /// It is too large to lock away.
    pub fn lock_private(&self, place: &str, bytes: &[u8]) -> Result<Vec<u8>, BookError> {
        Ok(self.keys.lock(&self.mint, place, bytes)?)
    }

    /// Gives back what [`Book::lock_private`] took.
    ///
    /// # Errors
    /// It was locked under another key, for another place, or altered.
    pub fn unlock_private(&self, place: &str, locked: &[u8]) -> Result<Vec<u8>, BookError> {
        Ok(self.keys.unlock(place, locked)?)
    }

    /// What tells two requests apart, and says nothing to whoever has the database alone.
    #[must_use]
    pub fn digest_of(&self, parts: &[&[u8]]) -> Hash {
        self.keys.digest(parts.iter().copied())
    }
}
