//! Tiles (C2SP tlog-tiles): the tree in pieces of 256 hashes that never change once they are full, and the entries in
//! bundles of 256. From these and a checkpoint anybody can compute every root and every proof.

mod bundle;
mod path;
mod pyramid;
mod set;

use thiserror::Error;

use crate::hash::Hash;
use crate::id::{LeafIndex, TreeSize};
use crate::leaf::node_hash;
use crate::proof::{Level, Subtree};

pub use bundle::{BundleError, EntryBundle};
pub use path::{TilePath, TilePathError};
pub use pyramid::Pyramid;
pub use set::{TileSet, tiles_for};

/// The levels of the tree in one tile.
pub const TILE_HEIGHT: u8 = 8;

/// The hashes in a full tile, and the entries in a full bundle.
pub const TILE_WIDTH: u16 = 256;

/// A row of tiles, counted from the leaves: a hash in a tile of level n covers 256^n leaves. 0 to 63; trees with 64-bit
/// sizes end at 7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileLevel(u8);

/// The number of hashes or entries: 1 to 256. A smaller number than 256 is partial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileWidth(u16);

/// The n-th tile of its row, or the n-th bundle of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileIndex(pub u64);

/// A tile by its place and width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileId {
    /// Its row.
    pub level: TileLevel,
    /// Its place in the row.
    pub index: TileIndex,
    /// Its width.
    pub width: TileWidth,
}

/// A tile with its hashes, as many as its width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile {
    id: TileId,
    hashes: Vec<Hash>,
}

/// The bytes do not have the size of that tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a tile of width {width} has {expected} bytes, not {found}")]
pub struct TileError {
    /// The requested width, in hashes.
    pub width: u16,
    /// The expected number of bytes, 32 for each hash.
    pub expected: usize,
    /// The number of bytes found.
    pub found: usize,
}

const HASH_BYTES: usize = 32;

impl TileLevel {
    /// The row of leaf hashes.
    pub const LEAVES: Self = Self(0);

    /// The level; none above 63.
    #[must_use]
    pub const fn new(level: u8) -> Option<Self> {
        if level < 64 { Some(Self(level)) } else { None }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The number of hashes in this row for a tree of that size: one for every 256^level leaves.
    #[must_use]
    pub const fn hashes(self, size: TreeSize) -> u64 {
        match size.0.checked_shr(TILE_HEIGHT as u32 * self.0 as u32) {
            Some(hashes) => hashes,
            None => 0,
        }
    }
}

impl TileWidth {
    /// A full tile: 256.
    pub const FULL: Self = Self(TILE_WIDTH);

    /// The width; none for 0 and above 256.
    #[must_use]
    pub const fn new(width: u16) -> Option<Self> {
        if 0 < width && width <= TILE_WIDTH { Some(Self(width)) } else { None }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// True if nothing can be added.
    #[must_use]
    pub const fn is_full(self) -> bool {
        self.0 == TILE_WIDTH
    }
}

impl TileIndex {
    /// The tile or bundle that contains the leaf, at level 0.
    #[must_use]
    pub const fn of(leaf: LeafIndex) -> Self {
        Self(leaf.0 >> TILE_HEIGHT)
    }

    /// Its first leaf, at level 0.
    #[must_use]
    pub const fn first_leaf(self) -> LeafIndex {
        LeafIndex(self.0.saturating_mul(TILE_WIDTH as u64))
    }

    /// Its width in a row of `of` hashes or entries; none if it is empty.
    #[must_use]
    pub fn width(self, of: u64) -> Option<TileWidth> {
        let before = self.0.checked_mul(u64::from(TILE_WIDTH))?;
        let left = of.checked_sub(before)?;
        TileWidth::new(u16::try_from(left).unwrap_or(TILE_WIDTH).min(TILE_WIDTH))
    }
}

impl TileId {
    /// The tile at a place in a tree of that size; none if it is empty.
    #[must_use]
    pub fn in_tree(level: TileLevel, index: TileIndex, size: TreeSize) -> Option<Self> {
        Some(Self { level, index, width: index.width(level.hashes(size))? })
    }

    /// The tile that contains the hash of a subtree, or the hashes from which it is made, in a tree of that size; none
    /// if the tree does not have all of it yet. With it and the [level](Subtree::level), [`Tile::hash_of`] finds the
    /// hash.
    #[must_use]
    pub fn holding(subtree: Subtree, size: TreeSize) -> Option<Self> {
        if subtree.covered_by() > size {
            return None;
        }
        let (level, slots) = place(subtree)?;
        Self::in_tree(level, TileIndex(slots.start >> TILE_HEIGHT), size)
    }

    /// The tiles that became new or wider when the tree grew, leaves first. A log has to publish these. Tiles that were
    /// full before are not among them.
    pub fn grown(old: TreeSize, new: TreeSize) -> impl Iterator<Item = Self> {
        (0..64).map_while(TileLevel::new).take_while(move |level| level.hashes(new) > 0).flat_map(move |level| {
            let (before, after) = (level.hashes(old), level.hashes(new));
            let last = after.div_ceil(u64::from(TILE_WIDTH));
            let first = if before < after { before >> TILE_HEIGHT } else { last };
            (first..last).filter_map(move |index| Self::in_tree(level, TileIndex(index), new))
        })
    }

    /// The number of bytes of the tile: 32 for each hash.
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.width.0 as usize * HASH_BYTES
    }

    /// The subtrees whose hashes are in the tile, in order.
    pub fn subtrees(self) -> impl Iterator<Item = Subtree> {
        let level = self.level.0.checked_mul(TILE_HEIGHT).and_then(Level::new);
        let first = self.index.0.saturating_mul(u64::from(TILE_WIDTH));
        (0..u64::from(self.width.0)).map_while(move |slot| Subtree::new(level?, first.checked_add(slot)?))
    }
}

fn place(subtree: Subtree) -> Option<(TileLevel, std::ops::Range<u64>)> {
    let level = subtree.level().get();
    let up = level % TILE_HEIGHT;
    let start = subtree.index() << up;
    Some((TileLevel::new(level / TILE_HEIGHT)?, start..start.checked_add(1 << up)?))
}

impl Tile {
    /// A tile of these hashes; none if their number is not its width.
    #[must_use]
    pub fn new(id: TileId, hashes: Vec<Hash>) -> Option<Self> {
        (hashes.len() == usize::from(id.width.0)).then_some(Self { id, hashes })
    }

    /// Reads the bytes of a tile: its hashes, one after another.
    pub fn read(id: TileId, bytes: &[u8]) -> Result<Self, TileError> {
        let (hashes, rest) = bytes.as_chunks::<HASH_BYTES>();
        let hashes = hashes.iter().copied().map(Hash::new).collect();
        let read = if rest.is_empty() { Self::new(id, hashes) } else { None };
        read.ok_or(TileError { width: id.width.0, expected: id.bytes(), found: bytes.len() })
    }

    /// Writes the bytes that [`Tile::read`] reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.hashes.iter().flat_map(|hash| *hash.bytes()).collect()
    }

    /// Its place and width.
    #[must_use]
    pub const fn id(&self) -> TileId {
        self.id
    }

    /// Its hashes, in order.
    #[must_use]
    pub fn hashes(&self) -> &[Hash] {
        &self.hashes
    }

    /// The hash of a subtree that the tile contains or whose hashes it contains; none for any other.
    #[must_use]
    pub fn hash_of(&self, subtree: Subtree) -> Option<Hash> {
        let (level, slots) = place(subtree)?;
        if level != self.id.level || slots.start >> TILE_HEIGHT != self.id.index.0 {
            return None;
        }
        let first = usize::try_from(slots.start % u64::from(TILE_WIDTH)).ok()?;
        let count = usize::try_from(slots.end.checked_sub(slots.start)?).ok()?;
        perfect_root(self.hashes.get(first..first.checked_add(count)?)?)
    }
}

/// The root over 2^n hashes: SHA-256(0x01 || left || right) on each level. RFC 6962, section 2.1.
fn perfect_root(hashes: &[Hash]) -> Option<Hash> {
    match hashes {
        [hash] => Some(*hash),
        _ => {
            let (left, right) = hashes.split_at_checked(hashes.len() / 2)?;
            if left.is_empty() {
                return None;
            }
            Some(node_hash(&perfect_root(left)?, &perfect_root(right)?))
        }
    }
}

#[cfg(test)]
mod tests;
