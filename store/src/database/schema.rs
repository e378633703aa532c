//! The schema: this binary's migrations, and a refusal to touch a newer schema.

use sqlx::Connection;
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use thiserror::Error;

/// The migrations, in order. Running them needs a role that may create tables and roles; serving does not.
pub static MIGRATIONS: Migrator = sqlx::migrate!("../migrations");

/// The reason why the schema is not the one for this binary.
#[derive(Debug, Error)]
pub enum SchemaError {
    /// A newer Matchbook has migrated it.
    #[error(
        "the database was migrated by a newer matchbook (its schema is {found}, this binary knows up to {known}): \
         run that version, or restore a copy from before the upgrade"
    )]
    Newer {
        /// The database's latest migration that is unknown here.
        found: i64,
        /// The latest migration of this binary.
        known: i64,
    },
    /// A migration failed or does not fit.
    #[error("the database cannot be migrated: {0}")]
    Migrate(MigrateError),
    /// There is no connection.
    #[error("the database cannot be migrated, because there is no connection to it: {0}")]
    Connect(sqlx::Error),
}

/// Brings the schema to this binary's version. Several processes may do it at once: one migrates, the others wait.
pub(super) async fn migrate(owner: &PgConnectOptions) -> Result<(), SchemaError> {
    let mut connection = PgConnection::connect_with(owner).await.map_err(SchemaError::Connect)?;
    let outcome = MIGRATIONS.run(&mut connection).await;
    // The outcome is known; the server notices the end of the connection in either case.
    let _ = connection.close().await;
    outcome.map_err(sort)
}

fn sort(error: MigrateError) -> SchemaError {
    let known = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default();
    match error {
        MigrateError::VersionMissing(found) if found > known => SchemaError::Newer { found, known },
        error => SchemaError::Migrate(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_schema_is_named() {
        let error = sort(MigrateError::VersionMissing(i64::MAX));
        assert!(matches!(error, SchemaError::Newer { .. }), "{error}");
        let text = error.to_string();
        assert!(text.starts_with("the database was migrated by a newer matchbook (its schema is 9223372036854775807"));
        assert!(matches!(sort(MigrateError::VersionMissing(-1)), SchemaError::Migrate(_)));
    }
}
