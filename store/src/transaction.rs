//! Transactions on a connection of a pool.

use sqlx::{PgPool, Postgres, Transaction};

/// Begins a transaction, to the end also if nobody waits for it any more, because a request was given up.
///
/// sqlx (0.9) counts a transaction only once the answer to `BEGIN` is here. A connection whose `BEGIN` was cut short would
/// go back to the pool inside a transaction that nobody ends: what others write with it would be acknowledged, seen by
/// nobody, and lost with the next rollback.
pub(crate) async fn begin(pool: &PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let pool = pool.clone();
    #[expect(clippy::disallowed_methods, reason = "the one place")]
    let begun = tokio::spawn(async move { pool.begin().await });
    begun.await.unwrap_or(Err(sqlx::Error::WorkerCrashed))
}
