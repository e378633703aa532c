//! The log's own row: created once, at the first start, and never changed.

use chrono::{DateTime, Utc};
use ledger::{LogId, Moment, Origin};
use sqlx::{PgConnection, Row};

use super::StoreError;

/// The log of practice matches. It is never signed, and its entries can be deleted, unlike those of any other log
/// (`migrations/0008_practice.sql` contains the same number).
pub const PRACTICE: LogId = LogId(2);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub origin: Origin,
    /// The public half of the host's Ed25519 key: 32 bytes as in RFC 8032.
    pub host_key: [u8; 32],
    pub created_at: Moment,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    pub log_id: LogId,
    pub origin: Origin,
    pub host_key: [u8; 32],
    pub created_at: Moment,
}

pub(super) async fn open(connection: &mut PgConnection, log_id: LogId, identity: &Identity) -> Result<Log, StoreError> {
    // Of two simultaneous first starts one inserts, and both read the inserted row. A crash between the statements
    // leaves a log without its mutex row, which the next start adds.
    sqlx::query(
        "insert into logs (log_id, origin, host_key, created_at) values ($1, $2, $3, $4) on conflict do nothing",
    )
    .bind(log_id.0)
    .bind(identity.origin.as_str())
    .bind(identity.host_key.as_slice())
    .bind(identity.created_at.to_utc())
    .execute(&mut *connection)
    .await?;
    sqlx::query("insert into writers (log_id) values ($1) on conflict do nothing")
        .bind(log_id.0)
        .execute(&mut *connection)
        .await?;
    let missing = || StoreError::Corrupt { what: format!("log {log_id} is gone") };
    read(connection, log_id).await?.ok_or_else(missing)
}

pub(super) async fn read(connection: &mut PgConnection, log_id: LogId) -> Result<Option<Log>, StoreError> {
    let query = sqlx::query("select origin, host_key, created_at from logs where log_id = $1");
    let row = query.bind(log_id.0).fetch_optional(connection).await?;
    let Some(row) = row else { return Ok(None) };
    let corrupt = |what: &str| StoreError::Corrupt { what: format!("log {log_id} has {what}") };
    let created_at: DateTime<Utc> = row.try_get("created_at")?;
    Ok(Some(Log {
        log_id,
        origin: row.try_get::<&str, _>("origin")?.parse().map_err(|_| corrupt("an origin that is none"))?,
        host_key: row.try_get::<&[u8], _>("host_key")?.try_into().map_err(|_| corrupt("a key that is none"))?,
        created_at: created_at.try_into().map_err(|_| corrupt("a date that is none"))?,
    }))
}
