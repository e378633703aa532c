//! The values that matches of the archive have, as choices for a form.

use ledger::LogId;
use sqlx::PgPool;

use crate::StoreError;

pub async fn umpires(pool: &PgPool, log_id: LogId, limit: i64) -> Result<Vec<String>, StoreError> {
    let umpires = sqlx::query_scalar!(
        "with recursive umpires as ( \
             (select umpire from archive where log_id = $1 order by umpire limit 1) \
             union all select (select a.umpire from archive as a where a.log_id = $1 and a.umpire > umpires.umpire \
                 order by a.umpire limit 1) from umpires where umpires.umpire is not null \
         ) select umpire as \"umpire!\" from umpires where umpire is not null limit $2",
        log_id.0,
        limit
    );
    Ok(umpires.fetch_all(pool).await?)
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

pub async fn endings(pool: &PgPool, log_id: LogId, limit: i64) -> Result<Vec<String>, StoreError> {
    let endings = sqlx::query_scalar!(
        "with recursive reasons as ( \
             (select reason from archive where log_id = $1 and reason > '' order by reason limit 1) \
             union all select (select a.reason from archive as a where a.log_id = $1 and a.reason > reasons.reason \
                 order by a.reason limit 1) from reasons where reasons.reason is not null \
         ) select reason as \"reason!\" from reasons where reason is not null limit $2",
        log_id.0,
        limit
    );
    Ok(endings.fetch_all(pool).await?)
}
