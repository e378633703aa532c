//! What hosts tell of their events: every version, with who and when.

use chrono::{DateTime, Utc};
use ledger::LogId;
use sqlx::{FromRow, PgPool};

use crate::StoreError;

/// A version of an event's sheet.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct SheetRow {
    pub event_key: String,
    /// From 1.
    pub version: i32,
    /// The event's name as it was written.
    pub event: String,
    /// JSON.
    pub sheet: String,
    /// Who wrote the first version.
    pub host: String,
    pub umpire: String,
    pub at: DateTime<Utc>,
}

/// Who changed a sheet, when, and which parts.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct SheetChange {
    pub version: i32,
    pub umpire: String,
    pub at: DateTime<Utc>,
    pub changes: Vec<String>,
}

const COLUMNS: &str = "event_key, version, event, sheet::text as sheet, umpire, at, \
    first_value(umpire) over (partition by event_key order by version) as host";

/// The newest sheet of each of these events.
pub async fn newest(pool: &PgPool, log_id: LogId, keys: &[String]) -> Result<Vec<SheetRow>, StoreError> {
    let sheets = format!(
        "select distinct on (event_key) {COLUMNS} from event_sheets where log_id = $1 and event_key = any($2) \
         order by event_key, version desc"
    );
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(sheets)).bind(log_id.0).bind(keys).fetch_all(pool).await?)
}

/// The newest sheets of events without a match, the last changed first.
pub async fn without_matches(pool: &PgPool, log_id: LogId, limit: i64) -> Result<Vec<SheetRow>, StoreError> {
    let sheets = format!(
        "select * from (select distinct on (event_key) {COLUMNS} from event_sheets as s where log_id = $1 \
             and not exists (select from archive as a where a.log_id = $1 and a.event_key = s.event_key) \
             order by event_key, version desc) as newest order by at desc, event_key limit $2"
    );
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(sheets)).bind(log_id.0).bind(limit).fetch_all(pool).await?)
}

/// Every version, the newest first.
pub async fn changes(pool: &PgPool, log_id: LogId, key: &str) -> Result<Vec<SheetChange>, StoreError> {
    let changes = sqlx::query_as(
        "select version, umpire, at, changes from event_sheets where log_id = $1 and event_key = $2 order by version desc",
    );
    Ok(changes.bind(log_id.0).bind(key).fetch_all(pool).await?)
}

/// Adds a version. False if it is there already, or does not follow the newest one.
pub async fn add(pool: &PgPool, log_id: LogId, row: &SheetRow, changes: &[&str]) -> Result<bool, StoreError> {
    let added = sqlx::query(
        "insert into event_sheets (log_id, event_key, version, event, changes, sheet, umpire, at) \
         select $1, $2, $3, $4, $5, $6::jsonb, $7, $8 where $3 = 1 + coalesce( \
             (select max(version) from event_sheets where log_id = $1 and event_key = $2), 0) on conflict do nothing",
    );
    let added = added.bind(log_id.0).bind(&row.event_key).bind(row.version).bind(&row.event).bind(changes);
    let added = added.bind(&row.sheet).bind(&row.umpire).bind(row.at).execute(pool).await?;
    Ok(added.rows_affected() == 1)
}

/// True for the umpire of a match of the event that is in the log.
pub async fn has_match_of(pool: &PgPool, log_id: LogId, key: &str, umpire: &str) -> Result<bool, StoreError> {
    let has_match = sqlx::query_scalar(
        "select exists (select from archive where log_id = $1 and event_key = $2 and umpire = $3 and mode <> 'result')",
    );
    Ok(has_match.bind(log_id.0).bind(key).bind(umpire).fetch_one(pool).await?)
}

/// Versions of any event, in order after this one.
pub async fn after(
    pool: &PgPool,
    log_id: LogId,
    (key, version): (&str, i32),
    limit: i64,
) -> Result<Vec<SheetRow>, StoreError> {
    let rows = format!(
        "select * from (select {COLUMNS} from event_sheets where log_id = $1) as versions \
         where (event_key, version) > ($2, $3) order by event_key, version limit $4"
    );
    let rows = sqlx::query_as(sqlx::AssertSqlSafe(rows)).bind(log_id.0).bind(key).bind(version).bind(limit);
    Ok(rows.fetch_all(pool).await?)
}

/// Writes a version again without what was withdrawn; nothing where it is not the one that was read any more.
pub async fn redact(pool: &PgPool, log_id: LogId, row: &SheetRow, without: &str) -> Result<(), StoreError> {
    let redacted = sqlx::query(
        "update event_sheets set sheet = $5::jsonb \
         where log_id = $1 and event_key = $2 and version = $3 and sheet = $4::jsonb",
    );
    let redacted = redacted.bind(log_id.0).bind(&row.event_key).bind(row.version).bind(&row.sheet).bind(without);
    Ok(redacted.execute(pool).await.map(drop)?)
}
