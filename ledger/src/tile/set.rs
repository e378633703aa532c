//! Several tiles at once, as a source for roots and proofs.

use std::collections::{BTreeMap, BTreeSet};

use super::{Tile, TileId, TileIndex, TileLevel};
use crate::hash::Hash;
use crate::id::TreeSize;
use crate::proof::{Subtree, Subtrees};

/// Fetched tiles. Of several widths of a tile the widest is stored. Nothing proves yet that they are those of a log:
/// their [`root`](crate::proof::root) must be that of a signed checkpoint.
#[derive(Debug, Clone, Default)]
pub struct TileSet {
    tiles: BTreeMap<(TileLevel, TileIndex), Tile>,
}

impl TileSet {
    /// No tiles.
    #[must_use]
    pub const fn new() -> Self {
        Self { tiles: BTreeMap::new() }
    }

    /// Adds a tile.
    pub fn insert(&mut self, tile: Tile) {
        let place = (tile.id().level, tile.id().index);
        let wider = self.tiles.get(&place).is_none_or(|have| have.id().width < tile.id().width);
        if wider {
            self.tiles.insert(place, tile);
        }
    }

    /// The tile at a place.
    #[must_use]
    pub fn get(&self, level: TileLevel, index: TileIndex) -> Option<&Tile> {
        self.tiles.get(&(level, index))
    }
}

impl FromIterator<Tile> for TileSet {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        let mut set = Self::new();
        tiles.into_iter().for_each(|tile| set.insert(tile));
        set
    }
}

impl Subtrees for TileSet {
    fn hash_of(&self, subtree: Subtree) -> Option<Hash> {
        // Only the place matters, so the widest possible tree is used.
        let place = TileId::holding(subtree, TreeSize(u64::MAX))?;
        self.get(place.level, place.index)?.hash_of(subtree)
    }
}

/// The tiles of a tree of that size that contain these subtrees, each once. These have to be fetched for a root or a
/// proof. Subtrees that the tree does not have are left out.
#[must_use]
pub fn tiles_for(subtrees: impl IntoIterator<Item = Subtree>, size: TreeSize) -> BTreeSet<TileId> {
    subtrees.into_iter().filter_map(|subtree| TileId::holding(subtree, size)).collect()
}
