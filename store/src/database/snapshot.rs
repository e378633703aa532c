//! A state of the database that does not change, for pg_dump and for whoever says what it dumped.

use sqlx::Connection;
use sqlx::postgres::PgConnection;

use super::Database;
use crate::{Store, StoreError, TreeHead};

#[derive(Debug)]
pub struct Snapshot {
    connection: PgConnection,
    id: String,
}

impl Database {
    pub async fn snapshot(&self) -> Result<Snapshot, sqlx::Error> {
        let mut connection = PgConnection::connect_with(&self.owner).await?;
        sqlx::query("begin isolation level repeatable read read only").execute(&mut connection).await?;
        let id = sqlx::query_scalar("select pg_export_snapshot()").fetch_one(&mut connection).await?;
        Ok(Snapshot { connection, id })
    }
}

impl Snapshot {
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    pub async fn tree_head(&mut self, store: &Store) -> Result<TreeHead, StoreError> {
        store.tree_head_in(&mut self.connection).await
    }
}
