//! The tree in tiles of 256 hashes (C2SP tlog-tiles), read from the database: full tiles that were written, and for the
//! rest, leaves and the roots of the tiles below. Tiles are derived: a missing one is hashed again.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use ledger::tile::{Pyramid, TILE_HEIGHT, TILE_WIDTH, TileIndex, TileLevel, TileWidth};
use ledger::{Hash, Subtree};
use ledger::{LeafIndex, MatchId, Tile, TileId, TreeSize};
use sqlx::Row;
use sqlx::postgres::PgRow;

use super::audit_reader::StoredTile;
use super::edge::Edge;
use super::read::{narrow, to_bigint};
use super::{Store, StoreError};

const TILE_LEVEL_MAX: u8 = 7;

/// The smallest tree that has all hashes of a tile, including partial ones; none if no storable tree has them.
#[must_use]
pub fn smallest_tree(tile: TileId) -> Option<TreeSize> {
    let shift = u32::from(TILE_HEIGHT) * u32::from(tile.level.get());
    let hashes = tile.index.0.checked_mul(u64::from(TILE_WIDTH))?.checked_add(u64::from(tile.width.get()))?;
    let size = hashes.checked_shl(shift).filter(|size| size >> shift == hashes)?;
    Some(TreeSize(size)).filter(|size| i64::try_from(size.0).is_ok())
}

impl Store {
    /// The hashes of these tiles, in a few queries for any number of tiles. A span beyond the end of the log has none.
    pub async fn tiles(&self, spans: &[TileId]) -> Result<HashMap<TileId, Vec<Hash>>, StoreError> {
        let found = self.pyramids(spans.iter().copied()).await?;
        let of = |span: &TileId| found.get(&place(*span))?.hashes().get(..usize::from(span.width.get()));
        Ok(spans.iter().filter_map(|span| Some((*span, of(span)?.to_vec()))).collect())
    }

    /// The tiles at the places of these spans, by level and index: at least as wide as the widest span of a place, or
    /// up to the end of the log.
    async fn pyramids(
        &self,
        spans: impl Iterator<Item = TileId>,
    ) -> Result<HashMap<(u8, u64), Arc<Pyramid>>, StoreError> {
        let mut widest: BTreeMap<(u8, u64), TileId> = BTreeMap::new();
        for span in spans.filter(|span| smallest_tree(*span).is_some()) {
            let known = widest.entry(place(span)).or_insert(span);
            *known = (*known).max(span);
        }
        let mut found = HashMap::new();
        widest.retain(|place, _| match self.cached_tile(*place) {
            Some(tile) => found.insert(*place, tile).is_some(),
            None => true,
        });
        for (place, tile) in self.stored(&widest).await? {
            widest.remove(&place);
            found.insert(place, tile);
        }
        let missing: Vec<TileId> = widest.into_values().collect();
        let read = self.read_below(&missing).await?;
        for (span, below) in missing.into_iter().zip(read) {
            if let Some(tile) = self.completed(span, below).await? {
                found.insert(place(span), Arc::new(tile));
            }
        }
        Ok(found)
    }

    pub async fn tile(&self, span: TileId) -> Result<Option<Vec<Hash>>, StoreError> {
        Ok(self.tiles(&[span]).await?.remove(&span))
    }

    /// The hashes of perfect subtrees, from the tiles that contain them: a source for [`ledger::proof`]. A subtree
    /// beyond the end of the log is left out.
    pub async fn hashes(&self, subtrees: &[Subtree]) -> Result<HashMap<Subtree, Hash>, StoreError> {
        // Only the part of each tile that the subtree needs: the smallest tree that contains it.
        let tile_of = |subtree: Subtree| TileId::holding(subtree, subtree.covered_by());
        let tiles = self.pyramids(subtrees.iter().copied().filter_map(tile_of)).await?;
        let hash = |subtree: &Subtree| Some((*subtree, tiles.get(&place(tile_of(*subtree)?))?.hash_of(*subtree)?));
        Ok(subtrees.iter().filter_map(hash).collect())
    }

    pub async fn entry_bundle(&self, index: TileIndex, width: TileWidth) -> Result<Option<Vec<Vec<u8>>>, StoreError> {
        if smallest_tree(TileId { level: TileLevel::LEAVES, index, width }).is_none() {
            return Ok(None);
        }
        let from = index.first_leaf();
        let entries = self.entries_from(from, u32::from(width.get())).await?;
        let whole = entries.len() == usize::from(width.get())
            && (from.0..).zip(&entries).all(|(position, entry)| entry.index.0 == position);
        Ok(whole.then(|| entries.into_iter().map(|entry| entry.bytes).collect()))
    }

    pub async fn root_at(&self, size: TreeSize) -> Result<Option<Hash>, StoreError> {
        Ok(self.edge_at(size).await?.map(|edge| edge.root()))
    }

    pub async fn indexes(&self, match_id: MatchId) -> Result<Vec<LeafIndex>, StoreError> {
        let query = sqlx::query_scalar("select pos from entries where log_id = $1 and match_id = $2 order by seq");
        let rows = query.bind(self.log().log_id.0).bind(match_id.0).fetch_all(self.pool()).await?;
        rows.into_iter().map(|pos: i64| Ok(LeafIndex(narrow(pos, "pos")?))).collect()
    }

    pub(super) async fn edge_at(&self, size: TreeSize) -> Result<Option<Edge>, StoreError> {
        let span = |level: u8| {
            let level = TileLevel::new(level)?;
            let row = level.hashes(size);
            let last = TileId::in_tree(level, TileIndex(row >> TILE_HEIGHT), size)?;
            (!last.width.is_full()).then_some(last)
        };
        let spans: Vec<Option<TileId>> = (0..=TILE_LEVEL_MAX).map(span).collect();
        let wanted: Vec<TileId> = spans.iter().copied().flatten().collect();
        let mut found = self.tiles(&wanted).await?;
        if found.len() < wanted.len() {
            return Ok(None);
        }
        let mut levels: Vec<Vec<Hash>> =
            spans.into_iter().map(|span| span.and_then(|span| found.remove(&span)).unwrap_or_default()).collect();
        while levels.last().is_some_and(Vec::is_empty) {
            levels.pop();
        }
        Ok(Some(Edge::new(size, levels)))
    }

    /// Writes complete tiles. Writing one twice, or on two nodes, changes nothing.
    pub(super) async fn write_tiles(&self, tiles: &[StoredTile]) -> Result<(), StoreError> {
        // A megabyte at a time.
        for some in tiles.chunks(128) {
            sqlx::query(
                "insert into tiles (log_id, level, tile, hashes, root) \
                 select $1, * from unnest($2::smallint[], $3::bigint[], $4::bytea[], $5::bytea[]) on conflict do nothing",
            )
            .bind(self.log().log_id.0)
            .bind(some.iter().map(|tile| i16::from(tile.level)).collect::<Vec<_>>())
            .bind(some.iter().map(|tile| to_bigint(tile.index)).collect::<Vec<_>>())
            .bind(some.iter().map(|tile| joined(&tile.hashes)).collect::<Vec<_>>())
            .bind(some.iter().map(|tile| tile.root.bytes().as_slice()).collect::<Vec<_>>())
            .execute(self.pool())
            .await?;
        }
        Ok(())
    }

    async fn stored(&self, wanted: &BTreeMap<(u8, u64), TileId>) -> Result<Vec<((u8, u64), Arc<Pyramid>)>, StoreError> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let rows = sqlx::query(
            "select level, tile, hashes from tiles join unnest($2::smallint[], $3::bigint[]) as wanted (level, tile) \
             using (level, tile) where log_id = $1",
        )
        .bind(self.log().log_id.0)
        .bind(wanted.keys().map(|(level, _)| i16::from(*level)).collect::<Vec<_>>())
        .bind(wanted.keys().map(|(_, index)| to_bigint(*index)).collect::<Vec<_>>())
        .fetch_all(self.pool())
        .await?;
        let read = |row: &PgRow| {
            let level = narrow::<i16, u8>(row.try_get("level")?, "level")?;
            let place = (level, narrow::<i64, u64>(row.try_get("tile")?, "tile")?);
            let bytes: &[u8] = row.try_get("hashes")?;
            let span = wanted.get(&place).map(|span| TileId { width: TileWidth::FULL, ..*span });
            let tile = span.and_then(|span| Tile::read(span, bytes).ok());
            let tile = tile.ok_or_else(|| StoreError::Corrupt { what: "a tile is not full".to_owned() })?;
            let tile = Arc::new(Pyramid::of(tile));
            self.cache_tile(place, &tile);
            Ok((place, tile))
        };
        rows.iter().map(read).collect()
    }

    /// The hashes one level below each span, by place: leaves for level 0, otherwise the roots of full tiles.
    async fn read_below(&self, spans: &[TileId]) -> Result<Vec<BTreeMap<u64, Hash>>, StoreError> {
        let mut found = vec![BTreeMap::new(); spans.len()];
        if spans.is_empty() {
            return Ok(found);
        }
        let first = |span: &TileId| span.index.first_leaf().0;
        // A tile has 256 hashes. The explicit limit makes PostgreSQL look up each span in the index, whatever the
        // statistics of the tables: without it the whole log was read for every span.
        let rows = sqlx::query(
            "with wanted as (\
                 select * from unnest($2::bigint[], $3::smallint[], $4::bigint[], $5::bigint[]) \
                 as wanted (number, level, first, beyond)\
             ) \
             select number, pos as place, leaf as hash from wanted cross join lateral (\
                 select pos, leaf from entries where log_id = $1 and pos >= first and pos < beyond \
                 order by pos limit 256\
             ) as leaves where level = 0 \
             union all \
             select number, tile, root from wanted cross join lateral (\
                 select tile, root from tiles \
                 where log_id = $1 and tiles.level = wanted.level - 1 and tile >= first and tile < beyond \
                 order by tile limit 256\
             ) as roots where level > 0",
        )
        .bind(self.log().log_id.0)
        .bind((0..).take(spans.len()).collect::<Vec<i64>>())
        .bind(spans.iter().map(|span| i16::from(span.level.get())).collect::<Vec<_>>())
        .bind(spans.iter().map(|span| to_bigint(first(span))).collect::<Vec<_>>())
        .bind(
            spans
                .iter()
                .map(|span| to_bigint(first(span).saturating_add(u64::from(span.width.get()))))
                .collect::<Vec<_>>(),
        )
        .fetch_all(self.pool())
        .await?;
        for row in rows {
            let number = narrow::<i64, usize>(row.try_get("number")?, "number")?;
            let place = narrow::<i64, u64>(row.try_get("place")?, "place")?;
            if let Some(below) = found.get_mut(number) {
                below.insert(place, narrow(row.try_get::<&[u8], _>("hash")?, "hash")?);
            }
        }
        Ok(found)
    }

    /// A span from the hashes below it, up to the end of the log. A tile below that is not written is hashed again.
    async fn completed(&self, span: TileId, mut below: BTreeMap<u64, Hash>) -> Result<Option<Pyramid>, StoreError> {
        // The places below a tile are counted like the leaves below a tile of leaves.
        let first = span.index.first_leaf().0;
        let places = first..first.saturating_add(u64::from(span.width.get()));
        if let Some(level) = span.level.get().checked_sub(1).and_then(TileLevel::new) {
            let unwritten = places.clone().filter(|place| !below.contains_key(place));
            let unwritten: Vec<TileId> =
                unwritten.map(|index| TileId { level, index: TileIndex(index), width: TileWidth::FULL }).collect();
            if !unwritten.is_empty() {
                let hashed = Box::pin(self.pyramids(unwritten.into_iter())).await?;
                below.extend(hashed.into_iter().filter_map(|((_, index), tile)| Some((index, tile.root()?))));
            }
        }
        let hashes: Vec<Hash> = places.map_while(|place| below.get(&place).copied()).collect();
        let width = u16::try_from(hashes.len()).ok().and_then(TileWidth::new);
        let tile = width.and_then(|width| Tile::new(TileId { width, ..span }, hashes));
        Ok(tile.map(Pyramid::of))
    }
}

const fn place(span: TileId) -> (u8, u64) {
    (span.level.get(), span.index.0)
}

fn joined(hashes: &[Hash]) -> Vec<u8> {
    hashes.iter().flat_map(|hash| hash.bytes()).copied().collect()
}
