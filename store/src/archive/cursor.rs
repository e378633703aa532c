//! The position in a log up to which the archive was derived.

use ledger::{LeafIndex, LogId};
use sqlx::PgPool;

use crate::StoreError;

/// The position of the next entry to derive; none if the archive was never derived.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn get(pool: &PgPool, log_id: LogId) -> Result<Option<LeafIndex>, StoreError> {
    let pos = sqlx::query_scalar!("select pos from archive_cursor where log_id = $1", log_id.0);
    Ok(pos.fetch_optional(pool).await?.map(|pos| LeafIndex(u64::try_from(pos).unwrap_or(0))))
}

/// Moves the position forward. A position behind the stored one changes nothing.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn advance(pool: &PgPool, log_id: LogId, next: LeafIndex) -> Result<(), StoreError> {
    sqlx::query!(
        "insert into archive_cursor (log_id, pos) values ($1, $2) \
         on conflict (log_id) do update set pos = excluded.pos where archive_cursor.pos < excluded.pos",
        log_id.0,
        i64::try_from(next.0).unwrap_or(i64::MAX)
    )
    .execute(pool)
    .await?;
    Ok(())
}
