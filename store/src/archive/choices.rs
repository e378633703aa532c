//! The values that matches of the archive have, as choices for a form.

use ledger::LogId;
use sqlx::PgPool;

use super::names::{KeyRange, distinct};
use crate::StoreError;

pub async fn umpires(pool: &PgPool, log_id: LogId, limit: i64) -> Result<Vec<String>, StoreError> {
    distinct(pool, log_id, ("archive", "umpire"), &KeyRange::default(), limit).await
}

pub async fn endings(pool: &PgPool, log_id: LogId, limit: i64) -> Result<Vec<String>, StoreError> {
    // A match that runs has none.
    let ended = KeyRange { after: Some(""), ..KeyRange::default() };
    distinct(pool, log_id, ("archive", "reason"), &ended, limit).await
}

pub async fn tags(pool: &PgPool, log_id: LogId, newest: i64, limit: i64) -> Result<Vec<String>, StoreError> {
    let tags = sqlx::query_scalar!(
        "select tag as \"tag!\" from (\
             select tag from (select tags from archive where log_id = $1 and tags <> '{}' \
                 order by played_at desc, match_id desc limit $2) as newest, unnest(newest.tags) as tag \
             group by tag order by count(*) desc, tag limit $3\
         ) as frequent order by tag collate \"C\"",
        log_id.0,
        newest,
        limit
    );
    Ok(tags.fetch_all(pool).await?)
}
