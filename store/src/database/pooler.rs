//! A pooler that gives a connection another server for each transaction is refused: roles, locks and prepared statements would
//! be somebody else's.

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{Connection, Row, raw_sql};

use super::DatabaseError;

/// Compares the servers of two connections at once: a pooler in transaction mode gives both the same one.
pub(super) async fn refuse_transaction_mode(options: &PgConnectOptions) -> Result<(), DatabaseError> {
    let unreachable = DatabaseError::Unreachable;
    let mut one = PgConnection::connect_with(options).await.map_err(unreachable)?;
    let first = server_of(&mut one).await.map_err(unreachable)?;
    let mut two = PgConnection::connect_with(options).await.map_err(unreachable)?;
    let second = server_of(&mut two).await.map_err(unreachable)?;
    // The server notices the end of the connections in either case.
    let _ = (one.close().await, two.close().await);
    if first == second { Err(DatabaseError::TransactionMode) } else { Ok(()) }
}

/// The server process of a connection; asked without a prepared statement, which would stay with that process.
async fn server_of(connection: &mut PgConnection) -> Result<i32, sqlx::Error> {
    raw_sql("select pg_backend_pid()").fetch_one(connection).await?.try_get(0)
}
