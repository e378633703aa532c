//! Links to recordings of a match, and of places in it.

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId};
use sqlx::{FromRow, PgExecutor, PgPool, Postgres, Transaction};
use uuid::Uuid;

use super::comments::CommentChange;
use crate::StoreError;

#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Recording {
    pub id: Uuid,
    /// The label of a row of the score sheet; none for the whole match.
    pub label: Option<String>,
    /// Where the recording has it.
    pub seconds: Option<i32>,
    pub address: String,
    pub umpire: String,
    pub at: DateTime<Utc>,
}

type Place = (LogId, MatchId);

/// Stores one. The same id again stores nothing.
pub async fn add<'e>(
    rows: impl PgExecutor<'e>,
    (log_id, match_id): Place,
    recording: &Recording,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "insert into recordings (log_id, match_id, id, label, seconds, address, umpire, at) \
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing",
    );
    let query = query.bind(log_id.0).bind(match_id.0).bind(recording.id).bind(&recording.label);
    let query = query.bind(recording.seconds).bind(&recording.address).bind(&recording.umpire).bind(recording.at);
    Ok(query.execute(rows).await.map(drop)?)
}

/// Withdraws one: its address is gone from then on. Only that of its umpire, unless `any`. False if there is none.
pub async fn withdraw(
    pool: &PgPool,
    (log_id, match_id): Place,
    id: Uuid,
    (umpire, any): (&str, bool),
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let withdrawn = sqlx::query(
        "update recordings set address = '', withdrawn_by = coalesce(withdrawn_by, $4), \
             withdrawn_at = coalesce(withdrawn_at, $6), changed_at = now() \
         where log_id = $1 and match_id = $2 and id = $3 and (umpire = $4 or $5)",
    );
    let withdrawn = withdrawn.bind(log_id.0).bind(match_id.0).bind(id).bind(umpire).bind(any).bind(now);
    Ok(withdrawn.execute(pool).await?.rows_affected() > 0)
}

pub(super) async fn withdraw_all(
    rows: &mut Transaction<'_, Postgres>,
    (log_id, match_id): Place,
    umpire: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let withdrawn = sqlx::query(
        "update recordings set address = '', withdrawn_by = $3, withdrawn_at = $4, changed_at = now() \
         where log_id = $1 and match_id = $2 and withdrawn_at is null",
    );
    Ok(withdrawn.bind(log_id.0).bind(match_id.0).bind(umpire).bind(now).execute(&mut **rows).await.map(drop)?)
}

/// Those that were not withdrawn: of the whole match first, and then in the order of the recording.
pub async fn of_match(pool: &PgPool, (log_id, match_id): Place) -> Result<Vec<Recording>, StoreError> {
    let rows = sqlx::query_as(
        "select id, label, seconds, address, umpire, at from recordings \
         where log_id = $1 and match_id = $2 and withdrawn_at is null order by label is not null, seconds, at, id",
    );
    Ok(rows.bind(log_id.0).bind(match_id.0).fetch_all(pool).await?)
}

/// The changes of the ten minutes before a time and since, as those of comments.
pub async fn changed_since(pool: &PgPool, time: DateTime<Utc>) -> Result<Vec<CommentChange>, StoreError> {
    let rows: Vec<(Uuid, Uuid, bool)> = sqlx::query_as(
        "select match_id, id, withdrawn_at is not null from recordings \
         where changed_at > $1::timestamptz - interval '10 minutes'",
    )
    .bind(time)
    .fetch_all(pool)
    .await?;
    let change = |(match_id, id, withdrawn)| CommentChange { match_id: MatchId(match_id), id, withdrawn };
    Ok(rows.into_iter().map(change).collect())
}
