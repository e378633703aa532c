//! Imports that are held against the record: one at a time, on all nodes.

use sqlx::{Executor, PgPool, Postgres, Transaction};

use crate::StoreError;
use crate::transaction;

/// A turn. It ends when this is dropped.
#[derive(Debug)]
pub struct ImportTurn {
    _lock: Transaction<'static, Postgres>,
}

/// The longest wait, and the longest pause of whoever has a turn: another node may have frozen with it.
const LIMITS: &str = "set local lock_timeout = '20s'; set local idle_in_transaction_session_timeout = '60s'";

/// Waits for a turn. It takes a connection of its own for as long as it lasts.
pub async fn turn(pool: &PgPool) -> Result<ImportTurn, StoreError> {
    let mut lock = transaction::begin(pool).await?;
    lock.execute(LIMITS).await?;
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('imports', 0))").execute(&mut *lock).await?;
    Ok(ImportTurn { _lock: lock })
}
