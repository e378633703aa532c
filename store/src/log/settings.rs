//! Refuses a server that may lose acknowledged data, and one that cannot store every name.

use sqlx::{PgConnection, Row};

use super::StoreError;

/// With any of these off, PostgreSQL answers before the entry is safe, or may come back from a crash with torn pages.
///
/// `synchronous_commit` can also be set for a role, a database or a session, so the writer checks it on every
/// connection.
pub(super) async fn check(connection: &mut PgConnection) -> Result<(), StoreError> {
    let rows = sqlx::query(
        "select name, setting from pg_settings \
         where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name",
    )
    .fetch_all(&mut *connection)
    .await?;
    match rows.first() {
        None => encoding(connection).await,
        Some(row) => Err(StoreError::NotDurable { name: row.try_get("name")?, value: row.try_get("setting")? }),
    }
}

/// Words are stored by the statement that appends: a word that the encoding cannot represent would stop the log for
/// everybody.
async fn encoding(connection: &mut PgConnection) -> Result<(), StoreError> {
    let encoding: String =
        sqlx::query_scalar("select current_setting('server_encoding')").fetch_one(connection).await?;
    // SQL_ASCII stores bytes unchanged.
    if ["UTF8", "SQL_ASCII"].contains(&encoding.as_str()) { Ok(()) } else { Err(StoreError::Encoding { encoding }) }
}
