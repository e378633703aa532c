//! Notes that the umpires of a match keep for themselves. They are never entries, and no public page knows them.

use chrono::{DateTime, Utc};
use ledger::MatchId;

use super::Umpires;
use crate::act::Act;
use crate::error::AppError;
use crate::scope::Scope;

/// A note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Who wrote it, by pseudonym.
    pub umpire: String,
    /// When.
    pub at: DateTime<Utc>,
    /// What it says.
    pub text: String,
}

impl Umpires {
    /// Keeps a note. The same form again keeps none.
    ///
    /// # Errors
    /// The act is no umpire's, or the database.
    pub async fn keep_note(&self, act: &Act, match_id: MatchId, text: &str) -> Result<(), AppError> {
        let ledger::Author::Umpire(umpire) = &act.by else { return Err(AppError::NoMatch) };
        sqlx::query!(
            "insert into umpire_notes (log_id, match_id, form, umpire, at, text) values ($1, $2, $3, $4, $5, $6) \
             on conflict do nothing",
            Scope::of(match_id).log_id().0,
            match_id.0,
            act.form.0.as_slice(),
            umpire.as_str(),
            self.system.now().to_utc(),
            text
        )
        .execute(self.logs.pool())
        .await?;
        Ok(())
    }

    /// The notes of a match, oldest first.
    ///
    /// # Errors
    /// The database.
    pub async fn notes(&self, match_id: MatchId) -> Result<Vec<Note>, AppError> {
        let notes = sqlx::query_as!(
            Note,
            "select umpire, at, text from umpire_notes where log_id = $1 and match_id = $2 order by at, form",
            Scope::of(match_id).log_id().0,
            match_id.0
        );
        Ok(notes.fetch_all(self.logs.pool()).await?)
    }
}
