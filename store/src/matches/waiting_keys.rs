//! Keys that browsers of a seat offered. One of them enters with the seat's first answer.

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId, PlayerKey};
use sqlx::{PgPool, Row};

use crate::StoreError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingKey {
    pub seat: String,
    pub key: PlayerKey,
    pub vouching: Option<String>,
    pub link: Option<i32>,
}

/// Stores a seat's key. The same key again becomes the newest.
pub async fn add(
    pool: &PgPool,
    (log_id, match_id): (LogId, MatchId),
    WaitingKey { seat, key, vouching, link }: &WaitingKey,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query(
        "insert into waiting_keys as old (log_id, match_id, seat, key, vouching, link, came_at) \
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (log_id, match_id, seat, key) do update \
         set vouching = coalesce(excluded.vouching, old.vouching), link = excluded.link, came_at = excluded.came_at",
    )
    .bind(log_id.0)
    .bind(match_id.0)
    .bind(seat)
    .bind(key.bytes().as_slice())
    .bind(vouching)
    .bind(link)
    .bind(now)
    .execute(pool)
    .await?;
    Ok(())
}

/// The keys that came for the seats of a match, oldest first; also those that have entered since.
pub async fn of_match(pool: &PgPool, log_id: LogId, match_id: MatchId) -> Result<Vec<WaitingKey>, StoreError> {
    let rows = sqlx::query(
        "select seat, key, vouching, link from waiting_keys where log_id = $1 and match_id = $2 order by came_at, key",
    );
    let rows = rows.bind(log_id.0).bind(match_id.0).fetch_all(pool).await?;
    let read = |row: &sqlx::postgres::PgRow| {
        let bytes: Vec<u8> = row.try_get("key")?;
        let key = <[u8; 32]>::try_from(bytes).ok().and_then(|bytes| PlayerKey::new(&bytes).ok());
        let key = key.ok_or_else(|| StoreError::Corrupt { what: "a key that waits is none".to_owned() })?;
        Ok(WaitingKey {
            seat: row.try_get("seat")?,
            key,
            vouching: row.try_get("vouching")?,
            link: row.try_get("link")?,
        })
    };
    rows.iter().map(read).collect()
}
