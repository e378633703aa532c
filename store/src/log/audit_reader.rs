//! Reading the whole log for an audit: the stored and signed trees, range by range.

use ledger::{Hash, LogId, TreeSize};
use sqlx::{PgPool, Row};

use super::read::{narrow, to_bigint};
use super::{Store, StoreError, Term, identity};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTree {
    pub term: Option<Term>,
    pub size: TreeSize,
    pub root: Hash,
    pub note: Option<Vec<u8>>,
    pub signed_head: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTile {
    pub level: u8,
    pub index: u64,
    pub hashes: Vec<Hash>,
    pub root: Hash,
}

impl Store {
    /// An existing log, for reading; none if it does not exist. It creates and checks nothing.
    pub async fn existing(pool: PgPool, log_id: LogId) -> Result<Option<Self>, StoreError> {
        let mut connection = pool.acquire().await?;
        let log = identity::read(&mut connection, log_id).await?;
        drop(connection);
        Ok(log.map(|log| Self::new(pool, log)))
    }

    /// The public half of the key that signs checkpoints; none before the first signature.
    pub async fn log_public_key(&self) -> Result<Option<[u8; 32]>, StoreError> {
        let query = sqlx::query_scalar("select public_key from log_keys where log_id = $1");
        let key: Option<Vec<u8>> = query.bind(self.log().log_id.0).fetch_optional(self.pool()).await?;
        key.map(|key| narrow(key, "public_key")).transpose()
    }

    /// One more than the position of the last entry. Only reading shows that there is an entry at every earlier
    /// position.
    pub async fn size(&self) -> Result<TreeSize, StoreError> {
        let query = sqlx::query_scalar("select max(pos) from entries where log_id = $1");
        let last: Option<i64> = query.bind(self.log().log_id.0).fetch_one(self.pool()).await?;
        last.map_or(Ok(TreeSize(0)), |last| Ok(TreeSize(narrow::<i64, u64>(last, "pos")?.saturating_add(1))))
    }

    /// The trees of more than `above` entries, and of at most `to`, ascending. For one size the writer's comes first,
    /// then the signed one, then the last signed tree.
    pub async fn stored_trees(&self, above: TreeSize, to: TreeSize) -> Result<Vec<StoredTree>, StoreError> {
        let rows = sqlx::query(
            "select null::smallint as term, size, root, null::bytea as note, false as head \
                 from tree_heads where log_id = $1 and size > $2 and size <= $3 \
             union all \
             select term, size, root, note, false from checkpoints where log_id = $1 and size > $2 and size <= $3 \
             union all \
             select term, size, root, null, true from signed_head where log_id = $1 and size > $2 and size <= $3 \
             order by size, head, note nulls first, term",
        )
        .bind(self.log().log_id.0)
        .bind(to_bigint(above.0))
        .bind(to_bigint(to.0))
        .fetch_all(self.pool())
        .await?;
        let tree = |row: &sqlx::postgres::PgRow| {
            Ok(StoredTree {
                term: row.try_get::<Option<i16>, _>("term")?.map(|term| narrow(term, "term").map(Term)).transpose()?,
                size: TreeSize(narrow(row.try_get::<i64, _>("size")?, "size")?),
                root: narrow(row.try_get::<&[u8], _>("root")?, "root")?,
                note: row.try_get("note")?,
                signed_head: row.try_get("head")?,
            })
        };
        rows.iter().map(tree).collect()
    }

    pub async fn stored_tiles(&self, level: u8, from: u64, before: u64) -> Result<Vec<StoredTile>, StoreError> {
        let rows = sqlx::query(
            "select tile, hashes, root from tiles where log_id = $1 and level = $2 and tile >= $3 and tile < $4 \
             order by tile",
        )
        .bind(self.log().log_id.0)
        .bind(i16::from(level))
        .bind(to_bigint(from))
        .bind(to_bigint(before))
        .fetch_all(self.pool())
        .await?;
        let tile = |row: &sqlx::postgres::PgRow| {
            let hashes = row.try_get::<&[u8], _>("hashes")?.chunks(32).map(|hash| narrow(hash, "hashes"));
            Ok(StoredTile {
                level,
                index: narrow(row.try_get::<i64, _>("tile")?, "tile")?,
                hashes: hashes.collect::<Result<_, _>>()?,
                root: narrow(row.try_get::<&[u8], _>("root")?, "root")?,
            })
        };
        rows.iter().map(tile).collect()
    }
}
