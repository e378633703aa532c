//! The answers of a player and of all others in the latest matches of a ruleset, as the statistics wrote them.

use chrono::{DateTime, Utc};
use ledger::LogId;
use sqlx::PgPool;
use uuid::Uuid;

use crate::StoreError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerMatch {
    pub match_id: Uuid,
    pub played_at: DateTime<Utc>,
    pub opponent: Option<String>,
    pub moves: String,
}

pub async fn matches_of(
    pool: &PgPool,
    log_id: LogId,
    key: &str,
    ruleset: &str,
    limit: i64,
) -> Result<Vec<PlayerMatch>, StoreError> {
    let matches = sqlx::query_as!(
        PlayerMatch,
        "select s.match_id, s.played_at, s.moves, \
             case when s.other is not null then case s.seat when 'p1' then a.p2 else a.p1 end end as opponent \
         from archive_seats as s join archive as a on a.log_id = s.log_id and a.match_id = s.match_id \
         where s.log_id = $1 and s.key = $2 and s.ruleset = $3 and s.standing <> '*' and s.standing <> 'void' \
             and s.moves <> '' \
         order by s.played_at desc, s.match_id desc limit $4",
        log_id.0,
        key,
        ruleset,
        limit
    );
    Ok(matches.fetch_all(pool).await?)
}

pub async fn answers_of_others(
    pool: &PgPool,
    log_id: LogId,
    key: &str,
    ruleset: &str,
    matches: i64,
) -> Result<Vec<String>, StoreError> {
    // The matches first: their index is in the order of time, and the seats of each are found by its id.
    let answers = sqlx::query_scalar!(
        "select s.moves from ( \
             select match_id from archive where log_id = $1 and ruleset = $3 and mode <> 'result' \
             order by played_at desc, match_id desc limit $4 \
         ) as latest join archive_seats as s on s.log_id = $1 and s.match_id = latest.match_id \
         where s.key <> $2 and s.moves <> ''",
        log_id.0,
        key,
        ruleset,
        matches
    );
    Ok(answers.fetch_all(pool).await?)
}
