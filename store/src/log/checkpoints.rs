//! The signed trees: the head, which moves only by compare-and-swap, and every signed checkpoint.

use chrono::{DateTime, Utc};
use ledger::{LogId, Moment, Origin, Tree, TreeSize};
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{Connection, Row};

use super::read::{narrow, to_bigint};
use super::{Store, StoreError};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Term(pub u16);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignedHead {
    pub term: Term,
    pub tree: Tree,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedCheckpoint {
    pub term: Term,
    pub tree: Tree,
    /// The signed note, with only the log's signature.
    pub note: String,
    pub at: Moment,
}

/// A new origin of the log, with new keys, because it could not continue under the previous one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Succession {
    pub term: Term,
    pub origin: Origin,
    /// The last tree signed in the previous term that the entries still have.
    pub common: Tree,
    pub last: Tree,
    /// The public half of the key that signs checkpoints from here on.
    pub log_key: [u8; 32],
    /// The public half of the host's key for receipts from here on.
    pub host_key: [u8; 32],
    /// The signature of the key before, as a line of a note; none if that key is lost.
    pub named: Option<String>,
    pub at: Moment,
}

impl Store {
    /// The public half of the key that signs checkpoints: the stored one; at the first start this one is stored.
    pub async fn log_key(&self, public: [u8; 32], at: Moment) -> Result<[u8; 32], StoreError> {
        // Of two simultaneous first starts one inserts, and both read the inserted row.
        sqlx::query("insert into log_keys (log_id, public_key, created_at) values ($1, $2, $3) on conflict do nothing")
            .bind(self.log().log_id.0)
            .bind(public.as_slice())
            .bind(at.to_utc())
            .execute(self.pool())
            .await?;
        let query = sqlx::query_scalar("select public_key from log_keys where log_id = $1");
        let stored: Vec<u8> = query.bind(self.log().log_id.0).fetch_one(self.pool()).await?;
        narrow(stored, "public_key")
    }

    pub async fn signed_head(&self) -> Result<Option<SignedHead>, StoreError> {
        let query = sqlx::query("select term, size, root from signed_head where log_id = $1");
        let row = query.bind(self.log().log_id.0).fetch_optional(self.pool()).await?;
        row.map(|row| Ok(SignedHead { term: term(&row)?, tree: tree(&row)? })).transpose()
    }

    /// Moves the head from `seen` to this checkpoint and stores the checkpoint, in one statement. False if the head has
    /// moved since, and then nothing was changed; it may have been moved by an attempt of ours whose answer was lost.
    /// After an error the head shows whether it was stored.
    pub async fn sign(&self, seen: Option<SignedHead>, next: &SignedCheckpoint) -> Result<bool, StoreError> {
        // The row exists from the first signature on, and is never deleted: without a row, `seen` must be none.
        let moved = sqlx::query(
            "with head as (\
                 insert into signed_head as head (log_id, term, size, root, at) \
                 select $1, $2, $3, $4, $5 \
                 where $7::smallint is null or exists (select from signed_head where log_id = $1) \
                 on conflict (log_id) do update \
                     set term = excluded.term, size = excluded.size, root = excluded.root, at = excluded.at \
                     where (head.term, head.size, head.root) = ($7, $8, $9) \
                 returning 1\
             ) \
             insert into checkpoints (log_id, term, size, root, note, at) \
             select $1, $2, $3, $4, $6, $5 from head on conflict do nothing",
        )
        .bind(self.log().log_id.0)
        .bind(term_column(next.term))
        .bind(to_bigint(next.tree.size.0))
        .bind(next.tree.root.bytes().as_slice())
        .bind(next.at.to_utc())
        .bind(next.note.as_bytes())
        .bind(seen.map(|seen| term_column(seen.term)))
        .bind(seen.map(|seen| to_bigint(seen.tree.size.0)))
        .bind(seen.map(|seen| seen.tree.root.bytes().to_vec()))
        .execute(self.pool())
        .await?;
        Ok(moved.rows_affected() > 0)
    }

    pub async fn latest_checkpoint(&self) -> Result<Option<SignedCheckpoint>, StoreError> {
        let query = sqlx::query(
            "select term, size, root, note, at from checkpoints where log_id = $1 order by term desc, size desc limit 1",
        );
        let row = query.bind(self.log().log_id.0).fetch_optional(self.pool()).await?;
        row.as_ref().map(checkpoint).transpose()
    }

    pub async fn checkpoint_at(&self, size: TreeSize) -> Result<Option<SignedCheckpoint>, StoreError> {
        let query = sqlx::query(
            "select term, size, root, note, at from checkpoints where log_id = $1 and size = $2 \
             order by term desc limit 1",
        );
        let row = query.bind(self.log().log_id.0).bind(to_bigint(size.0)).fetch_optional(self.pool()).await?;
        row.as_ref().map(checkpoint).transpose()
    }

    pub async fn checkpoints_at(&self, sizes: &[TreeSize]) -> Result<Vec<SignedCheckpoint>, StoreError> {
        let sizes: Vec<i64> = sizes.iter().map(|size| to_bigint(size.0)).collect();
        let query = sqlx::query(
            "select term, size, root, note, at from checkpoints \
             where log_id = $1 and size = any($2) order by term, size desc",
        );
        let rows = query.bind(self.log().log_id.0).bind(sizes).fetch_all(self.pool()).await?;
        rows.iter().map(checkpoint).collect()
    }

    pub async fn checkpoint_up_to(&self, term: Term, size: TreeSize) -> Result<Option<SignedCheckpoint>, StoreError> {
        let row = sqlx::query(
            "select term, size, root, note, at from checkpoints where log_id = $1 and term = $2 and size <= $3 \
             order by size desc limit 1",
        )
        .bind(self.log().log_id.0)
        .bind(term_column(term))
        .bind(to_bigint(size.0))
        .fetch_optional(self.pool())
        .await?;
        row.as_ref().map(checkpoint).transpose()
    }

    pub async fn checkpoints_from(
        &self,
        term: Term,
        size: TreeSize,
        at_most: i64,
    ) -> Result<Vec<SignedCheckpoint>, StoreError> {
        let rows = sqlx::query(
            "select term, size, root, note, at from checkpoints where log_id = $1 and term = $2 and size >= $3 \
             order by size limit $4",
        )
        .bind(self.log().log_id.0)
        .bind(term_column(term))
        .bind(to_bigint(size.0))
        .bind(at_most)
        .fetch_all(self.pool())
        .await?;
        rows.iter().map(checkpoint).collect()
    }

    pub async fn successions(&self) -> Result<Vec<Succession>, StoreError> {
        let query = sqlx::query(
            "select term, origin, size, root, last_size, last_root, log_key, host_key, named, at from successions \
             where log_id = $1 order by term",
        );
        let rows = query.bind(self.log().log_id.0).fetch_all(self.pool()).await?;
        rows.iter().map(succession).collect()
    }
}

pub(super) async fn last_succession(
    connection: &mut PgConnection,
    log_id: LogId,
) -> Result<Option<Moment>, StoreError> {
    let last = sqlx::query("select at from successions where log_id = $1 order by term desc limit 1");
    last.bind(log_id.0).fetch_optional(connection).await?.as_ref().map(moment).transpose()
}

/// Starts a new term. `owner` must be a connection with the right to do so, which the serving role lacks.
///
/// False if the head has moved since, and then nothing was changed.
pub async fn succeed(
    owner: &mut PgConnection,
    log_id: LogId,
    seen: Option<SignedHead>,
    next: &Succession,
) -> Result<bool, StoreError> {
    let mut all = owner.begin().await?;
    let query = sqlx::query("select term, size, root from signed_head where log_id = $1 for update");
    let row = query.bind(log_id.0).fetch_optional(&mut *all).await?;
    let head = row.map(|row| Ok::<_, StoreError>(SignedHead { term: term(&row)?, tree: tree(&row)? })).transpose()?;
    if head != seen {
        return Ok(false);
    }
    sqlx::query(
        "insert into successions \
             (log_id, term, origin, size, root, at, last_size, last_root, log_key, host_key, named) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(log_id.0)
    .bind(term_column(next.term))
    .bind(next.origin.as_str())
    .bind(to_bigint(next.common.size.0))
    .bind(next.common.root.bytes().as_slice())
    .bind(next.at.to_utc())
    .bind(to_bigint(next.last.size.0))
    .bind(next.last.root.bytes().as_slice())
    .bind(next.log_key.as_slice())
    .bind(next.host_key.as_slice())
    .bind(next.named.as_deref())
    .execute(&mut *all)
    .await?;
    sqlx::query(
        "insert into signed_head (log_id, term, size, root, at) values ($1, $2, $3, $4, $5) on conflict (log_id) \
         do update set term = excluded.term, size = excluded.size, root = excluded.root, at = excluded.at",
    )
    .bind(log_id.0)
    .bind(term_column(next.term))
    .bind(to_bigint(next.common.size.0))
    .bind(next.common.root.bytes().as_slice())
    .bind(next.at.to_utc())
    .execute(&mut *all)
    .await?;
    // The writer begins after its newest tree. Those over lost entries would keep it from ever beginning.
    sqlx::query(
        "delete from tree_heads where log_id = $1 \
         and size > (select coalesce(max(pos) + 1, 0) from entries where log_id = $1)",
    )
    .bind(log_id.0)
    .execute(&mut *all)
    .await?;
    // Tiles are derived, and may belong to lost entries. The next survey writes them again.
    sqlx::query("delete from tiles where log_id = $1").bind(log_id.0).execute(&mut *all).await?;
    // A crash before this leaves everything as it was.
    all.commit().await?;
    Ok(true)
}

pub(super) fn term_column(term: Term) -> i16 {
    i16::try_from(term.0).unwrap_or(i16::MAX)
}

fn term(row: &PgRow) -> Result<Term, StoreError> {
    Ok(Term(narrow(row.try_get::<i16, _>("term")?, "term")?))
}

fn tree(row: &PgRow) -> Result<Tree, StoreError> {
    let size = TreeSize(narrow(row.try_get::<i64, _>("size")?, "size")?);
    Ok(Tree { size, root: narrow(row.try_get::<&[u8], _>("root")?, "root")? })
}

fn moment(row: &PgRow) -> Result<Moment, StoreError> {
    narrow(row.try_get::<DateTime<Utc>, _>("at")?, "at")
}

fn checkpoint(row: &PgRow) -> Result<SignedCheckpoint, StoreError> {
    let note = String::from_utf8(row.try_get("note")?)
        .map_err(|_| StoreError::Corrupt { what: "a checkpoint is not text".to_owned() })?;
    Ok(SignedCheckpoint { term: term(row)?, tree: tree(row)?, note, at: moment(row)? })
}

fn succession(row: &PgRow) -> Result<Succession, StoreError> {
    let origin = row.try_get::<&str, _>("origin")?.parse();
    let origin = origin.map_err(|_| StoreError::Corrupt { what: "a succession has no origin".to_owned() })?;
    let key = |column: &'static str| narrow(row.try_get::<&[u8], _>(column)?, column);
    Ok(Succession {
        term: term(row)?,
        origin,
        common: tree(row)?,
        last: Tree {
            size: TreeSize(narrow(row.try_get::<i64, _>("last_size")?, "last_size")?),
            root: narrow(row.try_get::<&[u8], _>("last_root")?, "last_root")?,
        },
        log_key: key("log_key")?,
        host_key: key("host_key")?,
        named: row.try_get("named")?,
        at: moment(row)?,
    })
}
