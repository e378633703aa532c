//! A cache of full tiles. They never change, so a tile needs to be read only once.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use ledger::tile::Pyramid;
use lru::LruCache;

use super::Store;

/// The bytes of a tile: its hashes, and those that they come to.
const TILE_BYTES: u64 = 16 * 1024;
/// The number of tiles in the cache, where nobody says another size.
const TILES: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1_023);

type ByPlace = LruCache<(u8, u64), Arc<Pyramid>>;

/// The most recently used tiles. Clones share them.
#[derive(Clone)]
pub(super) struct TileCache(Arc<Mutex<ByPlace>>);

impl Default for TileCache {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(LruCache::new(TILES))))
    }
}

impl fmt::Debug for TileCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TileCache(..)")
    }
}

impl Store {
    /// The cached full tile with this level and index.
    pub(super) fn cached_tile(&self, place: (u8, u64)) -> Option<Arc<Pyramid>> {
        let TileCache(tiles) = self.tile_cache.as_ref()?;
        tiles.lock().unwrap_or_else(PoisonError::into_inner).get(&place).cloned()
    }

    /// Lets the cache have so many bytes from now on.
    pub fn resize_tile_cache(&self, bytes: u64) {
        let tiles = usize::try_from(bytes / TILE_BYTES).ok().and_then(NonZeroUsize::new).unwrap_or(NonZeroUsize::MIN);
        if let Some(TileCache(cached)) = &self.tile_cache {
            cached.lock().unwrap_or_else(PoisonError::into_inner).resize(tiles);
        }
    }

    /// Caches a full tile.
    pub(super) fn cache_tile(&self, place: (u8, u64), tile: &Arc<Pyramid>) {
        if let Some(TileCache(tiles)) = &self.tile_cache {
            tiles.lock().unwrap_or_else(PoisonError::into_inner).put(place, tile.clone());
        }
    }
}
