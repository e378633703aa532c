//! Comparing the log with its signed trees: every leaf with its entry, the tree with the roots in earlier checkpoints,
//! the tiles with the leaves. At a start, what was signed is compared with the tiles at the right edge of the tree
//! ([`Store::extend`]), which takes no longer for a longer log. What lies below them is compared in the background, a page
//! at a time ([`Pass`]).

use std::collections::BTreeMap;

use ledger::tile::{TILE_HEIGHT, TileIndex};
use ledger::{Hash, Tree};
use ledger::{LeafIndex, TreeSize};
use sha2::{Digest, Sha256};
use sqlx::Row;
use thiserror::Error;

use super::audit_reader::StoredTile;
use super::edge::Edge;
use super::read::{narrow, to_bigint};
use super::{Store, StoreError};

const PAGE: u64 = 65_536;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Contradiction {
    /// Signed entries are missing at the end.
    #[error("a tree of {signed} entries was signed, and the log has {size}")]
    Shorter {
        /// The size that was signed.
        signed: TreeSize,
        /// The log's.
        size: TreeSize,
    },
    /// Other entries are in place of signed ones.
    #[error("the first {size} entries are not those that were signed: their root is {found}, and {signed} was signed")]
    Different {
        /// The size that was signed.
        size: TreeSize,
        /// The root that was signed.
        signed: Hash,
        /// The log's.
        found: Hash,
    },
    /// A stored entry was altered.
    #[error("position {index}: its bytes do not have the leaf hash beside them")]
    Altered {
        /// Its position.
        index: LeafIndex,
    },
    /// An entry was removed.
    #[error("position {index} is missing")]
    Missing {
        /// Its position.
        index: LeafIndex,
    },
    /// A stored tile does not match the entries. It is derived, and can be deleted.
    #[error(
        "tile {index} of level {level} does not hold the hashes of the entries below it; it is derived, so delete its row, and it is written again"
    )]
    Tile {
        /// Its level.
        level: u8,
        /// Its index.
        index: u64,
    },
}

#[derive(Debug, Error)]
pub enum SurveyError {
    /// The log contradicts a signed tree.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// The log could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for SurveyError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

/// A pass over the log, from its beginning to a size: how far it is, and the signed trees that it must meet.
#[derive(Debug)]
pub struct Pass {
    edge: Edge,
    size: TreeSize,
    marks: BTreeMap<TreeSize, Vec<Tree>>,
}

impl Pass {
    pub fn new(size: TreeSize, signed: &[Tree]) -> Result<Self, Contradiction> {
        Self::after(Edge::default(), size, signed)
    }

    fn after(edge: Edge, size: TreeSize, signed: &[Tree]) -> Result<Self, Contradiction> {
        if let Some(beyond) = signed.iter().find(|tree| tree.size > size) {
            return Err(Contradiction::Shorter { signed: beyond.size, size });
        }
        let mut marks: BTreeMap<TreeSize, Vec<Tree>> = BTreeMap::new();
        for tree in signed {
            marks.entry(tree.size).or_default().push(*tree);
        }
        let pass = Self { edge, size, marks };
        pass.meet_marks()?;
        Ok(pass)
    }

    #[must_use]
    pub fn tree(&self) -> Tree {
        Tree { size: self.edge.size(), root: self.edge.root() }
    }

    #[must_use]
    pub fn is_done(&self) -> bool {
        self.edge.size() >= self.size
    }

    fn meet_marks(&self) -> Result<(), Contradiction> {
        self.marks.get(&self.edge.size()).into_iter().flatten().try_for_each(|tree| same(*tree, self.edge.root()))
    }
}

impl Store {
    /// Reads the whole log up to a size, compares it with every signed tree, and writes missing tiles. Returns the tree
    /// of that size.
    pub async fn survey(&self, size: TreeSize, signed: &[Tree]) -> Result<Tree, SurveyError> {
        self.walk(Edge::default(), size, signed).await
    }

    /// The same for the entries after a tree that passed before, and for the last few entries under it. Earlier entries
    /// are taken from their tiles, which the [survey](Store::survey) has compared with them.
    pub async fn extend(&self, from: Tree, size: TreeSize, signed: &[Tree]) -> Result<Tree, SurveyError> {
        let start = TileIndex(from.size.0.min(size.0) >> TILE_HEIGHT).first_leaf();
        let start = TreeSize(start.0);
        let edge = self.edge_at(start).await?.ok_or(Contradiction::Shorter { signed: from.size, size });
        let mut later = vec![from];
        for tree in signed {
            if tree.size >= start {
                later.push(*tree);
            } else if let Some(found) = self.root_at(tree.size).await? {
                same(*tree, found)?;
            }
        }
        self.walk(edge?, size, &later).await
    }

    async fn walk(&self, edge: Edge, size: TreeSize, signed: &[Tree]) -> Result<Tree, SurveyError> {
        let mut pass = Pass::after(edge, size, signed)?;
        while !pass.is_done() {
            self.compare_page(&mut pass, PAGE).await?;
        }
        Ok(pass.tree())
    }

    pub async fn compare_page(&self, pass: &mut Pass, entries: u64) -> Result<(), SurveyError> {
        let mut tiles = Vec::new();
        for leaf in self.leaves(pass.edge.size(), pass.size, entries).await? {
            tiles.extend(pass.edge.push(leaf));
            pass.meet_marks()?;
        }
        // A crash before this leaves tiles unwritten: readers hash their leaves instead, and the next pass writes them.
        self.compare_or_write(tiles).await
    }

    async fn leaves(&self, from: TreeSize, size: TreeSize, page: u64) -> Result<Vec<Hash>, SurveyError> {
        let end = size.0.min(from.0.saturating_sub(from.0 % page).saturating_add(page));
        let rows = sqlx::query(
            "select pos, leaf, leaf = sha256('\\x00'::bytea || bytes) as intact from entries \
             where log_id = $1 and pos >= $2 and pos < $3 order by pos",
        )
        .bind(self.log().log_id.0)
        .bind(to_bigint(from.0))
        .bind(to_bigint(end))
        .fetch_all(self.pool())
        .await?;
        let mut leaves = Vec::with_capacity(rows.len());
        let mut rows = rows.iter();
        for index in (from.0..end).map(LeafIndex) {
            let row = rows.next().ok_or(Contradiction::Missing { index })?;
            if row.try_get::<i64, _>("pos")? != to_bigint(index.0) {
                return Err(Contradiction::Missing { index }.into());
            }
            if !row.try_get::<bool, _>("intact")? {
                return Err(Contradiction::Altered { index }.into());
            }
            leaves.push(narrow(row.try_get::<&[u8], _>("leaf")?, "leaf")?);
        }
        Ok(leaves)
    }

    async fn compare_or_write(&self, mut tiles: Vec<StoredTile>) -> Result<(), SurveyError> {
        if tiles.is_empty() {
            return Ok(());
        }
        let rows = sqlx::query(
            "select level, tile, root, sha256(hashes) as digest from tiles \
             join unnest($2::smallint[], $3::bigint[]) as wanted (level, tile) using (level, tile) where log_id = $1",
        )
        .bind(self.log().log_id.0)
        .bind(tiles.iter().map(|tile| i16::from(tile.level)).collect::<Vec<_>>())
        .bind(tiles.iter().map(|tile| to_bigint(tile.index)).collect::<Vec<_>>())
        .fetch_all(self.pool())
        .await?;
        for row in rows {
            let level = narrow::<i16, u8>(row.try_get("level")?, "level")?;
            let index = narrow::<i64, u64>(row.try_get("tile")?, "tile")?;
            let Some(at) = tiles.iter().position(|tile| (tile.level, tile.index) == (level, index)) else { continue };
            let tile = tiles.swap_remove(at);
            let digest = tile.hashes.iter().fold(Sha256::new(), |digest, hash| digest.chain_update(hash)).finalize();
            let agrees = row.try_get::<&[u8], _>("root")? == tile.root.bytes().as_slice()
                && row.try_get::<&[u8], _>("digest")? == digest.as_slice();
            if !agrees {
                return Err(Contradiction::Tile { level, index }.into());
            }
        }
        self.write_tiles(&tiles).await?;
        Ok(())
    }
}

fn same(signed: Tree, found: Hash) -> Result<(), Contradiction> {
    if found == signed.root {
        Ok(())
    } else {
        Err(Contradiction::Different { size: signed.size, signed: signed.root, found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences() {
        let (signed, found) = (Hash::new([1; 32]), Hash::new([2; 32]));
        let (size, index) = (TreeSize(9), LeafIndex(4));
        for (contradiction, said) in [
            (
                Contradiction::Shorter { signed: TreeSize(12), size },
                "a tree of 12 entries was signed, and the log has 9".to_owned(),
            ),
            (
                Contradiction::Different { size, signed, found },
                format!(
                    "the first 9 entries are not those that were signed: their root is {found}, and {signed} was signed"
                ),
            ),
            (
                Contradiction::Altered { index },
                "position 4: its bytes do not have the leaf hash beside them".to_owned(),
            ),
            (Contradiction::Missing { index }, "position 4 is missing".to_owned()),
            (
                Contradiction::Tile { level: 1, index: 2 },
                "tile 2 of level 1 does not hold the hashes of the entries below it; it is derived, so delete its row, \
                 and it is written again"
                    .to_owned(),
            ),
        ] {
            assert_eq!(SurveyError::from(contradiction).to_string(), said);
        }
    }
}
