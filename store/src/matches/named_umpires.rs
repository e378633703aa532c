//! The umpires whom the umpire of a match named: as helpers, or as commentators.

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId};
use sqlx::{AssertSqlSafe, PgConnection, PgPool};

use crate::accounts::activity::{self, NewEvent};
use crate::{StoreError, transaction};

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

#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Naming {
    pub umpire: String,
    pub named_by: String,
    pub named_at: DateTime<Utc>,
}

pub async fn name(
    pool: &PgPool,
    place: (LogId, MatchId),
    duty: Duty,
    named_by: &str,
    event: &NewEvent<'_>,
) -> Result<(), StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    delete(&mut transaction, place, duty, event).await?;
    let query = format!(
        "insert into {} (log_id, match_id, umpire, named_by, named_at) values ($1, $2, $3, $4, $5) on conflict do nothing",
        duty.table()
    );
    let named = sqlx::query(AssertSqlSafe(query)).bind(place.0.0).bind(place.1.0).bind(event.umpire_id);
    named.bind(named_by).bind(event.at).execute(&mut *transaction).await?;
    activity::add(&mut transaction, event).await?;
    Ok(transaction.commit().await?)
}

/// Dismisses the umpire of an event: what they did stays. Dismissing one again changes nothing.
pub async fn dismiss(
    pool: &PgPool,
    place: (LogId, MatchId),
    duty: Duty,
    event: &NewEvent<'_>,
) -> Result<(), StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    if delete(&mut transaction, place, duty, event).await? {
        activity::add(&mut transaction, event).await?;
    }
    Ok(transaction.commit().await?)
}

async fn delete(
    connection: &mut PgConnection,
    (log_id, match_id): (LogId, MatchId),
    duty: Duty,
    event: &NewEvent<'_>,
) -> Result<bool, StoreError> {
    let query = format!("delete from {} where log_id = $1 and match_id = $2 and umpire = $3", duty.table());
    let deleted = sqlx::query(AssertSqlSafe(query)).bind(log_id.0).bind(match_id.0).bind(event.umpire_id);
    Ok(deleted.execute(connection).await?.rows_affected() > 0)
}

/// All who were ever named for a match and not dismissed, also by an umpire whose match it was.
pub async fn of_match(
    pool: &PgPool,
    (log_id, match_id): (LogId, MatchId),
    duty: Duty,
) -> Result<Vec<Naming>, StoreError> {
    let query = format!(
        "select umpire, named_by, named_at from {} where log_id = $1 and match_id = $2 order by umpire",
        duty.table()
    );
    Ok(sqlx::query_as(AssertSqlSafe(query)).bind(log_id.0).bind(match_id.0).fetch_all(pool).await?)
}
