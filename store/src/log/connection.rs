//! Connections of those who add: the writer's and the letterbox's own. And patience.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgDatabaseError};
use sqlx::{ConnectOptions, PgConnection};

use super::insert::passes;
use super::{StoreError, settings};

/// Opens a connection, and refuses a server that would lose what it acknowledges.
///
/// If this node freezes while it holds the mutex row, the server ends its transaction after ten seconds, and the other
/// nodes go on. The frozen one finds its connection gone, and looks.
///
/// Statements are prepared once and planned early, when the tables may still be empty and reading one whole looks cheapest.
/// PostgreSQL keeps such a plan until it next counts the rows, which can be minutes after thousands came: so no scan here
/// may be of a whole table.
pub(super) async fn open(options: &PgConnectOptions, whose: &str) -> Result<PgConnection, StoreError> {
    let options = options
        .clone()
        .application_name(whose)
        .options([("idle_in_transaction_session_timeout", "10s"), ("enable_seqscan", "off")]);
    let mut connection = options.connect().await?;
    settings::check(&mut connection).await?;
    Ok(connection)
}

/// Whether an error is worth another attempt: the connection or the server's condition, not what was asked of it.
pub(super) fn is_passing(error: &StoreError) -> bool {
    match error {
        StoreError::Database(error) => match error.as_database_error() {
            Some(answer) => answer.try_downcast_ref::<PgDatabaseError>().is_none_or(passes),
            None => matches!(error, sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_)),
        },
        _ => false,
    }
}

/// Waits longer after every failure in a row: from 10 ms to 2 s.
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
