//! The database: the server at `DATABASE_URL`, or a private PostgreSQL in the data folder that runs exactly as long as
//! a matchbook process uses it.
//!
//! There are two roles. The *owner* migrates. Everything else runs as the role `matchbook_serve`, which the migrations
//! give only the rights needed for serving.

mod account;
mod archiving;
mod binaries;
mod cluster;
mod guardian;
mod place;
mod pooler;
mod postmaster;
mod private;
mod restore;
mod schema;
mod settings;
mod snapshot;
mod socket;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Connection};
use thiserror::Error;
use tokio::time::sleep;

pub use account::AccountError;
pub use archiving::archiving_fails;
pub use binaries::BinariesError;
pub use cluster::ClusterError;
pub use guardian::{GuardianError, guard, report, this_binary};
pub use place::PlaceError;
pub use private::PrivateError;
pub use restore::RestoreError;
pub use schema::{MIGRATIONS, SchemaError, latest_migration, refuse_old};
pub use snapshot::Snapshot;

use pooler::refuse_transaction_mode;
use private::PrivateServer;

const SERVING_CONNECTIONS: u32 = 16;
/// The idle time for which a connection is assumed to be alive.
const TRUSTED: Duration = Duration::from_secs(1);
/// The time that a page waits for a connection before it reports that the database is unreachable.
const ANSWER: Duration = Duration::from_secs(8);
/// The pause between attempts to reach a server that is starting up.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone)]
pub enum Choice {
    /// The server at this URL.
    Url(String),
    /// The private server of this data folder.
    Private {
        /// The data folder; created if it does not exist.
        data: PathBuf,
        /// The matchbook binary, which is also the server's guardian ([`this_binary`], except in tests).
        binary: PathBuf,
    },
}

/// The database, ready for connections. The private server runs at least as long as this exists.
#[derive(Debug)]
pub struct Database {
    owner: PgConnectOptions,
    serving: PgPool,
    url: String,
    private: Option<PrivateServer>,
}

#[derive(Debug, Error)]
pub enum DatabaseError {
    #[error(transparent)]
    Private(#[from] PrivateError),
    #[error("DATABASE_URL is not the URL of a PostgreSQL database: {0}")]
    Url(sqlx::Error),
    #[error("the database of DATABASE_URL cannot be reached: {0}")]
    Unreachable(sqlx::Error),
    #[error(
        "DATABASE_URL leads to a pooler that gives each transaction another server (pgbouncer's transaction mode). \
         Matchbook needs a server for each connection: set pool_mode = session, or connect to PostgreSQL directly"
    )]
    TransactionMode,
}

impl Database {
    /// Opens the database: starts or joins the private server, or connects to the one at the URL, and waits while it
    /// recovers.
    pub async fn open(choice: &Choice) -> Result<Self, DatabaseError> {
        match choice {
            Choice::Url(url) => {
                let owner: PgConnectOptions = url.parse().map_err(DatabaseError::Url)?;
                let owner = owner.disable_statement_logging();
                reach(&owner).await?;
                refuse_transaction_mode(&owner).await?;
                Ok(Self { serving: serving(owner.clone()), owner, url: url.clone(), private: None })
            }
            Choice::Private { data, binary } => {
                let server = PrivateServer::join(data, binary).await?;
                let owner = server.options(settings::OWNER);
                let serving = serving(server.options(settings::SERVE_LOGIN));
                Ok(Self { owner, serving, url: server.url(), private: Some(server) })
            }
        }
    }

    pub async fn migrate(&self) -> Result<(), SchemaError> {
        schema::migrate(&self.owner).await
    }

    pub async fn versions(&self) -> Result<Vec<i64>, sqlx::Error> {
        let mut owner = PgConnection::connect_with(&self.owner).await?;
        let versions = sqlx::query_scalar("select version from _sqlx_migrations").fetch_all(&mut owner).await;
        // The answer is there; the server notices the end of the connection in either case.
        let _ = owner.close().await;
        versions
    }

    #[must_use]
    pub fn owner(&self) -> &PgConnectOptions {
        &self.owner
    }

    /// The connections for serving, as the role `matchbook_serve`. They work once the schema exists.
    #[must_use]
    pub fn serving(&self) -> &PgPool {
        &self.serving
    }

    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Closes the connections and releases the private server, which stops in any case; the last process waits until it
    /// has stopped.
    pub async fn close(self) -> Result<(), PrivateError> {
        self.serving.close().await;
        match self.private {
            Some(server) => server.leave().await,
            None => Ok(()),
        }
    }
}

#[must_use]
pub fn running_url(data: &Path) -> Option<String> {
    private::running_url(data)
}

pub fn files(data: &Path) -> Result<(PathBuf, PathBuf), PlaceError> {
    private::files(data)
}

pub fn programs(data: &Path) -> Result<PathBuf, BinariesError> {
    let cluster = files(data).ok().and_then(|(cluster, _)| binaries::cluster_major(&cluster));
    binaries::Binaries::find(cluster).map(|binaries| binaries.folder)
}

async fn reach(options: &PgConnectOptions) -> Result<(), DatabaseError> {
    loop {
        match PgConnection::connect_with(options).await {
            Ok(connection) => {
                // The server notices the end of the connection in either case.
                let _ = connection.close().await;
                return Ok(());
            }
            Err(sqlx::Error::Database(error)) if private::cannot_connect_now(error.as_ref()) => {
                tracing::info!("waiting for the database: {error}");
                sleep(PATIENCE).await;
            }
            Err(error) => return Err(DatabaseError::Unreachable(error)),
        }
    }
}

/// The role is part of the connection's options, because the ledger's writer opens its own connection from them.
fn serving(options: PgConnectOptions) -> PgPool {
    connections(crate::serving(options), SERVING_CONNECTIONS, ANSWER)
}

/// A separate pool with at most this many connections, to the same server in the same role.
///
/// A pool uses its connections in turn. Each has a server process that must first prepare every query and map every
/// page of the server's memory that it reads, which takes some ten milliseconds.
#[must_use]
pub fn separate_pool(pool: &PgPool, most: u32) -> PgPool {
    connections((*pool.connect_options()).clone(), most, ANSWER)
}

/// A separate pool of one connection, with its own name at the server; it connects when it is used. Waiting for the
/// connection, and for a lock, ends after `patience`.
#[must_use]
pub fn one_connection(pool: &PgPool, name: &str, patience: Duration) -> PgPool {
    let lock = [("lock_timeout", format!("{}ms", patience.as_millis()))];
    let options = (*pool.connect_options()).clone().application_name(name).options(lock);
    connections(options, 1, patience)
}

/// A connection without the role for serving, or without what it asked for, or to a server that may lose what it commits, is
/// never used: the pool tries again, and the program's log says why.
fn connections(options: PgConnectOptions, most: u32, patience: Duration) -> PgPool {
    let asked = Arc::new(options.clone());
    PgPoolOptions::new()
        .max_connections(most)
        .acquire_timeout(patience)
        .after_connect(move |connection, _| {
            let asked = asked.clone();
            Box::pin(async move {
                let checked = async {
                    crate::log::server_check::set(connection, &asked).await?;
                    crate::log::server_check::check(connection).await
                };
                checked.await.map_err(|refused| sqlx::Error::Configuration(refused.into()))
            })
        })
        // A connection that answered a moment ago is not tested first: that would double the number of queries.
        .test_before_acquire(false)
        .before_acquire(|connection, lately| {
            Box::pin(async move {
                if lately.idle_for > TRUSTED {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .connect_lazy_with(options)
}
