//! A cache of so many bytes: what was not used lately goes first.

use std::fmt;
use std::hash::Hash;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

pub struct ByteCache<K, V>(Cache<K, (V, u64), Weight>);

#[derive(Clone)]
struct Weight;

const PLACE_BYTES: u64 = 200;

impl<K, V> Weighter<K, (V, u64)> for Weight {
    fn weight(&self, _: &K, (_, bytes): &(V, u64)) -> u64 {
        bytes.saturating_add(PLACE_BYTES)
    }
}

impl<K: Eq + Hash + Clone, V: Clone> ByteCache<K, V> {
    #[must_use]
    pub fn new(bytes: u64, each: u64) -> Self {
        let items = usize::try_from(bytes / each.max(1)).unwrap_or(usize::MAX);
        Self(Cache::with_weighter(items.max(1), bytes, Weight))
    }

    pub fn resize(&self, bytes: u64) {
        self.0.set_capacity(bytes);
    }

    pub fn get(&self, key: &K) -> Option<V> {
        self.0.get(key).map(|(value, _)| value)
    }

    pub fn put(&self, key: K, value: V, bytes: u64) {
        self.0.insert(key, (value, bytes));
    }

    pub fn remove(&self, key: &K) {
        self.0.remove(key);
    }

    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.weight()
    }
}

impl<K, V> fmt::Debug for ByteCache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByteCache(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_never_has_more_bytes_than_it_may() {
        let cache = ByteCache::new(50_000, 1_000);
        for n in 0..1_000 {
            cache.put(n, n, 1_000);
        }
        assert!((30_000..=50_000).contains(&cache.bytes()), "{}", cache.bytes());
        let kept = (0..1_000).filter(|n| cache.get(n) == Some(*n)).count() as u64;
        assert_eq!(kept * (1_000 + PLACE_BYTES), cache.bytes());
        cache.resize(10_000);
        assert!(cache.bytes() <= 10_000, "{}", cache.bytes());
        cache.put(7, 7, 100_000);
        assert_eq!(cache.get(&7), None, "what is larger than all of it is not kept");
    }
}
