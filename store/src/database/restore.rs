//! Preparing an empty database for a backup.

use sqlx::postgres::PgConnection;
use sqlx::{Connection, Executor};
use thiserror::Error;

use super::Database;

/// The role in the backup's grants must exist before them.
const ROLE: &str = "do $$ begin \
    if not exists (select from pg_roles where rolname = 'matchbook_serve') then create role matchbook_serve nologin; \
    end if; \
    if not pg_has_role(current_user, 'matchbook_serve', 'member') then \
    execute format('grant matchbook_serve to %I', current_user); end if; end $$";

/// The reason why a backup cannot be restored here.
#[derive(Debug, Error)]
pub enum RestoreError {
    /// The database has tables.
    #[error("the database is not empty: a backup is restored into an empty one")]
    NotEmpty,
    /// The role that serves cannot be created.
    #[error("cannot make the role that serves: {0}")]
    Role(sqlx::Error),
    /// The database did not answer, or refused.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
}

impl Database {
    /// Makes an empty database ready for a backup: it must have no tables, and gets the role that serves.
    ///
    /// # Errors
    /// [`RestoreError`].
    pub async fn prepare_restore(&self) -> Result<(), RestoreError> {
        let mut owner = PgConnection::connect_with(self.owner()).await?;
        let tables: i64 = sqlx::query_scalar("select count(*) from pg_tables where schemaname = 'public'")
            .fetch_one(&mut owner)
            .await?;
        if tables != 0 {
            return Err(RestoreError::NotEmpty);
        }
        owner.execute(ROLE).await.map_err(RestoreError::Role)?;
        Ok(owner.close().await?)
    }
}
