//! The umpires whom the umpire of a match named as commentators.

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId};
use sqlx::PgPool;

use crate::StoreError;

/// Names an umpire as commentator. Naming one again changes nothing.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn name(
    pool: &PgPool,
    (log_id, match_id): (LogId, MatchId),
    umpire: &str,
    named_by: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query(
        "insert into match_commentators (log_id, match_id, umpire, named_by, named_at) values ($1, $2, $3, $4, $5) \
         on conflict do nothing",
    )
    .bind(log_id.0)
    .bind(match_id.0)
    .bind(umpire)
    .bind(named_by)
    .bind(now)
    .execute(pool)
    .await?;
    Ok(())
}

/// Ends an umpire's comments there. Those that are written stay. Ending them again changes nothing.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn dismiss(pool: &PgPool, log_id: LogId, match_id: MatchId, umpire: &str) -> Result<(), StoreError> {
    sqlx::query("delete from match_commentators where log_id = $1 and match_id = $2 and umpire = $3")
        .bind(log_id.0)
        .bind(match_id.0)
        .bind(umpire)
        .execute(pool)
        .await?;
    Ok(())
}

/// The pseudonyms of a match's commentators.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn of_match(pool: &PgPool, log_id: LogId, match_id: MatchId) -> Result<Vec<String>, StoreError> {
    let commentators =
        sqlx::query_scalar("select umpire from match_commentators where log_id = $1 and match_id = $2 order by umpire");
    Ok(commentators.bind(log_id.0).bind(match_id.0).fetch_all(pool).await?)
}
