//! Histories, folded once for each head.

use std::sync::{Arc, PoisonError};

use ledger::{Entry, Hash, Head, MatchId, Seq, leaf_hash};
use record::body::Body;
use record::{Bundle, History, Text, Texts, fold_read};
use tokio::sync::SemaphorePermit;

use super::slug::ids_of;
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
        if let Some(kept) = self.kept_history(match_id, head) {
            return Ok(kept);
        }
        let history = Arc::new(self.fold(match_id).await?);
        self.watch(&history);
        self.folded.lock().unwrap_or_else(PoisonError::into_inner).put(match_id, history.clone());
        Ok(history)
    }

    fn kept_history(&self, match_id: MatchId, head: Head) -> Option<Arc<History>> {
        let kept = self.folded.lock().unwrap_or_else(PoisonError::into_inner).get(&match_id).cloned();
        kept.filter(|kept| kept.head == head)
    }

    /// The match of a short name.
    ///
    /// # Errors
    /// [`BookError::NoMatch`].
    pub async fn match_of(&self, slug: &str) -> Result<MatchId, BookError> {
        Ok(self.named(slug).await?.0)
    }

    /// The history of a short name.
    ///
    /// # Errors
    /// [`BookError::NoMatch`], or the match cannot be read.
    pub async fn history_of(&self, slug: &str) -> Result<Arc<History>, BookError> {
        Ok(self.reading(slug).await?.0)
    }

    /// The history of a short name, and the turn of whoever reads it, to be kept until the page is made. Readers of matches
    /// that have to be folded take turns, in the order in which they came: nobody is kept waiting by who came later, and
    /// who plays waits for no reader. There is none where the history was folded before.
    ///
    /// # Errors
    /// [`BookError::NoMatch`], or the match cannot be read.
    pub(crate) async fn reading(&self, slug: &str) -> Result<(Arc<History>, Option<SemaphorePermit<'_>>), BookError> {
        let (match_id, head) = self.named(slug).await?;
        if let Some(kept) = self.kept_history(match_id, head) {
            return Ok((kept, None));
        }
        let turn = self.readers.turn().await;
        Ok((self.history_at(match_id, head).await?, turn))
    }

    /// The match of a short name, and its head.
    async fn named(&self, slug: &str) -> Result<(MatchId, Head), BookError> {
        let ids = ids_of(slug).ok_or(BookError::NoMatch)?;
        self.store.match_within(ids).await?.ok_or(BookError::NoMatch)
    }

    /// The entries of a match from a place on: what happened since somebody looked.
    ///
    /// # Errors
    /// The database, or an entry that cannot be read.
    pub async fn entries_since(&self, match_id: MatchId, from: Seq) -> Result<Vec<Entry>, BookError> {
        let stored = self.store.match_entries(match_id).await?;
        let since = stored.iter().filter(|entry| entry.seq >= from).map(|entry| Entry::read(&entry.bytes));
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
        self.fold_before(match_id, Seq(entries)).await
    }

    /// Folds the match from its first entry, with everything that the server knows.
    pub(super) async fn fold(&self, match_id: MatchId) -> Result<History, BookError> {
        self.fold_before(match_id, Seq(u32::MAX)).await
    }

    async fn fold_before(&self, match_id: MatchId, before: Seq) -> Result<History, BookError> {
        let (entries, leaves) = self.entries(match_id, before).await?;
        if entries.is_empty() {
            return Err(BookError::NoMatch);
        }
        let bodies = Body::read_all(&entries);
        let texts = self.texts(match_id).await?;
        let secrets = self.secrets(match_id, &entries, &bodies).await?;
        fold_read(self.origin(), &entries, bodies, &leaves, &texts, &secrets).map_err(BookError::Unreadable)
    }

    /// The entries of a match before a place, with their leaf hashes.
    pub(super) async fn entries(&self, match_id: MatchId, before: Seq) -> Result<(Vec<Entry>, Vec<Hash>), BookError> {
        let lines = self.store.match_lines(match_id, before).await?;
        let mut entries = Vec::with_capacity(lines.len());
        for line in &lines {
            entries.push(Entry::read(line).map_err(|error| BookError::Unreadable(error.to_string()))?);
        }
        Ok((entries, lines.iter().map(|line| leaf_hash(line)).collect()))
    }
}
