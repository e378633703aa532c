//! A cache of full tiles. They never change, so a tile needs to be read only once.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use ledger::tile::Pyramid;
use lru::LruCache;

use super::Store;

const TILE_BYTES: u64 = 16 * 1024;
const TILES: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1_023);

type ByPlace = LruCache<(u8, u64), Arc<Pyramid>>;

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
    pub(super) fn cached_tile(&self, place: (u8, u64)) -> Option<Arc<Pyramid>> {
        let TileCache(tiles) = self.tile_cache.as_ref()?;
        tiles.lock().unwrap_or_else(PoisonError::into_inner).get(&place).cloned()
    }

    pub fn resize_tile_cache(&self, bytes: u64) {
        let tiles = usize::try_from(bytes / TILE_BYTES).ok().and_then(NonZeroUsize::new).unwrap_or(NonZeroUsize::MIN);
        if let Some(TileCache(cached)) = &self.tile_cache {
            cached.lock().unwrap_or_else(PoisonError::into_inner).resize(tiles);
        }
    }

    pub(super) fn cache_tile(&self, place: (u8, u64), tile: &Arc<Pyramid>) {
        if let Some(TileCache(tiles)) = &self.tile_cache {
            tiles.lock().unwrap_or_else(PoisonError::into_inner).put(place, tile.clone());
        }
    }
}
