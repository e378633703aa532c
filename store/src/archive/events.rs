//! The tournaments in the archive, by the key of their name.

use chrono::{DateTime, Utc};
use ledger::LogId;
use serde::Serialize;
use sqlx::{FromRow, PgPool};
use utoipa::ToSchema;

use super::count::{COUNT_MAX, Count};
use crate::{StoreError, timestamp};

/// A tournament.
#[derive(Clone, Debug, PartialEq, Eq, FromRow, Serialize, ToSchema)]
#[schema(as = ListedEvent)]
pub struct EventRow {
    /// The name as it is compared: without case and accents. It names the tournament in addresses.
    #[schema(example = "paper crown 2023")]
    pub key: String,
    /// The name as it was written last.
    #[schema(example = "Paper Crown 2023")]
    pub name: String,
    #[sqlx(try_from = "i64")]
    pub matches: Count,
    /// When the first of them was played.
    #[serde(serialize_with = "timestamp::serialize")]
    #[schema(value_type = String)]
    pub first: DateTime<Utc>,
    /// When the last of them was played.
    #[serde(serialize_with = "timestamp::serialize")]
    #[schema(value_type = String)]
    pub last: DateTime<Utc>,
}

/// How a player stands.
#[derive(Clone, Debug, PartialEq, Eq, FromRow, Serialize, ToSchema)]
pub struct Standing {
    /// From 1; shared by those who won and lost equally many.
    #[schema(example = 1, value_type = usize)]
    pub place: i64,
    /// The name as it is compared.
    pub key: String,
    /// The name as it was written there.
    pub name: String,
    pub won: i64,
    pub lost: i64,
    /// Without a winner. Void matches are left out of the standings.
    pub other: i64,
    /// Not ended.
    pub running: i64,
}

/// Matches of a tournament by one ruleset.
#[derive(Clone, Debug, PartialEq, Eq, FromRow, Serialize, ToSchema)]
pub struct EventRuleset {
    #[schema(example = "five-card-trick/dm-colosseum-2")]
    pub ruleset: String,
    pub matches: i64,
}

pub async fn list(pool: &PgPool, log_id: LogId, keys: &[String]) -> Result<Vec<EventRow>, StoreError> {
    let rows = sqlx::query_as(
        "select keys.key, last.event as name, last.played_at as last, first.played_at as first, ( \
             select count(*) from (select 1 from archive as a where a.log_id = $1 and a.event_key = keys.key limit $3) \
             as found) as matches \
         from unnest($2::text[]) with ordinality as keys (key, n), \
         lateral (select a.event, a.played_at from archive as a where a.log_id = $1 and a.event_key = keys.key \
             order by a.played_at desc, a.match_id desc limit 1) as last, \
         lateral (select a.played_at from archive as a where a.log_id = $1 and a.event_key = keys.key \
             order by a.played_at, a.match_id limit 1) as first order by keys.n",
    );
    Ok(rows.bind(log_id.0).bind(keys).bind(COUNT_MAX + 1).fetch_all(pool).await?)
}

pub async fn standings(pool: &PgPool, log_id: LogId, key: &str, limit: i64) -> Result<Vec<Standing>, StoreError> {
    let standings = sqlx::query_as(
        "select rank() over (order by won desc, lost) as place, * from ( \
             select key, max(name) as name, count(*) filter (where standing = 'won') as won, \
                 count(*) filter (where standing = 'lost') as lost, \
                 count(*) filter (where standing = 'undecided') as other, \
                 count(*) filter (where standing = '*') as running \
             from archive_seats where log_id = $1 and event_key = $2 and standing <> 'void' group by key \
         ) as players order by place, key limit $3",
    );
    Ok(standings.bind(log_id.0).bind(key).bind(limit).fetch_all(pool).await?)
}

pub async fn rulesets(pool: &PgPool, log_id: LogId, key: &str) -> Result<Vec<EventRuleset>, StoreError> {
    let rulesets = sqlx::query_as(
        "select ruleset, count(*) as matches from archive where log_id = $1 and event_key = $2 \
         group by ruleset order by 2 desc, 1",
    );
    Ok(rulesets.bind(log_id.0).bind(key).fetch_all(pool).await?)
}
