//! The matches counted under a key, such as a kind of move.

use chrono::{DateTime, Utc};
use ledger::LogId;
use sqlx::PgPool;
use uuid::Uuid;

use crate::StoreError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedMatch {
    pub match_id: Uuid,
    pub played_at: DateTime<Utc>,
    pub label: String,
    pub n: i32,
}

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
