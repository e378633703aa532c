//! Private notes of the umpires of a match. They are never entries, and are on no public page.

use ledger::MatchId;
use store::matches::notes;

use super::Umpires;
use crate::act::Act;
use crate::error::AppError;
use crate::scope::Scope;

pub use store::matches::notes::Note;

impl Umpires {
    /// Stores a note. The same form again stores nothing.
    ///
    /// # Errors
    /// The author is not an umpire, or the database.
    pub async fn keep_note(&self, act: &Act, match_id: MatchId, text: &str) -> Result<(), AppError> {
        let ledger::Author::Umpire(umpire) = &act.by else { return Err(AppError::NoMatch) };
        let note = Note { umpire: umpire.as_str().to_owned(), at: self.system.now().to_utc(), text: text.to_owned() };
        Ok(notes::add(self.logs.pool(), Scope::of(match_id).log_id(), match_id, act.form, &note).await?)
    }

    /// The notes of a match, oldest first.
    ///
    /// # Errors
    /// The database.
    pub async fn notes(&self, match_id: MatchId) -> Result<Vec<Note>, AppError> {
        Ok(notes::of_match(self.logs.pool(), Scope::of(match_id).log_id(), match_id).await?)
    }
}
