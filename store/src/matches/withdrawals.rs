//! Withdrawals of words: the erasure itself, and a note of each, by which the other nodes learn of it.

use chrono::{DateTime, Utc};
use ledger::{Commitment, LogId, MatchId, Seq};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{Store, StoreError, transaction};

#[derive(Clone, Copy, Debug)]
pub struct Withdrawal<'w> {
    pub id: Uuid,
    pub seq: Seq,
    pub field: &'w str,
    pub commitment: &'w Commitment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithdrawalNote {
    pub id: Uuid,
    pub match_id: Uuid,
}

pub async fn withdraw(
    store: &Store,
    noted_in: LogId,
    umpire_id: &str,
    match_id: MatchId,
    withdrawals: &[Withdrawal<'_>],
) -> Result<usize, StoreError> {
    let mut erased = 0;
    // One transaction: when other nodes see the note, they must not be able to read the words any more.
    let mut transaction = transaction::begin(store.pool()).await?;
    for withdrawal in withdrawals {
        sqlx::query!(
            "insert into withdrawals (id, log_id, match_id, seq, field, umpire_id) values ($1, $2, $3, $4, $5, $6)",
            withdrawal.id,
            noted_in.0,
            match_id.0,
            i32::try_from(withdrawal.seq.0).unwrap_or(i32::MAX),
            withdrawal.field,
            umpire_id
        )
        .execute(&mut *transaction)
        .await?;
        erased += usize::from(store.withdraw_text(&mut transaction, match_id, withdrawal.commitment).await?);
    }
    transaction.commit().await?;
    Ok(erased)
}

/// The notes of the ten minutes before a time and since, and the time now, both by the database's clock; since now if
/// no time is given. A note has the time at which its transaction began, so it may become visible later than a newer one.
pub async fn since(
    pool: &PgPool,
    log_id: LogId,
    time: Option<DateTime<Utc>>,
) -> Result<(Vec<WithdrawalNote>, DateTime<Utc>), StoreError> {
    let now = sqlx::query_scalar!("select now() as \"now!\"").fetch_one(pool).await?;
    let notes = sqlx::query_as!(
        WithdrawalNote,
        "select id, match_id from withdrawals where log_id = $1 and at > $2::timestamptz - interval '10 minutes'",
        log_id.0,
        time.unwrap_or(now)
    );
    Ok((notes.fetch_all(pool).await?, now))
}
