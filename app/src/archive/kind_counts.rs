//! How often everybody sends each kind of move. Every player's page needs it, and it is the same on all of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Archive, Situation};
use crate::error::AppError;

/// The pairs of moves from which kinds are counted; the rest are too rare to change a share.
const PAIRS: i64 = 1_000;
/// About what a kind takes.
const KIND_BYTES: usize = 100;

pub type KindCounts = BTreeMap<String, BTreeMap<String, i64>>;

impl Archive {
    pub async fn kind_counts(&self, ruleset: &str) -> Result<Arc<KindCounts>, AppError> {
        let bytes = |counts: &KindCounts| counts.values().map(BTreeMap::len).sum::<usize>() * KIND_BYTES;
        self.read_once(format!("kinds of {ruleset}"), bytes, self.read_kind_counts(ruleset)).await
    }

    async fn read_kind_counts(&self, ruleset: &str) -> Result<KindCounts, AppError> {
        let mut counts = KindCounts::new();
        for pair in self.pair_counts(ruleset, Situation::any(), None, PAIRS).await? {
            for sent in [pair.p1, pair.p2].into_iter().filter(|sent| !sent.is_empty()) {
                *counts.entry(pair.what.clone()).or_default().entry(sent).or_default() += pair.n;
            }
        }
        Ok(counts)
    }
}
