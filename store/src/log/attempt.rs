//! One attempt of the writer to insert a plan, and its rehearsal.

use ledger::LogId;
use sqlx::PgConnection;

use super::insert::{Outcome, insert, is_about_contents, sort};
use super::plan::Plan;
use super::{StoreError, standby};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MutexRow {
    Held,
    None,
}

/// Takes the log's mutex row, in a transaction that lasts until the connection ends or the plan is committed.
pub(super) async fn take_turn(connection: &mut PgConnection, log_id: LogId) -> Result<(), sqlx::Error> {
    sqlx::query("begin isolation level read committed").execute(&mut *connection).await?;
    sqlx::query("select log_id from writers where log_id = $1 for update").bind(log_id.0).execute(connection).await?;
    Ok(())
}

/// Sends the plan once, and ends the transaction if there is one.
pub(super) async fn attempt(connection: &mut PgConnection, log_id: LogId, mutex: MutexRow, plan: &Plan) -> Outcome {
    let (outcome, warned) = standby::warned(send(connection, log_id, mutex, plan)).await;
    match outcome {
        Outcome::Committed if warned => match standby::confirm(connection).await {
            Ok(()) => Outcome::Committed,
            Err(error) => Outcome::Unknown(error),
        },
        outcome => outcome,
    }
}

async fn send(connection: &mut PgConnection, log_id: LogId, mutex: MutexRow, plan: &Plan) -> Outcome {
    let inserted = if plan.rows.is_empty() { Ok(()) } else { insert(connection, log_id, plan).await };
    match mutex {
        MutexRow::None => sort(inserted),
        // A crash before the commit reaches the server undoes the insert and releases the mutex row.
        MutexRow::Held if inserted.is_ok() => sort(sqlx::query("commit").execute(connection).await.map(drop)),
        MutexRow::Held => {
            // If the rollback also fails, so will the following read, and the connection is dropped.
            drop(sqlx::query("rollback").execute(connection).await);
            sort(inserted)
        }
    }
}

/// Inserts a plan, and takes it back. A crash before the rollback does the same.
pub(super) async fn rehearse(connection: &mut PgConnection, log_id: LogId, plan: &Plan) -> Result<(), StoreError> {
    sqlx::query("begin isolation level read committed").execute(&mut *connection).await?;
    let inserted = insert(connection, log_id, plan).await;
    sqlx::query("rollback").execute(connection).await?;
    match sort(inserted) {
        Outcome::Committed | Outcome::Taken | Outcome::SubmitTaken => Ok(()),
        // Another plan would be taken. This one is refused again, if somebody asks for it again.
        Outcome::Impossible(error) if is_about_contents(&error) => Ok(()),
        Outcome::Impossible(error) | Outcome::RolledBack(error) | Outcome::Unknown(error) => Err(error.into()),
    }
}
