//! The players in the archive, by the key of their name, and the matches of each.

use chrono::{DateTime, Utc};
use ledger::LogId;
use serde::Serialize;
use sqlx::{FromRow, PgPool, QueryBuilder};
use utoipa::ToSchema;

use super::count::{COUNT_MAX, Count};
use crate::{StoreError, timestamp};

/// A player in the list.
#[derive(Clone, Debug, PartialEq, Eq, FromRow, Serialize, ToSchema)]
#[schema(as = ListedPlayer)]
pub struct PlayerRow {
    /// The name as it is compared: without case and accents. It names the player in addresses.
    #[schema(example = "ada")]
    pub key: String,
    /// The name as it was written last.
    #[schema(example = "Ada")]
    pub name: String,
    #[sqlx(try_from = "i64")]
    pub matches: Count,
    /// When the last of them was played.
    #[serde(serialize_with = "timestamp::serialize")]
    #[schema(value_type = String)]
    pub last: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Tally {
    pub ruleset: String,
    /// `p1` or `p2`.
    pub seat: String,
    pub dmo: Option<bool>,
    /// `won`, `lost`, `undecided`, `void` or `*`.
    pub standing: String,
    /// True where only the result is known: then nobody told the seats, either.
    pub result_only: bool,
    pub n: i64,
}

/// Somebody by name.
#[derive(Clone, Debug, PartialEq, Eq, FromRow, Serialize, ToSchema)]
pub struct PlayerName {
    /// The name as it is compared.
    #[schema(example = "ada")]
    pub key: String,
    /// The name as it was written last.
    #[schema(example = "Ada")]
    pub name: String,
}

/// Somebody whom a player met.
#[derive(Clone, Debug, PartialEq, Eq, FromRow, Serialize, ToSchema)]
pub struct Opponent {
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub named: PlayerName,
    /// How often.
    pub matches: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerMoves {
    pub ruleset: String,
    pub moves: String,
}

pub async fn list(pool: &PgPool, log_id: LogId, keys: &[String]) -> Result<Vec<PlayerRow>, StoreError> {
    let rows = sqlx::query_as(
        "select keys.key, last.name, last.played_at as last, ( \
             select count(*) from (select 1 from archive_seats as s where s.log_id = $1 and s.key = keys.key limit $3) \
             as found) as matches \
         from unnest($2::text[]) with ordinality as keys (key, n), \
         lateral (select s.name, s.played_at from archive_seats as s where s.log_id = $1 and s.key = keys.key \
             order by s.played_at desc, s.match_id desc limit 1) as last order by keys.n",
    );
    Ok(rows.bind(log_id.0).bind(keys).bind(COUNT_MAX + 1).fetch_all(pool).await?)
}

pub async fn name(pool: &PgPool, log_id: LogId, key: &str) -> Result<Option<String>, StoreError> {
    let name = sqlx::query_scalar!(
        "select name from archive_seats where log_id = $1 and key = $2 order by played_at desc, match_id desc limit 1",
        log_id.0,
        key
    );
    Ok(name.fetch_optional(pool).await?)
}

pub async fn tallies(pool: &PgPool, log_id: LogId, key: &str, against: Option<&str>) -> Result<Vec<Tally>, StoreError> {
    let mut sql = QueryBuilder::new(
        "select s.ruleset, seat, dmo, standing, k.match_id is not null as result_only, count(*) as n \
            from archive_seats as s left join known_results as k on k.log_id = s.log_id and k.match_id = s.match_id \
            where s.log_id = ",
    );
    sql.push_bind(log_id.0).push(" and key = ").push_bind(key.to_owned());
    if let Some(other) = against {
        sql.push(" and other = ").push_bind(other.to_owned());
    }
    sql.push(" group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5");
    Ok(sql.build_query_as().fetch_all(pool).await?)
}

pub async fn opponents(pool: &PgPool, log_id: LogId, key: &str) -> Result<Vec<Opponent>, StoreError> {
    let opponents = sqlx::query_as(
        "select met.other as key, met.n as matches, last.name from ( \
             select other, count(*) as n from archive_seats where log_id = $1 and key = $2 and other is not null \
             group by other order by n desc, other limit 12 \
         ) as met, lateral (select s.name from archive_seats as s where s.log_id = $1 and s.key = met.other \
             order by s.played_at desc, s.match_id desc limit 1) as last order by met.n desc, met.other",
    );
    Ok(opponents.bind(log_id.0).bind(key).fetch_all(pool).await?)
}

pub async fn latest_moves(pool: &PgPool, log_id: LogId, key: &str) -> Result<Vec<PlayerMoves>, StoreError> {
    let moves = sqlx::query_as!(
        PlayerMoves,
        "select ruleset, moves from archive_seats where log_id = $1 and key = $2 and standing <> '*' and standing <> 'void' \
             and moves <> '' order by played_at desc, match_id desc limit 100",
        log_id.0,
        key
    );
    Ok(moves.fetch_all(pool).await?)
}
