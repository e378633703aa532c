//! Synchronous standbys. PostgreSQL commits first and then waits for its standby; if somebody cancels that wait, it answers
//! as if the standby had the commit, with nothing but a warning. A failover would lose what was acknowledged so.
//!
//! sqlx hands warnings to `tracing`, in the task that waits for the answer. [`StandbyWarnings`] listens there.

use std::cell::Cell;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::{Store, StoreError};

const NOTICES: &str = "sqlx::postgres::notice";
const RETRY: Duration = Duration::from_millis(100);

tokio::task_local! {
    /// True once the server has warned of something in the current work.
    static WARNED: Cell<bool>;
}

/// Hears the server's warnings. Without it among the layers of a program's log, a cancelled wait for a standby counts as a
/// commit.
#[derive(Clone, Copy, Debug)]
pub struct StandbyWarnings;

impl StandbyWarnings {
    #[must_use]
    pub fn layer<S: Subscriber + for<'a> LookupSpan<'a>>() -> impl Layer<S> {
        Self.with_filter(Targets::new().with_target(NOTICES, Level::WARN))
    }
}

impl<S: Subscriber> Layer<S> for StandbyWarnings {
    fn on_event(&self, _: &Event<'_>, _: Context<'_, S>) {
        // A warning elsewhere in the program is not about this work.
        let _ = WARNED.try_with(|warned| warned.set(true));
    }
}

/// Does work that ends with a commit, and says whether the server warned of something. The words of the warning depend on
/// the server's language, so every warning counts.
pub(super) async fn warned<T>(work: impl Future<Output = T>) -> (T, bool) {
    let work = async {
        let done = work.await;
        (done, WARNED.with(Cell::get))
    };
    WARNED.scope(Cell::new(false), work).await
}

/// A server process that answers. After a lost connection, and after a failover, it is another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    pid: i32,
    since: DateTime<Utc>,
}

impl Store {
    /// The process that answers now. Of a store with one connection this is the one that answers next, unless something
    /// breaks.
    pub async fn session(&self) -> Result<Session, StoreError> {
        let (pid, since) =
            sqlx::query_as("select pg_backend_pid(), pg_postmaster_start_time()").fetch_one(self.pool()).await?;
        Ok(Session { pid, since })
    }

    /// Waits until all that was read in a session is on the standbys for which commits wait. A primary also shows what no
    /// standby has: a commit whose wait was cancelled, as it is when a primary steps down. False if another process answers
    /// now: what was read before may be gone.
    pub async fn is_kept(&self, read: Session) -> Result<bool, StoreError> {
        let mut connection = self.pool().acquire().await?;
        let (pid, since, waits) = sqlx::query_as(
            "select pg_backend_pid(), pg_postmaster_start_time(), \
                 pg_is_in_recovery() or current_setting('synchronous_standby_names') <> ''",
        )
        .fetch_one(&mut *connection)
        .await?;
        let now = Session { pid, since };
        if now != read {
            return Ok(false);
        }
        // In recovery it fails.
        if waits {
            confirm(&mut connection).await?;
        }
        Ok(true)
    }
}

/// Does work with the connections of a pool. If what it did acknowledges something, or the server warned of something,
/// it waits afterwards until the standbys have all that was committed so far, by whomever: somebody may have cancelled
/// the wait of one of its commits, or of one that it found done. Work in tasks of its own is not heard. After an error
/// the work is done, and nobody knows whether a failover would lose it.
pub async fn kept<T>(
    pool: &PgPool,
    work: impl Future<Output = T>,
    acknowledges: impl FnOnce(&T) -> bool,
) -> Result<T, StoreError> {
    let (done, warned) = warned(work).await;
    if warned || acknowledges(&done) {
        let mut connection = pool.acquire().await?;
        confirm(&mut connection).await?;
    }
    Ok(done)
}

const NOTHING: &str = "select pg_logical_emit_message(true, 'matchbook', '') \
                           where pg_is_in_recovery() or current_setting('synchronous_standby_names') <> ''";

pub(super) const WAITS: &str = "current_setting('synchronous_standby_names') <> ''";

/// Waits until the standbys have everything that was committed so far: a commit of nothing, which waits for them as every
/// commit does, is behind all of it. Without synchronous standbys nothing is committed. A standby itself cannot commit, and fails.
pub(super) async fn confirm(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    loop {
        let nothing = sqlx::query(NOTHING).execute(&mut *connection);
        let (sent, cancelled) = warned(nothing).await;
        sent?;
        if !cancelled {
            return Ok(());
        }
        tracing::warn!(
            "the wait for the standby was cancelled; what was committed is not acknowledged before it has it"
        );
        tokio::time::sleep(RETRY).await;
    }
}
