//! The tiles of a log, rebuilt from its leaves, in memory that does not grow with the log.

use ledger::{Frontier, Hash};

/// The hashes of a full tile (C2SP tlog-tiles).
const WIDTH: usize = 256;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    /// Its level; the leaves are level 0.
    pub(super) level: u8,
    pub(super) index: u64,
    /// Its hashes; 256 if it is full.
    pub(super) hashes: Vec<Hash>,
}

#[derive(Default)]
pub(super) struct TileBuilder {
    levels: Vec<Tile>,
}

impl TileBuilder {
    pub(super) fn push(&mut self, leaf: Hash) -> Vec<Tile> {
        let mut full = Vec::new();
        let mut hash = leaf;
        for level in 0_u8.. {
            if self.levels.len() <= usize::from(level) {
                self.levels.push(Tile { level, index: 0, hashes: Vec::with_capacity(WIDTH) });
            }
            let Some(tile) = self.levels.get_mut(usize::from(level)) else { break };
            tile.hashes.push(hash);
            if tile.hashes.len() < WIDTH {
                break;
            }
            hash = tile.hashes.iter().copied().collect::<Frontier>().root();
            let next = Tile { level, index: tile.index + 1, hashes: Vec::with_capacity(WIDTH) };
            full.push(core::mem::replace(tile, next));
        }
        full
    }

    pub(super) fn partial(&self) -> impl Iterator<Item = &Tile> {
        self.levels.iter().filter(|tile| !tile.hashes.is_empty())
    }
}
