//! All matches in the order of their ids, in parts of equal size, for search engines.

use chrono::{DateTime, Utc};
use ledger::LogId;
use sqlx::PgPool;
use uuid::Uuid;

use crate::StoreError;

pub async fn starts(pool: &PgPool, log_id: LogId, each: i64) -> Result<Vec<Uuid>, StoreError> {
    let starts = sqlx::query_scalar(
        "select match_id from (\
             select match_id, row_number() over (order by match_id) as n from archive where log_id = $1\
         ) as numbered where (n - 1) % $2 = 0 order by match_id",
    );
    Ok(starts.bind(log_id.0).bind(each).fetch_all(pool).await?)
}

pub async fn part(
    pool: &PgPool,
    log_id: LogId,
    start: Uuid,
    limit: i64,
) -> Result<Vec<(String, DateTime<Utc>)>, StoreError> {
    let part = sqlx::query_as(
        "select slug, changed_at from archive where log_id = $1 and match_id >= $2 order by match_id limit $3",
    );
    Ok(part.bind(log_id.0).bind(start).bind(limit).fetch_all(pool).await?)
}
