//! The ledger in PostgreSQL: the only code that names a database for entries.
//!
//! It stores bytes and gives the same bytes back. Nothing here updates or deletes a row of the record, and the role it
//! serves under could not. The way of an entry is in [`Writer`]; everything else reads.
//!
//! Queries are plain text here, and every one of them is run by the tests against a real PostgreSQL. The macros that check
//! them while compiling cannot tell what may be null in `unnest`, a lateral join or a data-modifying `with`, which is most
//! of them; each column would carry an override that nothing checks.

mod append;
mod catch_up;
mod checkpoints;
mod connection;
mod cosignatures;
mod edge;
mod identity;
mod insert;
mod kept_tiles;
mod letterbox;
mod lookup;
mod plan;
mod read;
mod settings;
mod submissions;
mod survey;
mod texts;
mod tiles;
mod tips;
mod whole;
mod witnessed;
mod writer;

use std::sync::Arc;

use kept_tiles::KeptTiles;
use ledger::LogId;
use sqlx::ConnectOptions;
use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;
use thiserror::Error;

pub use append::{APPEND_MAX_ENTRIES, Append, AppendError, Appended, Placed, Refusal, Submit};
pub use checkpoints::{SignedCheckpoint, SignedHead, Succession, Term, succeed};
pub use cosignatures::Cosignature;
pub use identity::{Identity, Log, PRACTICE};
pub use letterbox::Letterbox;
pub use read::{Stored, TreeHead};
pub use submissions::{Counts, Escrow, Ordinal, Received, SUBMISSIONS_MAX, Submission, SubmissionError};
pub use survey::{Contradiction, SurveyError};
pub use texts::Text;
pub use tiles::smallest_tree;
pub use whole::{KeptTile, KeptTree};
pub use witnessed::Witnessed;
pub use writer::Writer;

pub use ledger::{SubmitId, SubmitIdError};

/// The role that serves: it may look and add, and neither change nor remove what is public.
pub const SERVE_ROLE: &str = "matchbook_serve";

/// A log in a database.
#[derive(Debug, Clone)]
pub struct Store {
    pool: PgPool,
    log: Arc<Log>,
    /// None where every look is to be at the database.
    kept_tiles: Option<KeptTiles>,
}

/// Why a store cannot be opened, read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The server would acknowledge what it may still lose.
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
    /// The database has no letters for some names.
    #[error(
        "the database keeps texts in {encoding}, which has no letters for some names; make it anew with encoding UTF8"
    )]
    Encoding {
        /// What it keeps texts in.
        encoding: String,
    },
    /// What is stored contradicts itself. Nothing more is appended.
    #[error("the log is not what it was written as: {what}")]
    Corrupt {
        /// Where, and what is expected and found there.
        what: String,
    },
    /// The database did not answer, or refused.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
}

/// Options for connections that serve: the same server and database, under [`SERVE_ROLE`].
///
/// The role is the session's own default, so that `RESET ROLE` does not lead out of it. No statement is ever logged, slow
/// ones neither: a line of the program's log would tell when a seat submits.
///
/// Questions are planned for many readers at once, whose data is in memory or on a disk without arms: one that asks for a
/// second processor takes it from another reader, a row found by an index costs little more than the next one, and none is
/// long enough to be compiled.
#[must_use]
pub fn serving(options: PgConnectOptions) -> PgConnectOptions {
    let planned = [("max_parallel_workers_per_gather", "0"), ("random_page_cost", "1.1"), ("jit", "off")];
    options.options([("role", SERVE_ROLE)]).options(planned).disable_statement_logging()
}

impl Store {
    /// Opens a log: checks that the server keeps what it acknowledges, and creates the log's row and its mutex row at the
    /// first start. At a later start `identity` is not used; what was stored then holds.
    ///
    /// # Errors
    /// [`StoreError::NotDurable`], [`StoreError::Encoding`], [`StoreError::Database`].
    pub async fn open(pool: PgPool, log_id: LogId, identity: &Identity) -> Result<Self, StoreError> {
        let mut connection = pool.acquire().await?;
        settings::check(&mut connection).await?;
        let log = identity::open(&mut connection, log_id, identity).await?;
        drop(connection);
        Ok(Self::new(pool, log))
    }

    /// The same log through other connections, and without what this one has in memory: whoever signs believes nothing
    /// but what is stored at that moment.
    #[must_use]
    pub fn apart(&self, pool: PgPool) -> Self {
        Self { pool, log: self.log.clone(), kept_tiles: None }
    }

    fn new(pool: PgPool, log: Log) -> Self {
        Self { pool, log: Arc::new(log), kept_tiles: Some(KeptTiles::default()) }
    }

    /// Who the log is.
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The connections that read.
    #[must_use]
    pub const fn pool(&self) -> &PgPool {
        &self.pool
    }
}
