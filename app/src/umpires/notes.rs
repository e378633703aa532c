//! Private notes of a match's umpire and helpers. They are never entries, and are on no public page.

use ledger::Author;
use record::History;
use store::matches::notes;

use super::Umpires;
use crate::act::Act;
use crate::error::AppError;
use crate::scope::Scope;

pub use store::matches::notes::Note;

impl Umpires {
    pub async fn keep_note(&self, history: &History, act: &Act, text: &str) -> Result<(), AppError> {
        let Author::Umpire(umpire) = &act.by else { return Err(AppError::NoMatch) };
        self.check(history, &act.by).await?;
        let note = Note { umpire: umpire.as_str().to_owned(), at: self.system.now().to_utc(), text: text.to_owned() };
        let match_id = history.match_id;
        Ok(notes::add(self.logs.pool(), Scope::of(match_id).log_id(), match_id, act.form, &note).await?)
    }

    pub async fn notes(&self, history: &History, by: &Author) -> Result<Vec<Note>, AppError> {
        self.check(history, by).await?;
        let match_id = history.match_id;
        Ok(notes::of_match(self.logs.pool(), Scope::of(match_id).log_id(), match_id).await?)
    }
}
