//! The umpires whom the umpire of a match named: as helpers, or as commentators.

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId};
use sqlx::{AssertSqlSafe, PgPool};

use crate::StoreError;

/// What an umpire was named for. Each has a table of its own: an older program on the same database knows helpers alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Acts in the match, and sees what its umpire sees.
    Helper,
    /// Writes comments, and nothing else.
    Commentator,
}

impl Duty {
    const fn table(self) -> &'static str {
        match self {
            Self::Helper => "match_helpers",
            Self::Commentator => "match_commentators",
        }
    }
}

/// Names an umpire. Naming one again changes nothing.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn name(
    pool: &PgPool,
    (log_id, match_id): (LogId, MatchId),
    duty: Duty,
    umpire: &str,
    named_by: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let table = duty.table();
    let query = format!(
        "insert into {table} (log_id, match_id, umpire, named_by, named_at) values ($1, $2, $3, $4, $5) \
         on conflict do nothing"
    );
    let named = sqlx::query(AssertSqlSafe(query)).bind(log_id.0).bind(match_id.0);
    named.bind(umpire).bind(named_by).bind(now).execute(pool).await?;
    Ok(())
}

/// Dismisses an umpire: what they did stays. Dismissing one again changes nothing.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn dismiss(
    pool: &PgPool,
    (log_id, match_id): (LogId, MatchId),
    duty: Duty,
    umpire: &str,
) -> Result<(), StoreError> {
    let query = format!("delete from {} where log_id = $1 and match_id = $2 and umpire = $3", duty.table());
    sqlx::query(AssertSqlSafe(query)).bind(log_id.0).bind(match_id.0).bind(umpire).execute(pool).await?;
    Ok(())
}

/// The pseudonyms of those who were named for a match.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn of_match(
    pool: &PgPool,
    (log_id, match_id): (LogId, MatchId),
    duty: Duty,
) -> Result<Vec<String>, StoreError> {
    let query = format!("select umpire from {} where log_id = $1 and match_id = $2 order by umpire", duty.table());
    Ok(sqlx::query_scalar(AssertSqlSafe(query)).bind(log_id.0).bind(match_id.0).fetch_all(pool).await?)
}
