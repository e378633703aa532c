//! Read replicas: standbys of the database, and how far they have replayed what the primary wrote.

use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;

use super::{ConnectOptions, DatabaseError, Duration, connections};

/// The connections for readers at a replica.
const CONNECTIONS: u32 = 16;
/// The time that a reader waits for a connection to a replica. One that is gone is found out long before.
const PATIENCE: Duration = Duration::from_secs(2);

/// A position in the log of a server's changes (`pg_lsn`), as its number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WalPosition(pub i64);

/// What a replica says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplicaPosition {
    /// The cluster that it is a copy of.
    pub cluster: i64,
    /// What it has replayed; none if it is a primary.
    pub replayed: Option<WalPosition>,
}

/// The connections to the standby at this URL, in the role that serves. Nothing connects yet.
///
/// # Errors
/// [`DatabaseError::ReadUrl`].
pub fn replica(url: &str) -> Result<PgPool, DatabaseError> {
    let options: PgConnectOptions = url.parse().map_err(DatabaseError::ReadUrl)?;
    Ok(connections(crate::serving(options.disable_statement_logging()), CONNECTIONS, PATIENCE))
}

/// The cluster of a primary, and the position up to which everything that it has committed is on its disk.
///
/// # Errors
/// The database.
pub async fn written(primary: &PgPool) -> Result<(i64, WalPosition), sqlx::Error> {
    let asked = "select (select system_identifier from pg_control_system()), \
        (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint";
    let (cluster, position) = sqlx::query_as(asked).fetch_one(primary).await?;
    Ok((cluster, WalPosition(position)))
}

/// What a replica has replayed.
///
/// # Errors
/// The replica.
pub async fn replayed(replica: &PgPool) -> Result<ReplicaPosition, sqlx::Error> {
    let asked = "select (select system_identifier from pg_control_system()), \
        case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint end";
    let (cluster, position): (_, Option<i64>) = sqlx::query_as(asked).fetch_one(replica).await?;
    Ok(ReplicaPosition { cluster, replayed: position.map(WalPosition) })
}
