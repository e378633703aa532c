//! The ledger in PostgreSQL: the only code that accesses entries in a database.
//!
//! It stores bytes and returns the same bytes. Nothing here updates or deletes a row of the record, and its role has no
//! right to. [`Writer`] adds entries; everything else reads.
//!
//! Queries are plain text here, and the tests run every one of them against a real PostgreSQL. The macros that check
//! queries at compile time cannot know which columns of `unnest`, a lateral join or a data-modifying `with` may be
//! null. Most queries have one of these, so each column would need an override that nothing checks.

mod acknowledged_submissions;
mod append;
mod attempt;
mod audit_reader;
mod catch_up;
mod checkpoints;
mod connection;
mod cosignatures;
mod denial;
mod edge;
mod escrow_keys;
mod gathered;
mod identity;
mod insert;
mod lookup;
mod plan;
mod read;
mod reads;
pub(crate) mod server_check;
mod standby;
mod submission_queue;
mod submissions;
mod survey;
mod texts;
mod tile_cache;
mod tiles;
mod tips;
mod trouble;
mod witnessed_trees;
mod writer;

use std::sync::Arc;

use ledger::LogId;
use reads::Reads;
use sqlx::ConnectOptions;
use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;
use thiserror::Error;
use tile_cache::TileCache;

pub use acknowledged_submissions::{AcknowledgedRow, NotedCount, NotedList, NotedSubmission, Outstanding, PutBack};
pub use append::{APPEND_MAX_ENTRIES, Append, AppendError, AppendResult, EntryPlace, Refusal, Submit};
pub use audit_reader::{StoredTile, StoredTree};
pub use checkpoints::{SignedCheckpoint, SignedHead, Succession, Term, succeed};
pub use cosignatures::Cosignature;
pub use denial::{Denial, DenialCause};
pub use escrow_keys::renew_escrow_key;
pub use identity::{Identity, Log, PRACTICE};
pub use read::{Stored, TreeHead};
pub use standby::{Session, StandbyWarnings, kept};
pub use submission_queue::SubmissionQueue;
pub use submissions::{Counts, Escrow, Ordinal, SUBMISSIONS_MAX, StoredSubmission, Submission, SubmissionError};
pub use survey::{Contradiction, Pass, SurveyError};
pub use texts::Text;
pub use tiles::smallest_tree;
pub use trouble::Trouble;
pub use witnessed_trees::WitnessedTrees;
pub use writer::Writer;

pub use ledger::{SubmitId, SubmitIdError};

/// The role for serving: it may read and add, and neither change nor remove public data.
pub const SERVE_ROLE: &str = "matchbook_serve";

#[derive(Debug, Clone)]
pub struct Store {
    pool: PgPool,
    log: Arc<Log>,
    /// None if every read must go to the database.
    tile_cache: Option<TileCache>,
    reads: Option<Arc<Reads>>,
}

#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The server would acknowledge data that it may still lose.
    #[error(
        "PostgreSQL runs with {name} = {value}, so an entry could be lost after it was acknowledged; set {name} = on in \
         postgresql.conf (or ALTER SYSTEM SET {name} = on), then reload"
    )]
    NotDurable {
        /// The setting.
        name: String,
        /// Its value.
        value: String,
    },
    /// The connection has another role than the one that serves.
    #[error(
        "the connection is made as {role} and may not become matchbook_serve, so it could change what was recorded. Connect as \
         a role that is a member of matchbook_serve: as its owner, GRANT matchbook_serve TO {role}"
    )]
    Role {
        /// The role.
        role: String,
    },
    /// The database's encoding cannot represent some names.
    #[error(
        "the database keeps texts in {encoding}, which has no letters for some names; create it again with encoding UTF8"
    )]
    Encoding {
        /// The encoding.
        encoding: String,
    },
    /// The stored data contradict themselves. Nothing more is appended.
    #[error(
        "the log is not what it was written as: {what}. Nothing more is recorded. Keep the database as it is, run \
         \u{201c}matchbook audit\u{201d}, and go on as docs/operating.md says: \u{201c}The log is not signed any more. What \
         now?\u{201d}"
    )]
    Corrupt {
        /// The place, the expected value and the found value.
        what: String,
    },
    /// The database answered, and did not do it.
    #[error(transparent)]
    Denied(#[from] Denial),
    /// The database did not answer, or refused.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
}

/// Options for serving connections: the same server and database, as [`SERVE_ROLE`].
///
/// The role is the session's own default, so that `RESET ROLE` does not leave it. No statement is ever logged, not even
/// a slow one: a line in the program's log would reveal when a seat submits.
///
/// The planner is set for many simultaneous readers whose data is in memory or on a solid-state disk: a parallel query
/// takes a core from another reader, a row found by an index costs little more than the next one, and no query is long
/// enough for compilation.
#[must_use]
pub fn serving(options: PgConnectOptions) -> PgConnectOptions {
    let planned = [("max_parallel_workers_per_gather", "0"), ("random_page_cost", "1.1"), ("jit", "off")];
    options.options([("role", SERVE_ROLE)]).options(planned).disable_statement_logging()
}

impl Store {
    /// Opens a log: checks that the server keeps acknowledged data, and creates the log's row and its mutex row at the
    /// first start. A later start ignores `identity` and uses the stored values.
    pub async fn open(pool: PgPool, log_id: LogId, identity: &Identity) -> Result<Self, StoreError> {
        let mut connection = server_check::check_server(&pool).await?;
        let log = identity::open(&mut connection, log_id, identity).await?;
        drop(connection);
        Ok(Self::new(pool, log))
    }

    /// The same log through other connections, and without this one's cache: the signer trusts only the currently
    /// stored data.
    #[must_use]
    pub fn with_pool(&self, pool: PgPool) -> Self {
        Self { pool, log: self.log.clone(), tile_cache: None, reads: None }
    }

    /// The same log, for callers of whom many come at once: they ask together.
    #[must_use]
    pub fn gathering(self) -> Self {
        Self { reads: Some(Arc::default()), ..self }
    }

    #[must_use]
    pub fn reading_from(&self, pool: PgPool) -> Self {
        Self { pool, reads: None, ..self.clone() }
    }

    fn new(pool: PgPool, log: Log) -> Self {
        Self { pool, log: Arc::new(log), tile_cache: Some(TileCache::default()), reads: None }
    }

    #[must_use]
    pub fn log(&self) -> &Log {
        &self.log
    }

    #[must_use]
    pub const fn pool(&self) -> &PgPool {
        &self.pool
    }
}
