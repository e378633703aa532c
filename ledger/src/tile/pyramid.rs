//! A tile with all levels above its hashes.

use super::{TILE_HEIGHT, TILE_WIDTH, Tile, TileId, place};
use crate::hash::Hash;
use crate::leaf::node_hash;
use crate::proof::Subtree;

/// A tile with all hashes made from its own, so that many proofs through one tile compute none of them twice: 511
/// hashes, 16 kB, for a full one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pyramid {
    id: TileId,
    /// From the tile's own hashes up; each row has one hash for every two of the row below.
    rows: Vec<Vec<Hash>>,
}

impl Pyramid {
    /// Computes all hashes above those of a tile. RFC 6962, section 2.1.
    #[must_use]
    pub fn of(tile: Tile) -> Self {
        let Tile { id, hashes } = tile;
        let mut rows = vec![hashes];
        for _ in 0..TILE_HEIGHT {
            let (pairs, _) = rows.last().map_or(&[][..], Vec::as_slice).as_chunks();
            let above: Vec<Hash> = pairs.iter().map(|[left, right]| node_hash(left, right)).collect();
            rows.push(above);
        }
        Self { id, rows }
    }

    /// The hashes of the tile itself, in order.
    #[must_use]
    pub fn hashes(&self) -> &[Hash] {
        self.rows.first().map_or(&[], Vec::as_slice)
    }

    /// The top hash, if the tile is full.
    #[must_use]
    pub fn root(&self) -> Option<Hash> {
        self.rows.last()?.first().copied()
    }

    /// The hash of a subtree that the tile contains or whose hashes it contains; none for any other.
    #[must_use]
    pub fn hash_of(&self, subtree: Subtree) -> Option<Hash> {
        let (level, slots) = place(subtree)?;
        if level != self.id.level || slots.start >> TILE_HEIGHT != self.id.index.0 {
            return None;
        }
        let up = subtree.level().get() % TILE_HEIGHT;
        let first = (slots.start % u64::from(TILE_WIDTH)) >> up;
        self.rows.get(usize::from(up))?.get(usize::try_from(first).ok()?).copied()
    }
}
