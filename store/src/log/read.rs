//! Reading entries by match and by position, and the heads of the tree.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use chrono::{DateTime, Utc};
use ledger::{Frontier, Hash, Head, LeafIndex, LogId, MatchId, Moment, Seq, TreeSize};
use sqlx::postgres::PgRow;
use sqlx::{PgExecutor, Row};

use super::append::Submit;
use super::reads::WrittenMatch;
use super::texts::Text;
use super::{Store, StoreError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub index: LeafIndex,
    pub match_id: MatchId,
    pub seq: Seq,
    pub leaf: Hash,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeHead {
    pub size: TreeSize,
    /// Its RFC 6962 root.
    pub root: Hash,
    /// The latest `at` among the entries of its batch; none for the empty tree.
    pub at: Option<Moment>,
}

impl Stored {
    /// True if the entry was deleted: then only its leaf is stored, under the nil id, so that the tree is unchanged.
    /// Only entries of practice matches can be deleted.
    #[must_use]
    pub const fn is_deleted(&self) -> bool {
        self.match_id.0.is_nil()
    }
}

impl AsRef<[u8]> for Stored {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Store {
    /// All entries of a match, in order; none if the match is not in the log. Their chain must be checked with
    /// [`ledger::chain::check`].
    pub async fn match_entries(&self, match_id: MatchId) -> Result<Vec<Stored>, StoreError> {
        self.match_entries_since(match_id, Seq(0)).await
    }

    pub async fn match_entries_since(&self, match_id: MatchId, from: Seq) -> Result<Vec<Stored>, StoreError> {
        let rows = sqlx::query(
            "select pos, match_id, seq, leaf, bytes from entries \
             where log_id = $1 and match_id = $2 and seq >= $3 order by seq",
        )
        .bind(self.log().log_id.0)
        .bind(match_id.0)
        .bind(i32::try_from(from.0).unwrap_or(i32::MAX))
        .fetch_all(self.pool())
        .await?;
        rows.iter().map(stored).collect()
    }

    /// The place of an entry in the log; none if there is no such entry.
    pub async fn place(&self, match_id: MatchId, entry: Seq) -> Result<Option<LeafIndex>, StoreError> {
        let row = sqlx::query("select pos from entries where log_id = $1 and match_id = $2 and seq = $3")
            .bind(self.log().log_id.0)
            .bind(match_id.0)
            .bind(i32::try_from(entry.0).unwrap_or(i32::MAX))
            .fetch_optional(self.pool())
            .await?;
        row.map(|row| Ok(LeafIndex(narrow(row.try_get::<i64, _>("pos")?, "pos")?))).transpose()
    }

    pub async fn first_entry(&self, match_id: MatchId) -> Result<Option<Stored>, StoreError> {
        let query = sqlx::query(
            "select pos, match_id, seq, leaf, bytes from entries where log_id = $1 and match_id = $2 and seq = 0",
        );
        let row = query.bind(self.log().log_id.0).bind(match_id.0).fetch_optional(self.pool()).await?;
        row.as_ref().map(stored).transpose()
    }

    /// The match with an id in this range; none if there is none, the last if there are several.
    pub async fn match_within(&self, ids: RangeInclusive<MatchId>) -> Result<Option<MatchId>, StoreError> {
        let within = sqlx::query_scalar(
            "select match_id from entries where log_id = $1 and match_id between $2 and $3 order by match_id desc limit 1",
        );
        let within = within.bind(self.log().log_id.0).bind(ids.start().0).bind(ids.end().0);
        Ok(within.fetch_optional(self.pool()).await?.map(MatchId))
    }

    pub async fn match_heads(&self, matches: &[MatchId]) -> Result<HashMap<MatchId, Head>, StoreError> {
        let rows = sqlx::query(
            "select wanted.match_id, last.seq, last.leaf from unnest($2::uuid[]) as wanted (match_id) \
             cross join lateral (\
                 select seq, leaf from entries where log_id = $1 and entries.match_id = wanted.match_id \
                 order by seq desc limit 1\
             ) as last",
        )
        .bind(self.log().log_id.0)
        .bind(matches.iter().map(|id| id.0).collect::<Vec<_>>())
        .fetch_all(self.pool())
        .await?;
        rows.iter().map(|row| Ok((MatchId(row.try_get("match_id")?), head(row)?))).collect()
    }

    /// Looks for an append with this submit id: none if the log has none, otherwise true if its request was the same.
    pub async fn submitted(&self, submit: &Submit) -> Result<Option<bool>, StoreError> {
        let same = sqlx::query_scalar("select submit_digest = $3 from entries where log_id = $1 and submit_id = $2")
            .bind(self.log().log_id.0)
            .bind(submit.id.0.as_slice())
            .bind(submit.digest.bytes().as_slice())
            .fetch_optional(self.pool())
            .await?;
        Ok(same)
    }

    /// At most `limit` entries of the log from a position on, in order. The page that follows starts after the last.
    pub async fn entries_from(&self, from: LeafIndex, limit: u32) -> Result<Vec<Stored>, StoreError> {
        entries_from(self.pool(), self.log().log_id, from, limit).await
    }

    /// The ids of at most `limit` matches, in order, after one of them or from the first. Each is looked up separately
    /// in the index of matches, so that their entries are not read.
    pub async fn matches_after(&self, after: Option<MatchId>, limit: u32) -> Result<Vec<MatchId>, StoreError> {
        let ids: Vec<uuid::Uuid> = sqlx::query_scalar(
            "with recursive ids as (\
                 (select match_id from entries where log_id = $1 and ($2::uuid is null or match_id > $2) \
                 order by match_id limit 1) \
                 union all select (\
                     select entries.match_id from entries where log_id = $1 and entries.match_id > ids.match_id \
                     order by entries.match_id limit 1\
                 ) from ids where ids.match_id is not null\
             ) select match_id from ids where match_id is not null limit $3",
        )
        .bind(self.log().log_id.0)
        .bind(after.map(|after| after.0))
        .bind(i64::from(limit))
        .fetch_all(self.pool())
        .await?;
        Ok(ids.into_iter().map(MatchId).collect())
    }

    pub async fn tree_head(&self) -> Result<TreeHead, StoreError> {
        self.tree_head_in(self.pool()).await
    }

    pub(crate) async fn tree_head_in(&self, executor: impl PgExecutor<'_>) -> Result<TreeHead, StoreError> {
        let newest = newest_head(executor, self.log().log_id).await?;
        Ok(newest
            .map_or_else(|| TreeHead { size: TreeSize(0), root: Frontier::new().root(), at: None }, |(head, _)| head))
    }

    /// The first stored tree that covers the entry: that of its own batch. None if the entry is not in the log.
    pub async fn tree_head_covering(&self, index: LeafIndex) -> Result<Option<TreeHead>, StoreError> {
        head_covering(self.pool(), self.log().log_id, index).await
    }
}

pub(super) async fn entries_from(
    executor: impl PgExecutor<'_>,
    log_id: LogId,
    from: LeafIndex,
    limit: u32,
) -> Result<Vec<Stored>, StoreError> {
    let query = sqlx::query(
        "select pos, match_id, seq, leaf, bytes from entries where log_id = $1 and pos >= $2 order by pos limit $3",
    );
    let rows = query.bind(log_id.0).bind(to_bigint(from.0)).bind(i64::from(limit)).fetch_all(executor).await?;
    rows.iter().map(stored).collect()
}

pub(super) async fn newest_head(
    executor: impl PgExecutor<'_>,
    log_id: LogId,
) -> Result<Option<(TreeHead, Frontier)>, StoreError> {
    let row =
        sqlx::query("select size, root, frontier, at from tree_heads where log_id = $1 order by size desc limit 1")
            .bind(log_id.0)
            .fetch_optional(executor)
            .await?;
    let Some(row) = row else { return Ok(None) };
    let head = tree_head(&row)?;
    let corrupt = || StoreError::Corrupt { what: format!("the frontier of tree {} does not give its root", head.size) };
    let peaks = row.try_get::<&[u8], _>("frontier")?.chunks(32).map(Hash::try_from).collect::<Result<_, _>>();
    let frontier = Frontier::from_peaks(head.size, peaks.map_err(|_| corrupt())?).map_err(|_| corrupt())?;
    if frontier.root() == head.root { Ok(Some((head, frontier))) } else { Err(corrupt()) }
}

pub(super) async fn head_covering(
    executor: impl PgExecutor<'_>,
    log_id: LogId,
    index: LeafIndex,
) -> Result<Option<TreeHead>, StoreError> {
    let row =
        sqlx::query("select size, root, at from tree_heads where log_id = $1 and size > $2 order by size limit 1")
            .bind(log_id.0)
            .bind(to_bigint(index.0))
            .fetch_optional(executor)
            .await?;
    row.as_ref().map(tree_head).transpose()
}

/// PostgreSQL has no unsigned integers. Nothing is ever stored beyond the largest signed one.
pub(super) fn to_bigint(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn narrow<A, B: TryFrom<A>>(value: A, column: &str) -> Result<B, StoreError> {
    B::try_from(value).map_err(|_| StoreError::Corrupt { what: format!("a value of column {column} is out of range") })
}

pub(super) fn stored(row: &PgRow) -> Result<Stored, StoreError> {
    Ok(Stored {
        index: LeafIndex(narrow(row.try_get::<i64, _>("pos")?, "pos")?),
        match_id: MatchId(row.try_get("match_id")?),
        seq: Seq(narrow(row.try_get::<i32, _>("seq")?, "seq")?),
        leaf: narrow(row.try_get::<&[u8], _>("leaf")?, "leaf")?,
        bytes: row.try_get("bytes")?,
    })
}

fn tree_head(row: &PgRow) -> Result<TreeHead, StoreError> {
    Ok(TreeHead {
        size: TreeSize(narrow(row.try_get::<i64, _>("size")?, "size")?),
        root: narrow(row.try_get::<&[u8], _>("root")?, "root")?,
        at: Some(narrow(row.try_get::<DateTime<Utc>, _>("at")?, "at")?),
    })
}

/// The head after a match's last entry. The lines of a match, and its words.
pub(super) fn written(row: &PgRow) -> Result<WrittenMatch, StoreError> {
    let commitments: Option<Vec<Vec<u8>>> = row.try_get("commitments")?;
    let keys: Option<Vec<Vec<u8>>> = row.try_get("keys")?;
    let words: Option<Vec<String>> = row.try_get("words")?;
    let texts = commitments.iter().flatten().zip(keys.iter().flatten()).zip(words.into_iter().flatten());
    let texts = texts.map(|((commitment, key), text)| Text::stored(commitment, key, text));
    Ok((row.try_get("lines")?, texts.collect::<Result<_, _>>()?))
}

fn head(row: &PgRow) -> Result<Head, StoreError> {
    let next = narrow::<i32, u32>(row.try_get("seq")?, "seq")?.saturating_add(1);
    Ok(Head { next: Seq(next), leaf: narrow(row.try_get::<&[u8], _>("leaf")?, "leaf")? })
}
