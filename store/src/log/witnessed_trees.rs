//! The trees of other logs that this installation has seen as a witness.
//!
//! A row only grows, by compare-and-swap on the tree that the caller decided from. So two requests, even in two
//! processes, cannot both advance it from the same tree, and nothing is cosigned that was not stored before.

use ledger::{Moment, Tree, TreeSize};
use sqlx::{PgPool, Row};

use super::read::narrow;
use super::{StoreError, server_check};

#[derive(Debug, Clone)]
pub struct WitnessedTrees {
    pool: PgPool,
}

impl WitnessedTrees {
    /// Opens it on a migrated database. A server that may lose acknowledged data is refused: a witness that forgets
    /// would cosign a second history.
    pub async fn open(pool: PgPool) -> Result<Self, StoreError> {
        server_check::check_server(&pool).await?;
        Ok(Self { pool })
    }

    pub async fn seen(&self, origin: &str) -> Result<Option<Tree>, StoreError> {
        let query = sqlx::query("select size, root from witnessed where origin = $1");
        let row = query.bind(origin).fetch_optional(&self.pool).await?;
        let tree = |row: sqlx::postgres::PgRow| {
            Ok(Tree {
                size: TreeSize(narrow(row.try_get::<i64, _>("size")?, "size")?),
                root: narrow(row.try_get::<&[u8], _>("root")?, "root")?,
            })
        };
        row.map(tree).transpose()
    }

    /// Replaces `seen` with `next`, which was proven to extend it. False if another request has replaced it since. It
    /// must also be called if both are the same tree, because only its answer proves that nothing larger was seen
    /// before. Once this returns true, the change is durable; after an error nothing may be cosigned.
    pub async fn advance(&self, origin: &str, seen: Option<Tree>, next: Tree, at: Moment) -> Result<bool, StoreError> {
        let at = at.to_utc();
        let done = match seen {
            None => {
                sqlx::query(
                    "insert into witnessed (origin, size, root, at) values ($1, $2, $3, $4) on conflict do nothing",
                )
                .bind(origin)
                .bind(narrow::<u64, i64>(next.size.0, "size")?)
                .bind(next.root.bytes().as_slice())
                .bind(at)
                .execute(&self.pool)
                .await?
            }
            Some(seen) => {
                sqlx::query(
                    "update witnessed set size = $2, root = $3, at = $4 \
                     where origin = $1 and size = $5 and root = $6 and $2 >= $5",
                )
                .bind(origin)
                .bind(narrow::<u64, i64>(next.size.0, "size")?)
                .bind(next.root.bytes().as_slice())
                .bind(at)
                .bind(narrow::<u64, i64>(seen.size.0, "size")?)
                .bind(seen.root.bytes().as_slice())
                .execute(&self.pool)
                .await?
            }
        };
        Ok(done.rows_affected() == 1)
    }

    /// Stores the cosigned checkpoint of the tree, for monitors. If a larger tree was seen meanwhile, that tree's
    /// checkpoint is kept instead.
    pub async fn keep_note(&self, origin: &str, tree: Tree, note: &str) -> Result<(), StoreError> {
        sqlx::query("update witnessed set note = $2 where origin = $1 and size = $3 and root = $4")
            .bind(origin)
            .bind(note.as_bytes())
            .bind(narrow::<u64, i64>(tree.size.0, "size")?)
            .bind(tree.root.bytes().as_slice())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    pub async fn note(&self, origin: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let query = sqlx::query_scalar("select note from witnessed where origin = $1");
        let note = query.bind(origin).fetch_optional(&self.pool).await?;
        Ok(note.flatten())
    }
}
