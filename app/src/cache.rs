//! Caches of so many bytes: what was not used lately goes first. One is for what was derived from matches, by match; one
//! for what was read from the lists, by their version. Each has a share of the memory that the operator sets.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use ledger::MatchId;
use quick_cache::Weighter;
use quick_cache::sync;

use crate::slug::{ids_like, ids_of};

/// The place of what was derived from a match: the first of the ids with its short name, and a word for what it is. Whoever
/// reads it compares the version that it was derived from.
pub type MatchPlace = (MatchId, Cow<'static, str>);

#[must_use]
pub fn place_of(match_id: MatchId, what: impl Into<Cow<'static, str>>) -> MatchPlace {
    (*ids_like(match_id).start(), what.into())
}

/// The same by the short name; none where that is no match's.
#[must_use]
pub fn place_of_slug(slug: &str, what: impl Into<Cow<'static, str>>) -> Option<MatchPlace> {
    Some((*ids_of(slug)?.start(), what.into()))
}

pub struct Cache<K>(sync::Cache<K, Kept, Weight>);

#[derive(Clone)]
struct Kept {
    value: Arc<dyn Any + Send + Sync>,
    bytes: u64,
}

#[derive(Clone)]
struct Weight;

const PLACE_BYTES: u64 = 200;
const EACH_BYTES: u64 = 16 * 1024;

impl<K> Weighter<K, Kept> for Weight {
    fn weight(&self, _: &K, kept: &Kept) -> u64 {
        kept.bytes.saturating_add(PLACE_BYTES)
    }
}

impl Kept {
    fn new<V: Any + Send + Sync>(value: V, bytes: u64) -> Self {
        Self { value: Arc::new(value), bytes }
    }

    fn value<V: Any + Clone>(&self) -> Option<V> {
        self.value.downcast_ref().cloned()
    }
}

impl<K: Eq + Hash + Clone> Cache<K> {
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let items = usize::try_from(bytes / EACH_BYTES).unwrap_or(usize::MAX);
        Self(sync::Cache::with_weighter(items.max(1), bytes, Weight))
    }

    pub fn resize(&self, bytes: u64) {
        self.0.set_capacity(bytes);
    }

    pub fn get<V: Any + Clone>(&self, key: &K) -> Option<V> {
        self.0.get(key)?.value()
    }

    pub fn put<V: Any + Send + Sync>(&self, key: K, value: V, bytes: u64) {
        self.0.insert(key, Kept::new(value, bytes));
    }

    /// What is kept, or what is made now, with its bytes. Whoever asks for it meanwhile waits for it.
    pub async fn get_or_make<V: Any + Clone + Send + Sync, E>(
        &self,
        key: &K,
        make: impl Future<Output = Result<(V, u64), E>>,
    ) -> Result<V, E> {
        let place = self.0.get_value_or_guard_async(key).await;
        if let Some(value) = place.as_ref().ok().and_then(Kept::value) {
            return Ok(value);
        }
        let (value, bytes) = make.await?;
        if let Err(place) = place {
            // It fails only if the place was removed meanwhile, and nothing removes it.
            drop(place.insert(Kept::new(value.clone(), bytes)));
        }
        Ok(value)
    }

    pub fn remove(&self, key: &K) {
        self.0.remove(key);
    }

    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.weight()
    }
}

impl<K> fmt::Debug for Cache<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cache(..)")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheSize(u64);

impl CacheSize {
    pub const DEFAULT_MEGABYTES: u32 = 256;

    #[must_use]
    pub const fn of_megabytes(megabytes: u32) -> Self {
        Self((megabytes as u64) << 20)
    }

    #[must_use]
    pub const fn matches(self) -> u64 {
        self.0 / 16 * 12
    }

    #[must_use]
    pub const fn lists(self) -> u64 {
        self.0 / 16 * 2
    }

    #[must_use]
    pub const fn compressed(self) -> u64 {
        self.0 / 16
    }

    #[must_use]
    pub const fn tiles(self) -> u64 {
        self.0 / 16
    }
}

impl Default for CacheSize {
    fn default() -> Self {
        Self::of_megabytes(Self::DEFAULT_MEGABYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_never_has_more_bytes_than_it_may() {
        let cache = Cache::new(50_000);
        for n in 0..1_000 {
            cache.put(n, n, 1_000);
        }
        assert!((30_000..=50_000).contains(&cache.bytes()), "{}", cache.bytes());
        let kept = (0..1_000).filter(|n| cache.get(n) == Some(*n)).count() as u64;
        assert_eq!(kept * (1_000 + PLACE_BYTES), cache.bytes());
        cache.resize(10_000);
        assert!(cache.bytes() <= 10_000, "{}", cache.bytes());
        cache.put(7, 7, 100_000);
        assert_eq!(cache.get::<i32>(&7), None, "what is larger than all of it is not kept");
    }

    #[test]
    fn the_shares_are_the_whole() {
        let size = CacheSize::default();
        let shares = [size.matches(), size.lists(), size.compressed(), size.tiles()];
        assert_eq!(shares.iter().sum::<u64>(), size.0);
    }
}
