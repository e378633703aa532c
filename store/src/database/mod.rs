//! The database: the server that `DATABASE_URL` names, or a private PostgreSQL in the data folder
//! that runs exactly as long as a matchbook process uses it.
//!
//! Two ways in. The *owner* migrates. Everything else runs as the role `matchbook_serve`,
//! which the migrations give no more than serving needs.

mod account;
mod binaries;
mod cluster;
mod guardian;
mod place;
mod postmaster;
mod private;
mod schema;
mod settings;
mod socket;

use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Connection};
use thiserror::Error;
use tokio::time::sleep;

pub use account::AccountError;
pub use binaries::BinariesError;
pub use cluster::ClusterError;
pub use guardian::{GuardianError, guard, report, this_binary};
pub use place::PlaceError;
pub use private::PrivateError;
pub use schema::{MIGRATIONS, SchemaError};

use private::PrivateServer;

/// Connections that serve pages and submissions.
const SERVING_CONNECTIONS: u32 = 16;
/// How long a connection that nobody used is taken to be there still.
const TRUSTED: Duration = Duration::from_secs(1);
/// How long a page waits for a connection before it says that the database is away.
const ANSWER: Duration = Duration::from_secs(8);
/// Between two attempts at a server that is starting up.
const PATIENCE: Duration = Duration::from_secs(2);

/// Which database to use.
#[derive(Debug, Clone)]
pub enum Choice {
    /// The server at this URL.
    Url(String),
    /// The private server of this data folder.
    Private {
        /// The data folder; made when it is not there.
        data: PathBuf,
        /// The matchbook binary, which is also the server's guardian ([`this_binary`] unless a test stands in).
        binary: PathBuf,
    },
}

/// The database, ready for connections. While this lives the private server does, too.
#[derive(Debug)]
pub struct Database {
    owner: PgConnectOptions,
    serving: PgPool,
    url: String,
    private: Option<PrivateServer>,
}

/// Why the database cannot be used.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// The private server.
    #[error(transparent)]
    Private(#[from] PrivateError),
    /// `DATABASE_URL` is not a URL of a PostgreSQL server.
    #[error("DATABASE_URL is not the URL of a PostgreSQL database: {0}")]
    Url(sqlx::Error),
    /// `DATABASE_URL` leads nowhere.
    #[error("the database of DATABASE_URL cannot be reached: {0}")]
    Unreachable(sqlx::Error),
}

impl Database {
    /// Opens the database: starts or joins the private server, or reaches the one at the URL, and waits patiently
    /// while it recovers.
    ///
    /// # Errors
    /// [`DatabaseError`], with what to do about it.
    pub async fn open(choice: &Choice) -> Result<Self, DatabaseError> {
        match choice {
            Choice::Url(url) => {
                let owner: PgConnectOptions = url.parse().map_err(DatabaseError::Url)?;
                let owner = owner.disable_statement_logging();
                reach(&owner).await?;
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

    /// Brings the schema to this binary's version.
    ///
    /// # Errors
    /// [`SchemaError`], above all when a newer matchbook was here.
    pub async fn migrate(&self) -> Result<(), SchemaError> {
        schema::migrate(&self.owner).await
    }

    /// How to connect as the owner, who migrates.
    #[must_use]
    pub fn owner(&self) -> &PgConnectOptions {
        &self.owner
    }

    /// The connections that serve, as the role `matchbook_serve`. They can be had once the schema is there.
    #[must_use]
    pub fn serving(&self) -> &PgPool {
        &self.serving
    }

    /// The owner's URL, for other programs.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Closes the connections and lets go of the private server; the last process waits until it has stopped.
    ///
    /// # Errors
    /// [`PrivateError`]; the server stops all the same.
    pub async fn close(self) -> Result<(), PrivateError> {
        self.serving.close().await;
        match self.private {
            Some(server) => server.leave().await,
            None => Ok(()),
        }
    }
}

/// The owner's URL of the data folder's private server, if it runs.
#[must_use]
pub fn running_url(data: &Path) -> Option<String> {
    private::running_url(data)
}

/// Where the data folder's private server has its cluster and its log.
///
/// # Errors
/// [`PlaceError`], when there is none yet or it is someone else's.
pub fn files(data: &Path) -> Result<(PathBuf, PathBuf), PlaceError> {
    private::files(data)
}

/// The folder with the programs (`psql`, `pg_dump`) that fit the data folder's private server, or else the system's.
///
/// # Errors
/// [`BinariesError`], with the line that installs them.
pub fn programs(data: &Path) -> Result<PathBuf, BinariesError> {
    let cluster = files(data).ok().and_then(|(cluster, _)| binaries::cluster_major(&cluster));
    binaries::Binaries::find(cluster).map(|binaries| binaries.folder)
}

/// Waits for a server that is starting up; any other failure is the operator's to see.
async fn reach(options: &PgConnectOptions) -> Result<(), DatabaseError> {
    loop {
        match PgConnection::connect_with(options).await {
            Ok(connection) => {
                // The server notices that we left, in this way or the other.
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

/// The role is part of the connection's options, because the ledger's writer opens one of its own from them.
fn serving(options: PgConnectOptions) -> PgPool {
    connections(crate::serving(options), SERVING_CONNECTIONS)
}

/// At most so many connections beside these ones, to the same server in the same role.
///
/// A pool hands its connections out in turn, and behind each stands a process that has to learn every question, and to map
/// every page of the server's memory that it reads: it takes some ten milliseconds until it answers as fast as it can.
#[must_use]
pub fn apart(pool: &PgPool, most: u32) -> PgPool {
    connections((*pool.connect_options()).clone(), most)
}

fn connections(options: PgConnectOptions, most: u32) -> PgPool {
    PgPoolOptions::new()
        .max_connections(most)
        .acquire_timeout(ANSWER)
        // What answered a moment ago is not asked first whether it still does: that would be every second question.
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
