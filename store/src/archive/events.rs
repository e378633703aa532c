//! The tournaments in the archive, by the key of their name.

use chrono::{DateTime, Utc};
use ledger::LogId;
use sqlx::PgPool;

use super::COUNT_MAX;
use crate::StoreError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRow {
    pub key: String,
    pub name: String,
    pub matches: i64,
    pub first: DateTime<Utc>,
    pub last: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventPlayer {
    pub key: String,
    pub name: String,
    pub won: i64,
    pub lost: i64,
    pub other: i64,
    pub running: i64,
}

pub async fn keys_after(
    pool: &PgPool,
    log_id: LogId,
    after: Option<&str>,
    limit: i64,
) -> Result<Vec<String>, StoreError> {
    let keys = sqlx::query_scalar!(
        "with recursive keys as ( \
             (select event_key as key from archive where log_id = $1 and event_key > coalesce($2, '') \
                 order by event_key limit 1) \
             union all select (select a.event_key from archive as a where a.log_id = $1 \
                 and a.event_key > keys.key order by a.event_key limit 1) from keys where keys.key is not null \
         ) select key as \"key!\" from keys where key is not null limit $3",
        log_id.0,
        after,
        limit
    );
    Ok(keys.fetch_all(pool).await?)
}

pub async fn keys_before(pool: &PgPool, log_id: LogId, before: &str, limit: i64) -> Result<Vec<String>, StoreError> {
    let keys = sqlx::query_scalar!(
        "with recursive keys as ( \
             (select event_key as key from archive where log_id = $1 and event_key < $2 \
                 order by event_key desc limit 1) \
             union all select (select a.event_key from archive as a where a.log_id = $1 \
                 and a.event_key < keys.key order by a.event_key desc limit 1) \
             from keys where keys.key is not null \
         ) select key as \"key!\" from keys where key is not null limit $3",
        log_id.0,
        before,
        limit
    );
    Ok(keys.fetch_all(pool).await?)
}

pub async fn names(pool: &PgPool, log_id: LogId, keys: &[String]) -> Result<Vec<String>, StoreError> {
    let names = sqlx::query_scalar!(
        "select last.event as \"name!\" from unnest($2::text[]) with ordinality as keys (key, n), \
         lateral (select a.event from archive as a where a.log_id = $1 and a.event_key = keys.key \
             order by a.played_at desc, a.match_id desc limit 1) as last order by keys.n",
        log_id.0,
        keys
    );
    Ok(names.fetch_all(pool).await?)
}

pub async fn list(pool: &PgPool, log_id: LogId, keys: &[String]) -> Result<Vec<EventRow>, StoreError> {
    let rows = sqlx::query!(
        "select keys.key as \"key!\", last.event as \"name!\", last.played_at as last, first.played_at as first, ( \
             select count(*) from (select 1 from archive as a where a.log_id = $1 and a.event_key = keys.key limit $3) \
             as found) as \"found!\" \
         from unnest($2::text[]) with ordinality as keys (key, n), \
         lateral (select a.event, a.played_at from archive as a where a.log_id = $1 and a.event_key = keys.key \
             order by a.played_at desc, a.match_id desc limit 1) as last, \
         lateral (select a.played_at from archive as a where a.log_id = $1 and a.event_key = keys.key \
             order by a.played_at, a.match_id limit 1) as first order by keys.n",
        log_id.0,
        keys,
        COUNT_MAX + 1
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let events =
        rows.map(|row| EventRow { key: row.key, name: row.name, matches: row.found, first: row.first, last: row.last });
    Ok(events.collect())
}

pub async fn players(pool: &PgPool, log_id: LogId, key: &str, limit: i64) -> Result<Vec<EventPlayer>, StoreError> {
    let players = sqlx::query_as!(
        EventPlayer,
        "select key, max(name) as \"name!\", count(*) filter (where standing = 'won') as \"won!\", \
             count(*) filter (where standing = 'lost') as \"lost!\", \
             count(*) filter (where standing = 'undecided') as \"other!\", \
             count(*) filter (where standing = '*') as \"running!\" \
         from archive_seats where log_id = $1 and event_key = $2 and standing <> 'void' \
         group by key order by 3 desc, 4, key limit $3",
        log_id.0,
        key,
        limit
    );
    Ok(players.fetch_all(pool).await?)
}

pub async fn rulesets(pool: &PgPool, log_id: LogId, key: &str) -> Result<Vec<(String, i64)>, StoreError> {
    let rulesets = sqlx::query!(
        "select ruleset, count(*) as \"n!\" from archive where log_id = $1 and event_key = $2 \
         group by ruleset order by 2 desc, 1",
        log_id.0,
        key
    );
    Ok(rulesets.fetch_all(pool).await?.into_iter().map(|row| (row.ruleset, row.n)).collect())
}
