//! Imports that are held against the record: one at a time, on all nodes.

use sqlx::{PgPool, Postgres, Transaction};

use crate::StoreError;
use crate::transaction;

/// A turn. It ends when this is dropped.
#[derive(Debug)]
pub struct ImportTurn {
    _lock: Transaction<'static, Postgres>,
}

/// Waits for a turn. It takes a connection of its own for as long as it lasts.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn turn(pool: &PgPool) -> Result<ImportTurn, StoreError> {
    let mut lock = transaction::begin(pool).await?;
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('imports', 0))").execute(&mut *lock).await?;
    Ok(ImportTurn { _lock: lock })
}
