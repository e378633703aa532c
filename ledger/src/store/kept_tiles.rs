//! Full tiles in memory. They never change, so that one which was read once need not be read again.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;

use super::Store;
use crate::hash::Hash;
use crate::tile::{TILE_WIDTH, TileId};

/// 8 kB each.
const KEPT: NonZeroUsize = NonZeroUsize::MIN.saturating_add(2_047);

type ByPlace = LruCache<(u8, u64), Arc<[Hash]>>;

/// The tiles that were asked for last. Clones share them.
#[derive(Clone)]
pub(super) struct KeptTiles(Arc<Mutex<ByPlace>>);

impl Default for KeptTiles {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(LruCache::new(KEPT))))
    }
}

impl fmt::Debug for KeptTiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeptTiles(..)")
    }
}

impl Store {
    /// The hashes of a span, where its tile was read before.
    pub(super) fn kept(&self, span: TileId) -> Option<Vec<Hash>> {
        let KeptTiles(kept) = self.kept_tiles.as_ref()?;
        let tile = kept.lock().unwrap_or_else(PoisonError::into_inner).get(&(span.level.get(), span.index.0)).cloned();
        tile?.get(..usize::from(span.width.get())).map(<[Hash]>::to_vec)
    }

    /// Keeps a full tile.
    pub(super) fn keep(&self, level: u8, index: u64, hashes: &[Hash]) {
        if let Some(KeptTiles(kept)) = &self.kept_tiles
            && hashes.len() == usize::from(TILE_WIDTH)
        {
            kept.lock().unwrap_or_else(PoisonError::into_inner).put((level, index), hashes.into());
        }
    }
}
