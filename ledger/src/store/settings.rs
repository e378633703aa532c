//! A server that may forget what it acknowledged is refused.

use sqlx::{PgConnection, Row};

use super::StoreError;

/// With any of these off, PostgreSQL answers before the entry is safe, or may come back from a crash with torn pages.
///
/// `synchronous_commit` can also be set for a role, a database or a session, so the writer asks on every connection.
pub(super) async fn check(connection: &mut PgConnection) -> Result<(), StoreError> {
    let rows = sqlx::query(
        "select name, setting from pg_settings \
         where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name",
    )
    .fetch_all(connection)
    .await?;
    match rows.first() {
        None => Ok(()),
        Some(row) => Err(StoreError::NotDurable { name: row.try_get("name")?, value: row.try_get("setting")? }),
    }
}
