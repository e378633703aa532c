//! The matches counted under a key, such as a kind of move.

use chrono::{DateTime, Utc};
use ledger::LogId;
use sqlx::PgPool;
use uuid::Uuid;

use crate::StoreError;

/// A match that was counted under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedMatch {
    /// The match.
    pub match_id: Uuid,
    /// The time when it was played.
    pub played_at: DateTime<Utc>,
    /// The first row of its score sheet with the key, such as `7b`.
    pub label: String,
    /// The number of its steps with the key.
    pub n: i32,
}

/// The matches counted under a key, newest first, after the one with this time and id if it is given.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn list(
    pool: &PgPool,
    log_id: LogId,
    counted: &[u8; 16],
    after: Option<(DateTime<Utc>, Uuid)>,
    limit: i64,
) -> Result<Vec<CountedMatch>, StoreError> {
    let (played_at, match_id) = after.unzip();
    let matches = sqlx::query_as!(
        CountedMatch,
        "select match_id, played_at, label, n from counted_matches where log_id = $1 and counted = $2 \
             and (played_at, match_id) < (coalesce($3::timestamptz, 'infinity'), \
                 coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')) \
         order by played_at desc, match_id desc limit $5",
        log_id.0,
        counted.as_slice(),
        played_at,
        match_id,
        limit
    );
    Ok(matches.fetch_all(pool).await?)
}
