//! The pages of matches as anybody sees them, kept as long as the history that they show.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use ledger::MatchId;
use lru::LruCache;
use record::History;

use crate::page::Answer;

/// Pages that are kept, of about 60 kB each.
const KEPT_PAGES: NonZeroUsize = NonZeroUsize::new(500).unwrap();

/// The pages that were rendered last.
#[derive(Debug)]
pub(super) struct Kept(Mutex<LruCache<MatchId, (Arc<History>, Answer)>>);

impl Default for Kept {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(KEPT_PAGES)))
    }
}

impl Kept {
    /// The page of exactly this history. One that was folded anew, after an entry or a withdrawal, has none yet.
    pub(super) fn page(&self, history: &Arc<History>) -> Option<Answer> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (shown, answer) = pages.get(&history.match_id)?;
        Arc::ptr_eq(shown, history).then(|| answer.clone())
    }

    /// Keeps a page as anybody sees it.
    pub(super) fn keep(&self, history: &Arc<History>, answer: &Answer) {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.put(history.match_id, (history.clone(), answer.clone()));
    }
}
