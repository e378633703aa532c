//! The number that tells the escrow key from others. The key itself is never in the database.

use chrono::{DateTime, Utc};
use ledger::{LogId, Moment};
use sqlx::PgConnection;

use super::read::narrow;
use super::{Store, StoreError};

impl Store {
    pub async fn escrow_check(&self, check: [u8; 32], at: Moment) -> Result<[u8; 32], StoreError> {
        // Of two simultaneous first starts one inserts, and both read the inserted row.
        sqlx::query(
            "insert into escrow_keys (log_id, key_check, created_at) values ($1, $2, $3) on conflict do nothing",
        )
        .bind(self.log().log_id.0)
        .bind(check.as_slice())
        .bind(at.to_utc())
        .execute(self.pool())
        .await?;
        let query = sqlx::query_scalar("select key_check from escrow_keys where log_id = $1");
        let stored: Vec<u8> = query.bind(self.log().log_id.0).fetch_one(self.pool()).await?;
        narrow(stored, "key_check")
    }

    /// The time since which the escrow key is the one of this log: the first start, or the renewal of a lost one. What was
    /// encrypted before may be under a lost key.
    pub async fn escrow_key_since(&self) -> Result<Moment, StoreError> {
        let query = sqlx::query_scalar("select created_at from escrow_keys where log_id = $1");
        let since: DateTime<Utc> = query.bind(self.log().log_id.0).fetch_one(self.pool()).await?;
        Moment::try_from(since).map_err(|_| StoreError::Corrupt { what: "an escrow key is of no time".to_owned() })
    }
}

/// Lets another escrow key be the one of a log, because the one before is lost for good. `owner` must be a connection with
/// the right to do so, which the serving role lacks.
pub async fn renew_escrow_key(
    owner: &mut PgConnection,
    log_id: LogId,
    check: [u8; 32],
    at: Moment,
) -> Result<(), StoreError> {
    sqlx::query("update escrow_keys set key_check = $2, created_at = $3 where log_id = $1")
        .bind(log_id.0)
        .bind(check.as_slice())
        .bind(at.to_utc())
        .execute(owner)
        .await?;
    Ok(())
}
