//! Preparing an empty database for a backup.

use sqlx::Connection;
use sqlx::postgres::PgConnection;
use thiserror::Error;

use super::Database;
use super::schema::{SchemaError, take_role};

#[derive(Debug, Error)]
pub enum RestoreError {
    #[error("the database is not empty: a backup is restored into an empty one")]
    NotEmpty,
    #[error(transparent)]
    Role(#[from] SchemaError),
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
}

impl Database {
    /// Makes an empty database ready for a backup: it must have no tables, and gets the role that serves.
    pub async fn prepare_restore(&self) -> Result<(), RestoreError> {
        let mut owner = PgConnection::connect_with(self.owner()).await?;
        let tables: i64 = sqlx::query_scalar("select count(*) from pg_tables where schemaname = 'public'")
            .fetch_one(&mut owner)
            .await?;
        if tables != 0 {
            return Err(RestoreError::NotEmpty);
        }
        take_role(&mut owner).await?;
        Ok(owner.close().await?)
    }
}
