//! The matches of a count, from the database.

use app::book::{Book, BookError, LOG, Place};
use chrono::{DateTime, Utc};
use sqlx::types::Uuid;

use super::counted::CountedFor;

/// A match that was counted under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CountedMatch {
    pub(super) match_id: Uuid,
    pub(super) played_at: DateTime<Utc>,
    /// The first row of its score sheet with it.
    pub(super) label: String,
    /// The number of its steps.
    pub(super) n: i32,
}

/// The matches counted under a key, newest first, after a place if one is given.
pub(super) async fn matches(
    book: &Book,
    counted_for: CountedFor,
    after: Option<&Place>,
    most: i64,
) -> Result<Vec<CountedMatch>, BookError> {
    let (played_at, match_id) = after.map(Place::key).unzip();
    let matches = sqlx::query_as!(
        CountedMatch,
        "select match_id, played_at, label, n from counted_matches where log_id = $1 and counted = $2 \
             and (played_at, match_id) < (coalesce($3::timestamptz, 'infinity'), \
                 coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')) \
         order by played_at desc, match_id desc limit $5",
        LOG.0,
        counted_for.0.as_slice(),
        played_at,
        match_id,
        most
    );
    Ok(matches.fetch_all(book.reading_pool()).await?)
}
