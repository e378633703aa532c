//! The growing edge of the tree in tiles: for every level the hashes of its last, partial tile (C2SP tlog-tiles).
//!
//! It is a [`Frontier`] that keeps the hashes below its peaks, so that a tile is available when it is complete.

use std::mem;

use ledger::tile::TILE_WIDTH;
use ledger::{Frontier, Hash, TreeSize, node_hash};

use super::audit_reader::StoredTile;

const WIDTH: usize = TILE_WIDTH as usize;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Edge {
    size: u64,
    levels: Vec<Vec<Hash>>,
}

impl Edge {
    /// The edge of a tree of this size, given the partial tile of each level. Only the tree's root can show that they
    /// belong to it.
    pub(super) const fn new(size: TreeSize, levels: Vec<Vec<Hash>>) -> Self {
        Self { size: size.0, levels }
    }

    pub(super) const fn size(&self) -> TreeSize {
        TreeSize(self.size)
    }

    pub(super) fn push(&mut self, leaf: Hash) -> Vec<StoredTile> {
        self.size = self.size.saturating_add(1);
        let mut complete = Vec::new();
        let mut hash = leaf;
        for level in 0_u8..8 {
            let at = usize::from(level);
            if self.levels.len() == at {
                self.levels.push(Vec::new());
            }
            let Some(partial) = self.levels.get_mut(at) else { break };
            partial.push(hash);
            if partial.len() < WIDTH {
                break;
            }
            let hashes = mem::take(partial);
            hash = hashes.iter().copied().collect::<Frontier>().root();
            // The tile that ends at the tree's current end.
            let index = (self.size >> (8 * (u32::from(level) + 1))).saturating_sub(1);
            complete.push(StoredTile { level, index, hashes, root: hash });
        }
        complete
    }

    /// The root of the tree (RFC 6962, section 2.1).
    pub(super) fn root(&self) -> Hash {
        // Each level's peaks are smaller than those of the level above, so the fold goes from right to left.
        let levels = self.levels.iter().map(|hashes| hashes.iter().copied().collect::<Frontier>());
        let peaks: Vec<Hash> =
            levels.flat_map(|level| level.peaks().iter().rev().copied().collect::<Vec<_>>()).collect();
        let folded = peaks.into_iter().reduce(|right, left| node_hash(&left, &right));
        folded.unwrap_or_else(|| Frontier::new().root())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ledger::leaf_hash;
    use ledger::tile::TileLevel;

    fn partial(size: TreeSize, level: u8) -> u64 {
        TileLevel::new(level).unwrap().hashes(size) % u64::from(TILE_WIDTH)
    }

    #[test]
    fn every_size_agrees_with_the_frontier_and_every_tile_with_its_leaves() {
        let leaves: Vec<Hash> = (0..70_000_u32).map(|n| leaf_hash(&n.to_be_bytes())).collect();
        let mut edge = Edge::default();
        let mut frontier = Frontier::new();
        let mut roots = Vec::new();
        assert_eq!(edge.root(), frontier.root());
        for leaf in &leaves {
            for tile in edge.push(*leaf) {
                let from = tile.index as usize * WIDTH;
                let below: &[Hash] = if tile.level == 0 { &leaves } else { &roots };
                assert_eq!(tile.hashes, below[from..from + WIDTH]);
                assert_eq!(tile.root, tile.hashes.iter().copied().collect::<Frontier>().root());
                if tile.level == 0 {
                    roots.push(tile.root);
                } else {
                    assert_eq!((tile.level, tile.index), (1, 0));
                }
            }
            frontier.push(*leaf);
            let size = edge.size();
            // At the ends of tiles and around them; all other sizes behave alike.
            if size.0 % 256 < 3 || size.0 % 97 == 0 {
                assert_eq!(edge.root(), frontier.root(), "size {size}");
                let widths: Vec<u64> = (0..3).map(|level| partial(size, level)).collect();
                let found: Vec<u64> = edge.levels.iter().map(|hashes| hashes.len() as u64).collect();
                assert_eq!(found, widths[..found.len()]);
            }
        }
        assert_eq!(roots.len(), 273);
        assert_eq!([0, 1, 2].map(|level| partial(TreeSize(70_000), level)), [112, 17, 1], "as tlog-tiles says");
    }
}
