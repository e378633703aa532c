//! Matches that are known by their result alone: what somebody told, and who changed it when. The rows of the lists are
//! derived from it, in the same transaction.

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId};
use serde::Serialize;
use sqlx::{AssertSqlSafe, FromRow, PgPool, Postgres, Transaction};
use utoipa::ToSchema;
use uuid::Uuid;

use super::recordings::{self, Recording};
use crate::archive::index::{self, MatchRows};
use crate::archive::matches::as_text;
use crate::{StoreError, timestamp, transaction};

/// A match that is known by its result: nothing was sealed, and there is nothing to check.
#[derive(Clone, Debug, Default, PartialEq, Eq, FromRow, Serialize, ToSchema)]
pub struct KnownResult {
    /// Its id.
    #[serde(rename = "match", serialize_with = "as_text")]
    #[schema(value_type = String)]
    pub match_id: Uuid,
    /// How often it was written.
    pub version: i32,
    /// The id of a ruleset, or the name of another game.
    #[serde(rename = "game")]
    pub ruleset: String,
    /// The first player's name; null where it was withdrawn.
    pub p1: Option<String>,
    pub p2: Option<String>,
    /// `p1`, `p2`, `undecided` or `void`.
    pub result: String,
    pub score_p1: Option<i32>,
    pub score_p2: Option<i32>,
    /// A day, a month or a year; null if nobody knows.
    pub date: Option<String>,
    pub event: Option<String>,
    /// Who told it, by pseudonym.
    pub umpire: String,
    #[serde(serialize_with = "timestamp::serialize")]
    #[schema(value_type = String)]
    pub told_at: DateTime<Utc>,
    #[serde(serialize_with = "timestamp::serialize")]
    #[schema(value_type = String)]
    pub changed_at: DateTime<Utc>,
    #[serde(skip)]
    pub is_removed: bool,
}

/// What somebody did to it.
#[derive(Clone, Debug, PartialEq, Eq, FromRow, Serialize, ToSchema)]
pub struct KnownResultAct {
    /// `told`, `corrected`, `removed` or `withdrawn`.
    pub act: String,
    /// What was changed.
    pub fields: Vec<String>,
    pub umpire: String,
    #[serde(serialize_with = "timestamp::serialize")]
    #[schema(value_type = String)]
    pub at: DateTime<Utc>,
    pub reason: String,
}

/// A result as it is from now on, the act that made it so, its rows in the lists, and a recording that is told with it.
#[derive(Clone, Debug)]
pub struct Told {
    pub known: KnownResult,
    pub act: KnownResultAct,
    pub rows: MatchRows,
    pub recording: Option<Recording>,
}

const COLUMNS: &str = "match_id, version, ruleset, p1, p2, result, score_p1, score_p2, date, event, umpire, told_at, \
                       changed_at, is_removed";

/// Writes them all, or none. Returns how many were written: one that is stored with this version or a later one stays as it
/// is, so that a form that is sent twice tells once.
pub async fn write(pool: &PgPool, log_id: LogId, all: &[Told]) -> Result<usize, StoreError> {
    let (mut rows, mut written) = (transaction::begin(pool).await?, 0);
    for told in all {
        let (known, place) = (&told.known, (log_id, told.rows.match_id));
        let query = sqlx::query(
            "insert into known_results (log_id, match_id, version, ruleset, p1, p2, result, score_p1, score_p2, date, event, \
                 umpire, told_at, changed_at, is_removed) \
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) \
             on conflict (log_id, match_id) do update set version = excluded.version, ruleset = excluded.ruleset, \
                 p1 = excluded.p1, p2 = excluded.p2, result = excluded.result, score_p1 = excluded.score_p1, \
                 score_p2 = excluded.score_p2, date = excluded.date, event = excluded.event, \
                 changed_at = excluded.changed_at, is_removed = excluded.is_removed \
             where known_results.version = excluded.version - 1 and not known_results.is_removed",
        );
        let query = query.bind(log_id.0).bind(known.match_id).bind(known.version).bind(&known.ruleset).bind(&known.p1);
        let query = query.bind(&known.p2).bind(&known.result).bind(known.score_p1).bind(known.score_p2);
        let query = query.bind(&known.date).bind(&known.event).bind(&known.umpire).bind(known.told_at);
        let query = query.bind(known.changed_at).bind(known.is_removed);
        if query.execute(&mut *rows).await?.rows_affected() > 0 {
            written += 1;
            add_act(&mut rows, place, &told.act).await?;
            write_lists(&mut rows, told).await?;
            if let Some(recording) = &told.recording {
                recordings::add(&mut *rows, place, recording).await?;
            }
        }
    }
    rows.commit().await?;
    Ok(written)
}

async fn add_act(
    rows: &mut Transaction<'_, Postgres>,
    (log_id, match_id): (LogId, MatchId),
    act: &KnownResultAct,
) -> Result<(), StoreError> {
    // What somebody wrote as a reason may be a name.
    if act.act == "withdrawn" || act.act == "removed" {
        let forget = "update known_result_acts set reason = '' where log_id = $1 and match_id = $2";
        sqlx::query(forget).bind(log_id.0).bind(match_id.0).execute(&mut **rows).await?;
    }
    let added = sqlx::query(
        "insert into known_result_acts (log_id, match_id, act, fields, umpire, at, reason) \
         values ($1, $2, $3, $4, $5, $6, $7)",
    );
    let added = added.bind(log_id.0).bind(match_id.0).bind(&act.act).bind(&act.fields).bind(&act.umpire);
    Ok(added.bind(act.at).bind(&act.reason).execute(&mut **rows).await.map(drop)?)
}

/// The game may have changed, which the rows of a match in the log never do. So the rows are removed, and written again.
async fn write_lists(rows: &mut Transaction<'_, Postgres>, told: &Told) -> Result<(), StoreError> {
    let MatchRows { log_id, match_id, .. } = told.rows;
    if told.known.is_removed {
        index::remove(rows, log_id, match_id).await?;
        return recordings::withdraw_all(rows, (log_id, match_id), &told.act.umpire, told.act.at).await;
    }
    list(rows, &told.rows).await
}

async fn list(rows: &mut Transaction<'_, Postgres>, row: &MatchRows) -> Result<(), StoreError> {
    let MatchRows { log_id, match_id, .. } = *row;
    index::remove(rows, log_id, match_id).await?;
    index::write_in(rows, row).await?;
    let checked = "update archive set verdict = 'result', checked_head = head, counted_head = head \
                   where log_id = $1 and match_id = $2";
    Ok(sqlx::query(checked).bind(log_id.0).bind(match_id.0).execute(&mut **rows).await.map(drop)?)
}

/// Writes the rows of the lists as they are: those that somebody deleted come back. Nothing if it was corrected or removed since
/// they were made.
pub async fn relist(pool: &PgPool, row: &MatchRows) -> Result<(), StoreError> {
    let mut rows = transaction::begin(pool).await?;
    let same =
        "select from known_results where log_id = $1 and match_id = $2 and version = $3 and not is_removed for update";
    let same = sqlx::query(same).bind(row.log_id.0).bind(row.match_id.0).bind(row.head);
    if same.fetch_optional(&mut *rows).await?.is_some() {
        list(&mut rows, row).await?;
    }
    Ok(rows.commit().await?)
}

/// Those with an id in a range, in its order; removed ones as well.
pub async fn within(
    pool: &PgPool,
    log_id: LogId,
    first: Uuid,
    last: Uuid,
    limit: i64,
) -> Result<Vec<KnownResult>, StoreError> {
    let found = sqlx::query_as(AssertSqlSafe(format!(
        "select {COLUMNS} from known_results where log_id = $1 and match_id between $2 and $3 order by match_id limit $4"
    )));
    Ok(found.bind(log_id.0).bind(first).bind(last).bind(limit).fetch_all(pool).await?)
}

/// What was done to it, oldest first.
pub async fn acts(pool: &PgPool, log_id: LogId, match_id: Uuid) -> Result<Vec<KnownResultAct>, StoreError> {
    let acts = sqlx::query_as(
        "select act, fields, umpire, at, reason from known_result_acts where log_id = $1 and match_id = $2 order by id",
    );
    Ok(acts.bind(log_id.0).bind(match_id).fetch_all(pool).await?)
}
