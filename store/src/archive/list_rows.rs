//! What the lists say of matches, for an audit that compares it with the record.

use ledger::{LogId, MatchId};
use sqlx::{FromRow, PgPool};
use uuid::Uuid;

use crate::StoreError;

/// What the lists say of a match.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ListRow {
    /// Its id.
    pub match_id: Uuid,
    /// The number of entries from which the row was derived.
    pub head: i32,
    /// `p1`, `p2`, `undecided` or `void`; `*` while it runs.
    pub result: String,
    /// The reason's word.
    pub reason: String,
    /// The number of rounds.
    pub rounds: i32,
    /// The number of rulings and strikes.
    pub rulings: i32,
    /// The first player's score, if the game has one.
    pub score_p1: Option<i32>,
    /// The second player's score.
    pub score_p2: Option<i32>,
    /// The word of the verdict of its last check; `unchecked` if that was not of these entries.
    pub verdict: String,
}

/// The matches of a log, in the order of their ids, after one of them.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn after(
    pool: &PgPool,
    log_id: LogId,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Vec<ListRow>, StoreError> {
    let rows = sqlx::query_as(
        "select match_id, head, result, reason, rounds, rulings, score_p1, score_p2, \
             case when checked_head = head then verdict else 'unchecked' end as verdict \
         from archive where log_id = $1 and match_id > $2 order by match_id limit $3",
    )
    .bind(log_id.0)
    .bind(after.map_or(Uuid::nil(), |after| after.0))
    .bind(i64::from(limit));
    Ok(rows.fetch_all(pool).await?)
}
