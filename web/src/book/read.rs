//! Histories, folded once for each head.

use std::sync::{Arc, PoisonError};

use ledger::{Hash, Head, MatchId, Seq, leaf_hash};
use record::{Bundle, History, Secrets, Text, Texts, fold};

use super::{Book, BookError};

impl Book {
    /// A match's history, as it stands now. It knows what is still sealed, so that states can be shown: what of it a
    /// viewer may see is for the page to heed.
    ///
    /// # Errors
    /// [`BookError::NoMatch`], or the match cannot be read.
    pub async fn history(&self, match_id: MatchId) -> Result<Arc<History>, BookError> {
        let head = self.head(match_id).await?.ok_or(BookError::NoMatch)?;
        self.history_at(match_id, head).await
    }

    /// A match's history with this head, which somebody just looked up; a later one where entries came meanwhile.
    ///
    /// # Errors
    /// As [`Book::history`].
    pub async fn history_at(&self, match_id: MatchId, head: Head) -> Result<Arc<History>, BookError> {
        let kept = self.folded.lock().unwrap_or_else(PoisonError::into_inner).get(&match_id).cloned();
        if let Some(kept) = kept.filter(|kept| kept.head == head) {
            return Ok(kept);
        }
        let history = Arc::new(self.fold(match_id).await?);
        self.watch(&history);
        self.folded.lock().unwrap_or_else(PoisonError::into_inner).put(match_id, history.clone());
        Ok(history)
    }

    /// The match of a short name.
    ///
    /// # Errors
    /// [`BookError::NoMatch`].
    pub async fn match_of(&self, slug: &str) -> Result<MatchId, BookError> {
        // The database refuses some characters, and nothing else than a slug needs to be looked for.
        if !slug.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(BookError::NoMatch);
        }
        let found: Option<uuid::Uuid> =
            sqlx::query_scalar!("select match_id from archive where slug = $1 and log_id = $2", slug, self.log().0)
                .fetch_optional(self.pool())
                .await?;
        found.map(MatchId).ok_or(BookError::NoMatch)
    }

    /// The history of a short name.
    ///
    /// # Errors
    /// [`BookError::NoMatch`], or the match cannot be read.
    pub async fn history_of(&self, slug: &str) -> Result<Arc<History>, BookError> {
        self.history(self.match_of(slug).await?).await
    }

    /// The entries of a match from a place on: what happened since somebody looked.
    ///
    /// # Errors
    /// The database, or an entry that cannot be read.
    pub async fn entries_since(&self, match_id: MatchId, from: Seq) -> Result<Vec<ledger::Entry>, BookError> {
        let stored = self.store.match_entries(match_id).await?;
        let since = stored.iter().filter(|entry| entry.seq >= from).map(|entry| ledger::Entry::read(&entry.bytes));
        since.collect::<Result<_, _>>().map_err(|error| BookError::Unreadable(error.to_string()))
    }

    /// A match as a file that anyone can check.
    ///
    /// # Errors
    /// [`BookError::NoMatch`], or the database.
    pub async fn bundle(&self, match_id: MatchId) -> Result<Bundle, BookError> {
        let stored = self.store.match_entries(match_id).await?;
        let last = stored.last().ok_or(BookError::NoMatch)?;
        let head = Head { next: Seq(last.seq.0.saturating_add(1)), leaf: last.leaf };
        let texts = self.texts(match_id).await?;
        let lines: Vec<Vec<u8>> = stored.into_iter().map(|entry| entry.bytes).collect();
        let logged = self.logged(match_id, &lines).await?;
        Ok(Bundle { origin: self.origin().clone(), match_id, lines, head, texts, logged })
    }

    async fn texts(&self, match_id: MatchId) -> Result<Texts, BookError> {
        let texts = self.store.texts(match_id).await?;
        Ok(texts.into_iter().map(|text| (text.commitment, Text { key: text.key, text: text.text })).collect())
    }

    async fn head(&self, match_id: MatchId) -> Result<Option<Head>, BookError> {
        Ok(self.store.match_head(match_id).await?)
    }

    /// A match's history as it was after so many entries; the words in it are those that still exist.
    ///
    /// # Errors
    /// As [`Book::history`].
    pub async fn history_up_to(&self, match_id: MatchId, entries: u32) -> Result<History, BookError> {
        self.fold_up_to(match_id, Some(entries)).await
    }

    /// Folds the match from its first entry, with everything that the server knows.
    pub(super) async fn fold(&self, match_id: MatchId) -> Result<History, BookError> {
        self.fold_up_to(match_id, None).await
    }

    async fn fold_up_to(&self, match_id: MatchId, most: Option<u32>) -> Result<History, BookError> {
        let mut stored = self.store.match_entries(match_id).await?;
        if let Some(most) = most {
            stored.retain(|entry| entry.seq.0 < most);
        }
        if stored.is_empty() {
            return Err(BookError::NoMatch);
        }
        let unreadable = |error: &dyn ToString| BookError::Unreadable(error.to_string());
        let entries = stored.iter().map(|entry| ledger::Entry::read(&entry.bytes)).collect::<Result<Vec<_>, _>>();
        let entries = entries.map_err(|error| unreadable(&error))?;
        let leaves: Vec<Hash> = stored.iter().map(|entry| leaf_hash(&entry.bytes)).collect();
        let texts = self.texts(match_id).await?;
        let secrets: Secrets = self.secrets(match_id, &entries).await?;
        fold(self.origin(), &entries, &leaves, &texts, &secrets).map_err(|error| unreadable(&error))
    }
}
