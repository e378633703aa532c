//! What the lists say of matches in the log, for an audit that compares it with the record.

use ledger::{LogId, MatchId};
use sqlx::{FromRow, PgPool};
use uuid::Uuid;

use crate::StoreError;

#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ListRow {
    pub match_id: Uuid,
    pub head: i32,
    /// `p1`, `p2`, `undecided` or `void`; `*` while it runs.
    pub result: String,
    pub reason: String,
    pub rounds: i32,
    pub rulings: i32,
    pub score_p1: Option<i32>,
    pub score_p2: Option<i32>,
    /// The word of the verdict of its last check; `unchecked` if that was not of these entries.
    pub verdict: String,
}

pub async fn after(
    pool: &PgPool,
    log_id: LogId,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Vec<ListRow>, StoreError> {
    let rows = sqlx::query_as(
        "select match_id, head, result, reason, rounds, rulings, score_p1, score_p2, \
             case when checked_head = head then verdict else 'unchecked' end as verdict \
         from archive where log_id = $1 and match_id > $2 and mode <> 'result' order by match_id limit $3",
    )
    .bind(log_id.0)
    .bind(after.map_or(Uuid::nil(), |after| after.0))
    .bind(i64::from(limit));
    Ok(rows.fetch_all(pool).await?)
}
