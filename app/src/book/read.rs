//! Histories, folded once for each head.

use std::ops::RangeInclusive;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use ledger::{Commitment, Entry, Hash, Head, MatchId, Seq, leaf_hash};
use record::body::Body;
use record::{Bundle, History, Text, Texts, fold_read};
use store::Store;
use tokio::sync::SemaphorePermit;

use super::slug::{ids_like, ids_of};
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
        let ids = ids_like(match_id);
        match self.kept_history(&ids).filter(|kept| (kept.match_id, kept.head) == (match_id, head)) {
            Some(kept) => Ok(kept),
            None => {
                let before = self.forgotten.load(Ordering::SeqCst);
                let history = self.fold(match_id).await?;
                Ok(self.keep_history(&ids, history, before))
            }
        }
    }

    /// The history that is kept for the short name which these ids have: as the match stood when it was folded.
    fn kept_history(&self, ids: &RangeInclusive<MatchId>) -> Option<Arc<History>> {
        self.folded.lock().unwrap_or_else(PoisonError::into_inner).get(ids.start()).cloned()
    }

    /// Keeps a history that was read since so many matches were forgotten. Words may have been withdrawn while it was read:
    /// then it is not kept.
    fn keep_history(&self, ids: &RangeInclusive<MatchId>, history: History, before: u64) -> Arc<History> {
        let history = Arc::new(history);
        self.watch(&history);
        let mut folded = self.folded.lock().unwrap_or_else(PoisonError::into_inner);
        if self.forgotten.load(Ordering::SeqCst) == before {
            folded.put(*ids.start(), history.clone());
        }
        history
    }

    /// The match of a short name.
    ///
    /// # Errors
    /// [`BookError::NoMatch`].
    pub async fn match_of(&self, slug: &str) -> Result<MatchId, BookError> {
        let ids = ids_of(slug).ok_or(BookError::NoMatch)?;
        self.store.match_within(ids).await?.ok_or(BookError::NoMatch)
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
    pub async fn reading(&self, slug: &str) -> Result<(Arc<History>, Option<SemaphorePermit<'_>>), BookError> {
        let ids = ids_of(slug).ok_or(BookError::NoMatch)?;
        if let Some(kept) = self.standing_history(&ids).await? {
            return Ok((kept, None));
        }
        let turn = self.readers.turn().await;
        // Who came before may have read the same.
        if let Some(kept) = self.standing_history(&ids).await? {
            return Ok((kept, None));
        }
        let before = self.forgotten.load(Ordering::SeqCst);
        let history = self.fold_before(&self.reading_store, ids.clone(), Seq(u32::MAX)).await?;
        Ok((self.keep_history(&ids, history, before), turn))
    }

    /// The history of a match for one of many files: read in turn as well, and kept only where it was kept before, so that
    /// whoever takes all matches does not push out those that people look at.
    ///
    /// # Errors
    /// [`BookError::NoMatch`], or the match cannot be read.
    pub async fn history_once(&self, match_id: MatchId) -> Result<Arc<History>, BookError> {
        let kept = self.standing_history(&ids_like(match_id)).await?;
        if let Some(kept) = kept.filter(|kept| kept.match_id == match_id) {
            return Ok(kept);
        }
        let _turn = self.readers.turn().await;
        Ok(Arc::new(self.history_up_to(match_id, u32::MAX).await?))
    }

    /// A turn of those who have matches read, to be kept while one is checked or written to a file.
    pub async fn turn_to_read(&self) -> Option<SemaphorePermit<'_>> {
        self.readers.turn().await
    }

    /// The history that is kept, where nothing came since. What is not kept is not asked for.
    async fn standing_history(&self, ids: &RangeInclusive<MatchId>) -> Result<Option<Arc<History>>, BookError> {
        let Some(kept) = self.kept_history(ids) else { return Ok(None) };
        Ok((self.reading_store.match_head(kept.match_id).await? == Some(kept.head)).then_some(kept))
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
        let stored = self.reading_store.match_entries(match_id).await?;
        let last = stored.last().ok_or(BookError::NoMatch)?;
        let head = Head { next: Seq(last.seq.0.saturating_add(1)), leaf: last.leaf };
        let mut texts = by_commitment(self.reading_store.texts(match_id).await?);
        let logged = self.logged(&stored).await?;
        let lines: Vec<Vec<u8>> = stored.into_iter().map(|entry| entry.bytes).collect();
        // Words that came with a later entry meanwhile are not this file's.
        texts.retain(|commitment, _| is_named(&lines, *commitment));
        Ok(Bundle { origin: self.origin().clone(), match_id, lines, head, texts, logged })
    }

    async fn head(&self, match_id: MatchId) -> Result<Option<Head>, BookError> {
        Ok(self.store.match_head(match_id).await?)
    }

    /// A match's history as it was after so many entries; the words in it are those that still exist.
    ///
    /// # Errors
    /// As [`Book::history`].
    pub async fn history_up_to(&self, match_id: MatchId, entries: u32) -> Result<History, BookError> {
        self.fold_before(&self.reading_store, match_id..=match_id, Seq(entries)).await
    }

    /// Folds the match from its first entry, with everything that the server knows.
    pub(super) async fn fold(&self, match_id: MatchId) -> Result<History, BookError> {
        self.fold_before(&self.store, match_id..=match_id, Seq(u32::MAX)).await
    }

    async fn fold_before(
        &self,
        store: &Store,
        ids: RangeInclusive<MatchId>,
        before: Seq,
    ) -> Result<History, BookError> {
        let (lines, texts) = store.match_written(ids, before).await?;
        let (entries, leaves) = read(&lines)?;
        let match_id = entries.first().ok_or(BookError::NoMatch)?.match_id;
        let (bodies, texts) = (Body::read_all(&entries), by_commitment(texts));
        let secrets = self.escrowed(match_id, &entries, &bodies).await?;
        fold_read(self.origin(), &entries, bodies, &leaves, &texts, &secrets).map_err(BookError::Unreadable)
    }

    /// The entries of a match.
    pub(super) async fn entries(&self, match_id: MatchId) -> Result<Vec<Entry>, BookError> {
        let (lines, _) = self.store.match_written(match_id..=match_id, Seq(u32::MAX)).await?;
        Ok(read(&lines)?.0)
    }
}

/// Entries, with their leaf hashes.
fn read(lines: &[Vec<u8>]) -> Result<(Vec<Entry>, Vec<Hash>), BookError> {
    let mut entries = Vec::with_capacity(lines.len());
    for line in lines {
        entries.push(Entry::read(line).map_err(|error| BookError::Unreadable(error.to_string()))?);
    }
    Ok((entries, lines.iter().map(|line| leaf_hash(line)).collect()))
}

/// Whether one of these entries has the commitment in it. Words are mostly the first one's.
fn is_named(lines: &[Vec<u8>], commitment: Commitment) -> bool {
    let named = commitment.to_string();
    lines.iter().any(|line| std::str::from_utf8(line).is_ok_and(|line| line.contains(&named)))
}

fn by_commitment(texts: Vec<store::Text>) -> Texts {
    texts.into_iter().map(|text| (text.commitment, Text { key: text.key, text: text.text })).collect()
}
