//! The pages of matches as anybody sees them, kept as long as the history that they show.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use ledger::MatchId;
use lru::LruCache;
use record::History;

use crate::page::Answer;

/// Matches that are kept, of about 60 kB each.
const KEPT_MATCHES: NonZeroUsize = NonZeroUsize::new(500).unwrap();

/// Moments that are kept, of about 20 kB each.
const KEPT_MOMENTS: NonZeroUsize = NonZeroUsize::new(2_000).unwrap();

/// The pages that were rendered last.
#[derive(Debug)]
pub(super) struct Kept {
    matches: Pages<MatchId>,
    /// By match and place, such as `7b/after`.
    moments: Pages<(MatchId, String)>,
}

/// Pages, each with the history that it shows.
#[derive(Debug)]
struct Pages<K: Hash + Eq>(Mutex<LruCache<K, (Arc<History>, Answer)>>);

impl Default for Kept {
    fn default() -> Self {
        Self { matches: Pages::of(KEPT_MATCHES), moments: Pages::of(KEPT_MOMENTS) }
    }
}

impl Kept {
    /// The page of exactly this history. One that was folded anew, after an entry or a withdrawal, has none yet.
    pub(super) fn page(&self, history: &Arc<History>) -> Option<Answer> {
        self.matches.get(history, &history.match_id)
    }

    /// Keeps a page as anybody sees it.
    pub(super) fn keep(&self, history: &Arc<History>, answer: &Answer) {
        self.matches.put(history, history.match_id, answer);
    }

    /// The page of a moment of exactly this history.
    pub(super) fn moment(&self, history: &Arc<History>, place: &str) -> Option<Answer> {
        self.moments.get(history, &(history.match_id, place.to_owned()))
    }

    /// Keeps a moment's page as anybody sees it.
    pub(super) fn keep_moment(&self, history: &Arc<History>, place: String, answer: &Answer) {
        self.moments.put(history, (history.match_id, place), answer);
    }
}

impl<K: Hash + Eq> Pages<K> {
    fn of(most: NonZeroUsize) -> Self {
        Self(Mutex::new(LruCache::new(most)))
    }

    fn get(&self, history: &Arc<History>, key: &K) -> Option<Answer> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (shown, answer) = pages.get(key)?;
        Arc::ptr_eq(shown, history).then(|| answer.clone())
    }

    fn put(&self, history: &Arc<History>, key: K, answer: &Answer) {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.put(key, (history.clone(), answer.clone()));
    }
}
