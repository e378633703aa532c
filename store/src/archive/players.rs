//! The players in the archive, by the key of their name, and the matches of each.

use chrono::{DateTime, Utc};
use ledger::LogId;
use sqlx::PgPool;

use super::COUNT_MAX;
use crate::StoreError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerRow {
    pub key: String,
    pub name: String,
    pub matches: i64,
    pub last: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    pub ruleset: String,
    /// `p1` or `p2`.
    pub seat: String,
    pub dmo: Option<bool>,
    /// `won`, `lost`, `undecided`, `void` or `*`.
    pub standing: String,
    pub n: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opponent {
    pub key: String,
    pub name: String,
    pub n: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerMoves {
    pub ruleset: String,
    pub moves: String,
}

/// The keys of players that begin with this text, in order, after a key if one is given. Each is found by itself in the
/// index, so the matches of a player are not read.
pub async fn keys_after(
    pool: &PgPool,
    log_id: LogId,
    begins: &str,
    after: Option<&str>,
    limit: i64,
) -> Result<Vec<String>, StoreError> {
    let keys = sqlx::query_scalar!(
        "with recursive keys as ( \
             (select key from archive_seats where log_id = $1 and key >= $2 and key < $2 || chr(1114111) \
                 and ($3::text is null or key > $3) order by key limit 1) \
             union all select (select s.key from archive_seats as s where s.log_id = $1 and s.key > keys.key \
                 and s.key < $2 || chr(1114111) order by s.key limit 1) from keys where keys.key is not null \
         ) select key as \"key!\" from keys where key is not null limit $4",
        log_id.0,
        begins,
        after,
        limit
    );
    Ok(keys.fetch_all(pool).await?)
}

pub async fn keys_before(
    pool: &PgPool,
    log_id: LogId,
    begins: &str,
    before: &str,
    limit: i64,
) -> Result<Vec<String>, StoreError> {
    let keys = sqlx::query_scalar!(
        "with recursive keys as ( \
             (select key from archive_seats where log_id = $1 and key >= $2 and key < $3 \
                 and key < $2 || chr(1114111) order by key desc limit 1) \
             union all select (select s.key from archive_seats as s where s.log_id = $1 and s.key < keys.key \
                 and s.key >= $2 order by s.key desc limit 1) from keys where keys.key is not null \
         ) select key as \"key!\" from keys where key is not null limit $4",
        log_id.0,
        begins,
        before,
        limit
    );
    Ok(keys.fetch_all(pool).await?)
}

pub async fn list(pool: &PgPool, log_id: LogId, keys: &[String]) -> Result<Vec<PlayerRow>, StoreError> {
    let rows = sqlx::query!(
        "select keys.key as \"key!\", last.name, last.played_at, ( \
             select count(*) from (select 1 from archive_seats as s where s.log_id = $1 and s.key = keys.key limit $3) \
             as found) as \"found!\" \
         from unnest($2::text[]) with ordinality as keys (key, n), \
         lateral (select s.name, s.played_at from archive_seats as s where s.log_id = $1 and s.key = keys.key \
             order by s.played_at desc, s.match_id desc limit 1) as last order by keys.n",
        log_id.0,
        keys,
        COUNT_MAX + 1
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let players = rows.map(|row| PlayerRow { key: row.key, name: row.name, matches: row.found, last: row.played_at });
    Ok(players.collect())
}

pub async fn name(pool: &PgPool, log_id: LogId, key: &str) -> Result<Option<String>, StoreError> {
    let name = sqlx::query_scalar!(
        "select name from archive_seats where log_id = $1 and key = $2 order by played_at desc, match_id desc limit 1",
        log_id.0,
        key
    );
    Ok(name.fetch_optional(pool).await?)
}

pub async fn names(pool: &PgPool, log_id: LogId, keys: &[String]) -> Result<Vec<String>, StoreError> {
    let names = sqlx::query_scalar!(
        "select last.name from unnest($2::text[]) with ordinality as keys (key, n), \
         lateral (select s.name from archive_seats as s where s.log_id = $1 and s.key = keys.key \
             order by s.played_at desc, s.match_id desc limit 1) as last order by keys.n",
        log_id.0,
        keys
    );
    Ok(names.fetch_all(pool).await?)
}

pub async fn tallies(pool: &PgPool, log_id: LogId, key: &str, against: Option<&str>) -> Result<Vec<Tally>, StoreError> {
    // Two queries, so that PostgreSQL plans each of them once for everybody.
    let Some(other) = against else {
        let tallies = sqlx::query_as!(
            Tally,
            "select ruleset, seat, dmo, standing, count(*) as \"n!\" from archive_seats \
             where log_id = $1 and key = $2 \
             group by ruleset, seat, dmo, standing order by ruleset, seat, dmo, standing",
            log_id.0,
            key
        );
        return Ok(tallies.fetch_all(pool).await?);
    };
    let tallies = sqlx::query_as!(
        Tally,
        "select ruleset, seat, dmo, standing, count(*) as \"n!\" from archive_seats \
         where log_id = $1 and key = $2 and other = $3 \
         group by ruleset, seat, dmo, standing order by ruleset, seat, dmo, standing",
        log_id.0,
        key,
        other
    );
    Ok(tallies.fetch_all(pool).await?)
}

pub async fn opponents(pool: &PgPool, log_id: LogId, key: &str) -> Result<Vec<Opponent>, StoreError> {
    let opponents = sqlx::query_as!(
        Opponent,
        "select met.other as \"key!\", met.n as \"n!\", last.name from ( \
             select other, count(*) as n from archive_seats where log_id = $1 and key = $2 and other is not null \
             group by other order by n desc, other limit 12 \
         ) as met, lateral (select s.name from archive_seats as s where s.log_id = $1 and s.key = met.other \
             order by s.played_at desc, s.match_id desc limit 1) as last order by met.n desc, met.other",
        log_id.0,
        key
    );
    Ok(opponents.fetch_all(pool).await?)
}

pub async fn latest_moves(pool: &PgPool, log_id: LogId, key: &str) -> Result<Vec<PlayerMoves>, StoreError> {
    let moves = sqlx::query_as!(
        PlayerMoves,
        "select ruleset, moves from archive_seats where log_id = $1 and key = $2 and standing <> '*' and standing <> 'void' \
         order by played_at desc, match_id desc limit 100",
        log_id.0,
        key
    );
    Ok(moves.fetch_all(pool).await?)
}
