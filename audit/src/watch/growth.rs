//! The entries that a log has more than the kept tree: each page is hashed, compared with the tiles that were served
//! with it, and followed match by match. Nothing of it counts before the root is that of the signed checkpoint.

use std::io;

use ledger::{Hash, LeafIndex, Subtree, TreeSize, leaf_hash, tile};

use super::alarm::Alarm;
use super::log_state::{LogState, WatchedKey};
use crate::source::Page;
use crate::tree_file::TreeFile;

/// The alarms of one look at a log that are said one by one. A hostile log may give one for every entry.
const ALARMS_MAX: usize = 1_000;

pub(super) struct Growth {
    pub(super) tree: TreeFile,
    pub(super) size: TreeSize,
    pub(super) log: LogState,
    pub(super) alarms: Alarms,
}

#[derive(Default)]
pub(super) struct Alarms {
    first: Vec<Alarm>,
    more: usize,
}

impl Alarms {
    pub(super) fn add(&mut self, alarm: Alarm) {
        if self.first.len() < ALARMS_MAX {
            self.first.push(alarm);
        } else {
            self.more += 1;
        }
    }

    pub(super) fn into_list(mut self) -> Vec<Alarm> {
        if self.more > 0 {
            self.first.push(Alarm::More { count: self.more });
        }
        self.first
    }
}

impl Growth {
    /// Reads the next page. The error is the place of an entry that had other bytes before.
    pub(super) fn page(mut self, page: Page, keys: &[WatchedKey]) -> io::Result<Result<Self, LeafIndex>> {
        let mut lines = page.lines;
        let kept = |line: &crate::source::Line| line.index.0 < self.size.0;
        let known = lines.iter().take_while(|line| kept(line)).count();
        for line in lines.drain(..known) {
            if self.tree.hash_of(Subtree::leaf(line.index)) != Some(leaf_hash(&line.bytes)) {
                return Ok(Err(line.index));
            }
        }
        let mut writer = self.tree.go_on(self.size)?;
        for line in &lines {
            writer.push(leaf_hash(&line.bytes))?;
        }
        self.tree = writer.finish()?;
        let size = TreeSize(self.size.0 + lines.len() as u64);
        let roots = |at: TreeSize| self.tree.root(at).ok().flatten();
        for line in &lines {
            let found = self.log.entry(line.index, &line.bytes, &roots, keys);
            found.into_iter().for_each(|alarm| self.alarms.add(alarm));
        }
        for served in page.tiles {
            if !is_of(&self.tree, &served, size) {
                self.alarms.add(Alarm::Tile { level: served.level, index: served.index });
            }
        }
        self.size = size;
        Ok(Ok(self))
    }
}

fn is_of(tree: &TreeFile, served: &crate::tile_builder::Tile, size: TreeSize) -> bool {
    let level = tile::TileLevel::new(served.level);
    let id = level.and_then(|level| tile::TileId::in_tree(level, tile::TileIndex(served.index), size));
    id.is_some_and(|id| {
        let due: Option<Vec<Hash>> = id.subtrees().map(|subtree| tree.hash_of(subtree)).collect();
        due.is_some_and(|due| due == served.hashes)
    })
}
