//! Whether PostgreSQL hands its write-ahead log to an archive.

use sqlx::PgPool;

use crate::StoreError;

/// True if the last try failed. PostgreSQL tries again for good, and keeps what it could not hand over.
pub async fn archiving_fails(pool: &PgPool) -> Result<bool, StoreError> {
    let failed = "select current_setting('archive_mode') <> 'off' \
        and coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) from pg_stat_archiver";
    Ok(sqlx::query_scalar(failed).fetch_one(pool).await?)
}
