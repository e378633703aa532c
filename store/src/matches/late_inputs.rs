//! Answers that came too late: encrypted, and stored apart from the submissions.

use chrono::{DateTime, Utc};
use ledger::{DecisionId, LogId, MatchId, SubmitId};
use sqlx::{PgExecutor, PgPool};

use crate::{StoreError, transaction};

#[derive(Clone, Copy, Debug)]
pub struct NewLateInput<'l> {
    pub log_id: LogId,
    pub match_id: MatchId,
    pub decision: &'l DecisionId,
    pub seat: &'l str,
    pub form: SubmitId,
    /// The time when it was sent, as its author says.
    pub sent_at: DateTime<Utc>,
    pub typed_at: DateTime<Utc>,
    pub typed_by: &'l str,
    pub ciphertext: &'l [u8],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LateInputRow {
    pub decision: String,
    pub seat: String,
    pub form: Vec<u8>,
    pub sent_at: DateTime<Utc>,
    pub typed_at: DateTime<Utc>,
    pub typed_by: String,
    pub ciphertext: Vec<u8>,
}

/// Stores a late answer. The same form again stores nothing.
pub async fn add(pool: &PgPool, late: &NewLateInput<'_>) -> Result<(), StoreError> {
    insert(pool, late).await
}

/// Stores a late answer of a player, unless the player's seat has one for this decision already. Returns the form of the
/// seat's first. Calls with the same lock wait for each other, on all nodes.
pub async fn add_first(pool: &PgPool, lock: &str, late: &NewLateInput<'_>) -> Result<SubmitId, StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    sqlx::query("select pg_advisory_xact_lock(hashtextextended($1, 0))").bind(lock).execute(&mut *transaction).await?;
    let earlier: Option<Vec<u8>> = sqlx::query_scalar(
        "select form from late_inputs where log_id = $1 and match_id = $2 and decision = $3 and seat = $4 \
         and typed_by in ('p1', 'p2') order by typed_at, form limit 1",
    )
    .bind(late.log_id.0)
    .bind(late.match_id.0)
    .bind(late.decision.as_str())
    .bind(late.seat)
    .fetch_optional(&mut *transaction)
    .await?;
    if let Some(form) = earlier.and_then(|form| form.try_into().ok()) {
        return Ok(SubmitId(form));
    }
    insert(&mut *transaction, late).await?;
    transaction.commit().await?;
    Ok(late.form)
}

async fn insert(connection: impl PgExecutor<'_>, late: &NewLateInput<'_>) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "insert into late_inputs (log_id, match_id, decision, seat, form, sent_at, typed_at, typed_by, ciphertext) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing",
        late.log_id.0,
        late.match_id.0,
        late.decision.as_str(),
        late.seat,
        late.form.0.as_slice(),
        late.sent_at,
        late.typed_at,
        late.typed_by,
        late.ciphertext
    );
    Ok(query.execute(connection).await.map(drop)?)
}

pub async fn list(
    pool: &PgPool,
    log_id: LogId,
    match_id: MatchId,
    decision: Option<&DecisionId>,
) -> Result<Vec<LateInputRow>, StoreError> {
    let rows = sqlx::query_as!(
        LateInputRow,
        "select decision, seat, form, sent_at, typed_at, typed_by, ciphertext from late_inputs \
         where log_id = $1 and match_id = $2 and ($3::text is null or decision = $3) order by typed_at, form",
        log_id.0,
        match_id.0,
        decision.map(DecisionId::as_str)
    );
    Ok(rows.fetch_all(pool).await?)
}

/// Marks a late answer of a match as left out. Marking it again changes nothing.
pub async fn leave_out(
    pool: &PgPool,
    (log_id, match_id): (LogId, MatchId),
    form: SubmitId,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let marked =
        "update late_inputs set left_at = $4 where log_id = $1 and match_id = $2 and form = $3 and left_at is null";
    sqlx::query(marked).bind(log_id.0).bind(match_id.0).bind(form.0.as_slice()).bind(now).execute(pool).await?;
    Ok(())
}

pub async fn left_out(pool: &PgPool, log_id: LogId, match_id: MatchId) -> Result<Vec<Vec<u8>>, StoreError> {
    let left = "select form from late_inputs where log_id = $1 and match_id = $2 and left_at is not null";
    Ok(sqlx::query_scalar(left).bind(log_id.0).bind(match_id.0).fetch_all(pool).await?)
}
