//! What is kept of matches, and when it is forgotten.

use std::array;
use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::Seat;
use ledger::{DecisionId, Hash, Head, MatchId, TreeSize};
use lru::LruCache;
use record::History;
use record::verify::Report;
use store::Ordinal;

use crate::cache::{Cache, CacheSize, MatchPlace, place_of};
use crate::slug::ids_like;

/// A folded history takes at most this many times the bytes of its entries (`record/tests/record/memory.rs`).
const FOLDED_FACTOR: u64 = 3;
const HISTORY_MIN_BYTES: u64 = 4 * 1024;
/// A verification takes about so much.
const REPORT_BYTES: u64 = 3 * 1024;
/// The number of kept hashes of last receipts: about 200 bytes each.
const RECEIPTS: NonZeroUsize = NonZeroUsize::new(20_000).unwrap();

const HISTORY: Cow<'static, str> = Cow::Borrowed("history");
const REPORT: Cow<'static, str> = Cow::Borrowed("report");

#[derive(Clone, Debug)]
pub(crate) struct CachedHistory {
    pub(crate) history: Arc<History>,
    pub(crate) entries_bytes: u64,
}

/// A verification: the head and the SHA-256 of the bundle that it is of.
#[derive(Clone, Debug)]
pub(crate) struct CachedReport {
    pub(crate) head: Head,
    pub(crate) bundle_hash: [u8; 32],
    /// The size of the newest tree that satisfied the site's policy.
    pub(crate) satisfying: TreeSize,
    pub(crate) report: Arc<Report>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct LastReceipt {
    pub(crate) ordinal: Ordinal,
    pub(crate) hash: Hash,
}

/// Matches share so many counts of how often they were forgotten: one that is forgotten costs few others their pages.
const FORGET_COUNTS: usize = 61;

/// The number of times that a match, or another one with the same count, was forgotten. What was read before the last time
/// is as old as that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ForgetCount(u64);

#[derive(Debug)]
pub(crate) struct Caches {
    matches: Arc<Cache<MatchPlace>>,
    /// A receipt follows the one before, and no version of the match: so these are apart.
    receipts: Mutex<LruCache<(MatchId, DecisionId, Seat), LastReceipt>>,
    /// By match. Whoever keeps or forgets a history has the lock meanwhile, so that nothing older than a count is kept.
    forgotten: [Mutex<ForgetCount>; FORGET_COUNTS],
    size: Mutex<CacheSize>,
}

impl Default for Caches {
    fn default() -> Self {
        Self::new(CacheSize::default())
    }
}

impl Caches {
    fn new(size: CacheSize) -> Self {
        Self {
            size: Mutex::new(size),
            matches: Arc::new(Cache::new(size.matches())),
            receipts: Mutex::new(LruCache::new(RECEIPTS)),
            forgotten: array::from_fn(|_| Mutex::new(ForgetCount(0))),
        }
    }

    pub(crate) fn size(&self) -> CacheSize {
        *self.size.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn resize(&self, size: CacheSize) {
        *self.size.lock().unwrap_or_else(PoisonError::into_inner) = size;
        self.matches.resize(size.matches());
    }

    pub(crate) const fn matches(&self) -> &Arc<Cache<MatchPlace>> {
        &self.matches
    }

    pub(crate) fn forgotten(&self, match_id: MatchId) -> ForgetCount {
        *self.forget_count(match_id)
    }

    fn forget_count(&self, match_id: MatchId) -> MutexGuard<'_, ForgetCount> {
        // Matches with one short name are one place here.
        let slot = ids_like(match_id).start().0.as_u128() % FORGET_COUNTS as u128;
        let count = usize::try_from(slot).ok().and_then(|slot| self.forgotten.get(slot)).unwrap_or(&self.forgotten[0]);
        count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cached history of the match whose short name has this first id: as the match stood when it was folded.
    pub(crate) fn history(&self, first_id: MatchId) -> Option<Arc<History>> {
        self.matches.get(&(first_id, HISTORY))
    }

    /// Keeps a history that was read after `before`. Words may have been withdrawn while it was read: then it is not
    /// kept.
    pub(crate) fn keep_history(&self, first_id: MatchId, cached: CachedHistory, before: ForgetCount) {
        let count = self.forget_count(first_id);
        if *count == before {
            let bytes = cached.entries_bytes.saturating_mul(FOLDED_FACTOR).max(HISTORY_MIN_BYTES);
            self.matches.put((first_id, HISTORY), cached.history, bytes);
        }
    }

    pub(crate) fn report(&self, match_id: MatchId) -> Option<CachedReport> {
        self.matches.get(&place_of(match_id, REPORT))
    }

    pub(crate) fn keep_report(&self, match_id: MatchId, report: CachedReport) {
        self.matches.put(place_of(match_id, REPORT), report, REPORT_BYTES);
    }

    pub(crate) fn receipt(&self, place: &(MatchId, DecisionId, Seat)) -> Option<LastReceipt> {
        self.receipts.lock().unwrap_or_else(PoisonError::into_inner).get(place).copied()
    }

    pub(crate) fn keep_receipt(&self, place: (MatchId, DecisionId, Seat), last: LastReceipt) {
        self.receipts.lock().unwrap_or_else(PoisonError::into_inner).put(place, last);
    }

    pub(crate) fn forget_receipts(&self) {
        self.receipts.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub(crate) fn forget(&self, match_id: MatchId) {
        let mut count = self.forget_count(match_id);
        count.0 += 1;
        self.evict(match_id);
    }

    /// Makes room: the match is read again when somebody asks for it.
    pub(crate) fn evict(&self, match_id: MatchId) {
        for what in [HISTORY, REPORT] {
            self.matches.remove(&place_of(match_id, what));
        }
    }
}

#[cfg(test)]
mod tests {
    use ledger::{Author, Entry, Moment, Seq, leaf_hash};
    use record::write::{self, NewMatch, WriteContext};
    use record::{Secrets, Texts, fold};
    use uuid::Uuid;

    use super::*;

    /// A match that was just opened.
    fn opened() -> Arc<History> {
        let (origin, match_id) = ("localhost/matchbook-0123abcd".parse().unwrap(), MatchId(Uuid::from_u128(1)));
        let setup = engine::Setup { ruleset: "five-card-trick/dm-colosseum-2".to_owned(), ..engine::Setup::default() };
        let names = engine::BySeat { p1: "Ada".to_owned(), p2: "Bo".to_owned() };
        let new = NewMatch { setup, names, ..NewMatch::default() };
        let mut entropy = || [7; 32];
        let at = Moment::MIN;
        let (by, waiting) = (Author::Server, &write::NO_KEYS);
        let mut context = WriteContext { origin: &origin, match_id, by, at, waiting, entropy: &mut entropy };
        let written = write::open(&mut context, &new).unwrap();
        let mut head = Head::GENESIS;
        let mut lines = Vec::new();
        for draft in written.drafts {
            let line = draft.write(match_id, head.next, head.leaf).unwrap();
            head = Head { next: Seq(head.next.0 + 1), leaf: line.leaf() };
            lines.push(line.into_bytes());
        }
        let entries: Vec<Entry> = lines.iter().map(|line| Entry::read(line).unwrap()).collect();
        let leaves: Vec<Hash> = lines.iter().map(|line| leaf_hash(line)).collect();
        Arc::new(fold(&origin, &entries, &leaves, &Texts::new(), &Secrets::new()).unwrap())
    }

    #[test]
    fn histories_are_kept_within_a_number_of_bytes() {
        let history = opened();
        let kept_of = |entries_bytes: u64, count: u128| {
            let caches = Caches::default();
            let ids: Vec<MatchId> = (0..count).map(|n| MatchId(Uuid::from_u128(n << 64))).collect();
            for id in &ids {
                let cached = CachedHistory { history: history.clone(), entries_bytes };
                caches.keep_history(*id, cached, caches.forgotten(*id));
            }
            ids.iter().filter(|id| caches.history(**id).is_some()).count() as u64
        };
        assert_eq!(kept_of(15_000, 100), 100, "small ones have room");
        let large = 256 * 1024;
        let kept = kept_of(large, 1_000);
        assert!(
            kept > 0 && kept * large * FOLDED_FACTOR <= CacheSize::default().matches(),
            "{kept} large ones are kept"
        );
    }
}
