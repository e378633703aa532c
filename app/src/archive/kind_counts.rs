//! How often everybody sends each kind of move. Every player's page needs it, and it is the same on all of them: it is read
//! once for each version of the lists.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use super::{Archive, ArchiveVersion, Situation};
use crate::error::AppError;

/// The pairs of moves from which kinds are counted; the rest are too rare to change a share.
const PAIRS: i64 = 1_000;

pub type KindCounts = BTreeMap<String, BTreeMap<String, i64>>;

pub(crate) type CachedKindCounts = Option<(ArchiveVersion, BTreeMap<String, Arc<KindCounts>>)>;

impl Archive {
    pub async fn kind_counts(&self, ruleset: &str) -> Result<Arc<KindCounts>, AppError> {
        // The version first: then the counts are at least as new.
        let version = self.known_archive_version().await?;
        if let Some(counts) = self.kept_kind_counts(version, ruleset) {
            return Ok(counts);
        }
        let mut counts = KindCounts::new();
        for pair in self.pair_counts(ruleset, Situation::any(), None, PAIRS).await? {
            for sent in [pair.p1, pair.p2].into_iter().filter(|sent| !sent.is_empty()) {
                *counts.entry(pair.what.clone()).or_default().entry(sent).or_default() += pair.sum.n;
            }
        }
        let counts = Arc::new(counts);
        let mut kept = self.kind_counts.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, rulesets) = kept.take_if(|(at, _)| *at == version).unwrap_or_else(|| (version, BTreeMap::new()));
        let (_, rulesets) = kept.insert((version, rulesets));
        rulesets.insert(ruleset.to_owned(), counts.clone());
        Ok(counts)
    }

    fn kept_kind_counts(&self, version: ArchiveVersion, ruleset: &str) -> Option<Arc<KindCounts>> {
        let kept = self.kind_counts.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().filter(|(at, _)| *at == version).and_then(|(_, rulesets)| rulesets.get(ruleset).cloned())
    }
}
