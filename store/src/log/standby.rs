//! Synchronous standbys. PostgreSQL commits first and then waits for its standby; if somebody cancels that wait, it answers
//! as if the standby had the commit, with nothing but a warning. A failover would lose what was acknowledged so.
//!
//! sqlx hands warnings to `tracing`, in the task that waits for the answer. [`StandbyWarnings`] listens there.

use std::cell::Cell;
use std::time::Duration;

use sqlx::PgConnection;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// The target under which sqlx tells what the server notices.
const NOTICES: &str = "sqlx::postgres::notice";
/// The pause before it is tried again.
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
    /// The layer, for these events alone.
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

/// Waits until the standbys have everything that was committed so far: a commit of nothing, which waits for them as every
/// commit does, is behind all of it. Without synchronous standbys that is one commit more.
///
/// # Errors
/// The connection.
pub(super) async fn confirm(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    loop {
        let nothing = sqlx::query("select pg_logical_emit_message(true, 'matchbook', '')").execute(&mut *connection);
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
