//! Histories, folded once for each head.

use std::ops::RangeInclusive;
use std::sync::Arc;

use ledger::{Entry, Hash, Head, MatchId, Seq, leaf_hash};
use record::body::Body;
use record::{History, Secrets, Text, Texts, fold_read};
use store::Store;
use tokio::sync::SemaphorePermit;

use super::Matches;
use crate::cache::{Cache, CacheSize, MatchPlace};
use crate::caches::{CachedHistory, ForgetCount};
use crate::error::AppError;
use crate::scope::is_practice;
use crate::slug::{ids_like, ids_of};

/// A version of a match. What was drawn from it is right until the match gets an entry, or words are withdrawn from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchVersion {
    match_id: MatchId,
    head: Head,
    forgotten: ForgetCount,
}

impl MatchVersion {
    #[must_use]
    pub const fn match_id(&self) -> MatchId {
        self.match_id
    }

    #[must_use]
    pub const fn head(&self) -> Head {
        self.head
    }
}

impl Matches {
    /// A match's history, as it stands now. It knows what is still sealed, so that states can be shown: a page must
    /// show each viewer only what they may see.
    pub async fn history(&self, match_id: MatchId) -> Result<Arc<History>, AppError> {
        let head = self.logs.store(match_id).match_head(match_id).await?.ok_or(AppError::NoMatch)?;
        self.history_at(match_id, head).await
    }

    /// A match's history with this head, which was just looked up; a later one if entries came meanwhile.
    pub async fn history_at(&self, match_id: MatchId, head: Head) -> Result<Arc<History>, AppError> {
        let ids = ids_like(match_id);
        let cached = self.caches.history(*ids.start());
        match cached.filter(|cached| (cached.match_id, cached.head) == (match_id, head)) {
            Some(cached) => Ok(cached),
            None => {
                let before = self.caches.forgotten(match_id);
                let folded = self.fold(self.logs.store(match_id), match_id..=match_id, Seq(u32::MAX)).await?;
                Ok(self.keep(&ids, folded, before))
            }
        }
    }

    fn keep(&self, ids: &RangeInclusive<MatchId>, folded: CachedHistory, before: ForgetCount) -> Arc<History> {
        let history = folded.history.clone();
        self.due.watch(&history);
        self.caches.keep_history(*ids.start(), folded, before);
        history
    }

    pub async fn match_of(&self, slug: &str) -> Result<MatchId, AppError> {
        let ids = ids_of(slug).ok_or(AppError::NoMatch)?;
        self.logs.store(*ids.start()).match_within(ids).await?.ok_or(AppError::NoMatch)
    }

    /// The match of the record with a short name: practice has none here. For places whose address does not say that
    /// they may be about practice.
    pub async fn recorded_match_of(&self, slug: &str) -> Result<MatchId, AppError> {
        if is_practice(slug) { Err(AppError::NoMatch) } else { self.match_of(slug).await }
    }

    pub async fn recorded_history_of(&self, slug: &str) -> Result<Arc<History>, AppError> {
        if is_practice(slug) { Err(AppError::NoMatch) } else { self.history_of(slug).await }
    }

    pub async fn history_of(&self, slug: &str) -> Result<Arc<History>, AppError> {
        let ids = ids_of(slug).ok_or(AppError::NoMatch)?;
        Ok(self.reading(ids).await?.0)
    }

    /// The history of a short name with its version, and the reader's turn, to be held until the page is made.
    pub async fn versioned(
        &self,
        slug: &str,
    ) -> Result<(Arc<History>, MatchVersion, Option<SemaphorePermit<'_>>), AppError> {
        let ids = ids_of(slug).ok_or(AppError::NoMatch)?;
        // The count first: then the history is at least as new.
        let forgotten = self.caches.forgotten(*ids.start());
        let (history, turn) = self.reading(ids).await?;
        let version = MatchVersion { match_id: history.match_id, head: history.head, forgotten };
        Ok((history, version, turn))
    }

    pub async fn is_current(&self, version: &MatchVersion) -> Result<bool, AppError> {
        let MatchVersion { match_id, head, forgotten } = *version;
        let known = self.caches.forgotten(match_id) == forgotten;
        Ok(known && self.logs.reading_store(match_id).match_head(match_id).await? == Some(head))
    }

    /// Readers of matches that have to be folded take turns in order of arrival, so that later readers never delay earlier
    /// ones, and players wait for no reader. There is no turn if the history was cached.
    async fn reading(
        &self,
        ids: RangeInclusive<MatchId>,
    ) -> Result<(Arc<History>, Option<SemaphorePermit<'_>>), AppError> {
        if let Some(current) = self.current(&ids).await? {
            return Ok((current, None));
        }
        let turn = self.readers.turn().await;
        // An earlier reader may have folded the same match.
        if let Some(current) = self.current(&ids).await? {
            return Ok((current, None));
        }
        let before = self.caches.forgotten(*ids.start());
        let folded = self.fold(self.logs.reading_store(*ids.start()), ids.clone(), Seq(u32::MAX)).await?;
        Ok((self.keep(&ids, folded, before), turn))
    }

    /// The history of a match for one of many files. It takes a turn as well, and is not cached, so that a reader of all
    /// matches does not evict those that people look at.
    pub async fn history_once(&self, match_id: MatchId) -> Result<Arc<History>, AppError> {
        let current = self.current(&ids_like(match_id)).await?;
        if let Some(current) = current.filter(|current| current.match_id == match_id) {
            return Ok(current);
        }
        let _turn = self.readers.turn().await;
        Ok(Arc::new(self.history_up_to(match_id, u32::MAX).await?))
    }

    pub async fn turn_to_read(&self) -> Option<SemaphorePermit<'_>> {
        self.readers.turn().await
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.readers.is_idle()
    }

    /// The cached history, if nothing came since. The database is not asked about a match that is not cached.
    async fn current(&self, ids: &RangeInclusive<MatchId>) -> Result<Option<Arc<History>>, AppError> {
        let Some(cached) = self.caches.history(*ids.start()) else { return Ok(None) };
        let head = self.logs.reading_store(cached.match_id).match_head(cached.match_id).await?;
        Ok((head == Some(cached.head)).then_some(cached))
    }

    pub async fn entries_since(&self, match_id: MatchId, from: Seq) -> Result<Vec<Entry>, AppError> {
        let stored = self.logs.store(match_id).match_entries_since(match_id, from).await?;
        let since = stored.iter().map(|entry| Entry::read(&entry.bytes));
        since.collect::<Result<_, _>>().map_err(|error| AppError::Unreadable(error.to_string()))
    }

    pub async fn history_up_to(&self, match_id: MatchId, entries: u32) -> Result<History, AppError> {
        let folded = self.fold(self.logs.reading_store(match_id), match_id..=match_id, Seq(entries)).await?;
        Ok(Arc::unwrap_or_clone(folded.history))
    }

    async fn fold(&self, store: &Store, ids: RangeInclusive<MatchId>, before: Seq) -> Result<CachedHistory, AppError> {
        let (lines, texts) = store.match_written(ids, before).await?;
        let written = Written::read(&lines)?;
        let secrets = self.escrowed(written.match_id, &written.entries, &written.bodies).await?;
        self.fold_written(written, texts, &secrets)
    }

    fn fold_written(
        &self,
        written: Written,
        texts: Vec<store::Text>,
        secrets: &Secrets,
    ) -> Result<CachedHistory, AppError> {
        let Written { match_id, entries, leaves, bodies, bytes } = written;
        let (origin, texts) = (self.logs.origin(match_id), by_commitment(texts));
        let history = fold_read(origin, &entries, bodies, &leaves, &texts, secrets).map_err(AppError::Unreadable)?;
        Ok(CachedHistory { history: Arc::new(history), entries_bytes: bytes })
    }

    pub(crate) async fn with_secrets(&self, match_id: MatchId) -> Result<(Arc<History>, Secrets), AppError> {
        let before = self.caches.forgotten(match_id);
        let (lines, texts) = self.logs.store(match_id).match_written(match_id..=match_id, Seq(u32::MAX)).await?;
        let written = Written::read(&lines)?;
        let mut secrets = self.escrowed(match_id, &written.entries, &written.bodies).await?;
        let public = record::openings(written.bodies.iter().flatten());
        let folded = self.fold_written(written, texts, &secrets)?;
        secrets.extend(public);
        Ok((self.keep(&ids_like(match_id), folded, before), secrets))
    }

    pub(crate) async fn entries(&self, match_id: MatchId) -> Result<Vec<Entry>, AppError> {
        let (lines, _) = self.logs.store(match_id).match_written(match_id..=match_id, Seq(u32::MAX)).await?;
        Ok(read(&lines)?.0)
    }

    pub fn forget(&self, match_id: MatchId) {
        self.caches.forget(match_id);
        self.feed.gone(match_id);
    }

    /// What was derived from matches, for whoever draws from them.
    #[must_use]
    pub fn cache(&self) -> Arc<Cache<MatchPlace>> {
        self.caches.matches().clone()
    }

    pub(crate) fn cache_size(&self) -> CacheSize {
        self.caches.size()
    }

    pub(crate) fn set_cache_size(&self, size: CacheSize) {
        self.caches.resize(size);
    }

    pub fn evict(&self, match_id: MatchId) {
        self.caches.evict(match_id);
    }
}

struct Written {
    match_id: MatchId,
    entries: Vec<Entry>,
    leaves: Vec<Hash>,
    bodies: Vec<Result<Body, String>>,
    bytes: u64,
}

impl Written {
    fn read(lines: &[Vec<u8>]) -> Result<Self, AppError> {
        let bytes = lines.iter().map(Vec::len).sum::<usize>() as u64;
        let (entries, leaves) = read(lines)?;
        // The chain of a registered player has such an id too, and is no match.
        let first = entries.first().filter(|first| !first.kind.is_of_player());
        let match_id = first.ok_or(AppError::NoMatch)?.match_id;
        let bodies = Body::read_all(&entries);
        Ok(Self { match_id, entries, leaves, bodies, bytes })
    }
}

fn read(lines: &[Vec<u8>]) -> Result<(Vec<Entry>, Vec<Hash>), AppError> {
    let mut entries = Vec::with_capacity(lines.len());
    for line in lines {
        entries.push(Entry::read(line).map_err(|error| AppError::Unreadable(error.to_string()))?);
    }
    Ok((entries, lines.iter().map(|line| leaf_hash(line)).collect()))
}

pub(crate) fn by_commitment(texts: Vec<store::Text>) -> Texts {
    texts.into_iter().map(|text| (text.commitment, Text { key: text.key, text: text.text })).collect()
}
