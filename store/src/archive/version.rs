//! The number of changes of the lists, which every node sees alike.

use sqlx::PgPool;

use crate::StoreError;

pub async fn read(pool: &PgPool) -> Result<i64, StoreError> {
    let version = sqlx::query_scalar!("select sum(n)::bigint as \"n!\" from archive_version");
    Ok(version.fetch_one(pool).await?)
}
