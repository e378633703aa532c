//! The matches whose umpire may read submissions before their decision closes.

use ledger::{LogId, MatchId};
use sqlx::PgPool;

use crate::StoreError;

/// Allows it for a match. Allowing it again changes nothing.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn allow(pool: &PgPool, log_id: LogId, match_id: MatchId) -> Result<(), StoreError> {
    sqlx::query!("insert into sighted (log_id, match_id) values ($1, $2) on conflict do nothing", log_id.0, match_id.0)
        .execute(pool)
        .await?;
    Ok(())
}

/// True if it is allowed for a match.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn is_allowed(pool: &PgPool, log_id: LogId, match_id: MatchId) -> Result<bool, StoreError> {
    let sighted = sqlx::query_scalar!(
        "select exists (select from sighted where log_id = $1 and match_id = $2) as \"sighted!\"",
        log_id.0,
        match_id.0
    );
    Ok(sighted.fetch_one(pool).await?)
}
