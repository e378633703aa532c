//! Practice matches: played like any other, in a log of their own that nobody signs, and deleted whole by whoever runs them.
//!
//! The book of practice is a book like the official one, over other rows: every key starts with the log's number, and the
//! official book reads and writes nothing under another. A match's id says which of the two it is in.

use std::sync::{Arc, PoisonError};

use ledger::{By, MatchId};
use record::write::WriteError;
use store::{Identity, PRACTICE, Store};

use super::{Book, BookError, log_of};

/// What the database says where there is no such practice match (PostgreSQL, appendix A).
const NO_DATA_FOUND: &str = "P0002";

impl Book {
    /// The book of practice matches, beside this one.
    ///
    /// # Errors
    /// The database.
    pub async fn practice(&self) -> Result<&Arc<Self>, BookError> {
        self.practice.get_or_try_init(|| self.open_practice()).await
    }

    /// The book that a match is in: this one, or that of practice.
    ///
    /// # Errors
    /// The database.
    pub async fn book_of(self: &Arc<Self>, match_id: MatchId) -> Result<&Arc<Self>, BookError> {
        if log_of(match_id) == self.log() { Ok(self) } else { self.practice().await }
    }

    /// Whether this is the book of practice matches.
    #[must_use]
    pub fn is_practice(&self) -> bool {
        self.log() == PRACTICE
    }

    async fn open_practice(&self) -> Result<Arc<Self>, BookError> {
        // Seals and receipts name the origin, so that none of practice can be taken for one of the record.
        let origin = self.origin().practice();
        let origin = origin.map_err(|_| BookError::Unreadable("the log\u{2019}s name is too long".to_owned()))?;
        let identity = Identity { origin, host_key: self.keys.host_public(), created_at: self.mint.now() };
        let store = Store::open(self.pool().clone(), PRACTICE, &identity).await?;
        let (signer, mint, keys) = (self.signer.clone(), self.mint.clone(), self.keys.clone());
        let book = Self::over(store, self.store.clone(), signer, mint, keys, self.workers.clone()).await?;
        // A program's submission arrives before it is known whose it is, so that both books wait for the same list; and the
        // umpires are the same people.
        let (arrivals, umpire_names) = (self.arrivals.clone(), self.umpire_names.clone());
        Ok(Arc::new(Self { arrivals, umpire_names, ..book }))
    }

    /// Deletes a practice match, with everything that was kept of it. Only whoever runs it may.
    ///
    /// # Errors
    /// It is no practice match, somebody else runs it, or the database.
    pub async fn delete_practice(&self, by: &By, match_id: MatchId) -> Result<(), BookError> {
        let turn = self.turn(match_id);
        let _turn = turn.lock().await;
        if *self.history(match_id).await?.umpire_now() != *by {
            let whose = "another umpire runs this practice match: they can delete it, or hand it over";
            return Err(WriteError::NotNow(whose).into());
        }
        match sqlx::query!("select delete_practice($1)", match_id.0).execute(self.pool()).await {
            // It went by another node in this moment.
            Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(NO_DATA_FOUND) => {
                self.forget(match_id);
                return Err(BookError::NoMatch);
            }
            deleted => {
                deleted?;
            }
        }
        self.forget(match_id);
        self.last_receipts.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }
}
