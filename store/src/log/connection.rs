//! The connections of the writer and of the submission queue, and waiting between retries.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgDatabaseError};
use sqlx::{ConnectOptions, PgConnection};

use super::insert::passes;
use super::{StoreError, server_check};

/// The longest wait for a lock, in seconds. Appends and submissions hold theirs for milliseconds.
const LOCK_SECONDS: u32 = 3;

/// Opens a connection, and refuses a server that could lose acknowledged data.
///
/// If this node freezes while it holds the mutex row, the server ends its transaction after two seconds, and the other
/// nodes go on. The frozen node finds its connection closed, and reads the log again.
///
/// Whoever waits for a lock for longer than [`LOCK_SECONDS`] hears so, and can say it.
///
/// Statements are prepared once and planned early, when the tables may still be empty and a full scan looks cheapest.
/// PostgreSQL keeps such a plan until it next counts the rows, which can be minutes after thousands were added: so no
/// query here may scan a whole table.
pub(super) async fn open(options: &PgConnectOptions, whose: &str) -> Result<PgConnection, StoreError> {
    let options = options
        .clone()
        .application_name(whose)
        .options([("idle_in_transaction_session_timeout", "2s"), ("enable_seqscan", "off")])
        .options([("lock_timeout", format!("{LOCK_SECONDS}s"))]);
    let mut connection = options.connect().await?;
    server_check::set(&mut connection, &options).await?;
    server_check::check(&mut connection).await?;
    Ok(connection)
}

/// True if a retry may help: the error is about the connection or the server's condition, and not about the request.
pub(super) fn is_passing(error: &StoreError) -> bool {
    match error {
        StoreError::Database(error) => match error.as_database_error() {
            Some(answer) => answer.try_downcast_ref::<PgDatabaseError>().is_none_or(passes),
            None => matches!(error, sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_)),
        },
        _ => false,
    }
}

#[derive(Debug, Default)]
pub(super) struct Patience {
    failures: u32,
}

impl Patience {
    pub(super) async fn wait(&mut self) {
        let wait = Duration::from_millis(10).saturating_mul(1 << self.failures.min(8)).min(Duration::from_secs(2));
        self.failures = self.failures.saturating_add(1);
        tokio::time::sleep(wait).await;
    }
}
