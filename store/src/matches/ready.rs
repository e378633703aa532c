//! The seats that said that they are ready to begin.

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId};
use sqlx::PgPool;

use crate::StoreError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadySeat {
    pub seat: String,
    pub at: DateTime<Utc>,
}

pub async fn add(
    pool: &PgPool,
    log_id: LogId,
    match_id: MatchId,
    seat: &str,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "insert into ready (log_id, match_id, seat, at) values ($1, $2, $3, $4) on conflict do nothing",
        log_id.0,
        match_id.0,
        seat,
        at
    );
    Ok(query.execute(pool).await.map(drop)?)
}

pub async fn of_match(pool: &PgPool, log_id: LogId, match_id: MatchId) -> Result<Vec<ReadySeat>, StoreError> {
    let seats = sqlx::query_as!(
        ReadySeat,
        "select seat, at from ready where log_id = $1 and match_id = $2",
        log_id.0,
        match_id.0
    );
    Ok(seats.fetch_all(pool).await?)
}
