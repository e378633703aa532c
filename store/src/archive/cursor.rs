//! The position in a log up to which the archive was derived, and the rules by which that was done.

use ledger::{LeafIndex, LogId};
use sqlx::PgPool;

use crate::StoreError;

/// The number of the rules by which rows are derived. With a newer number every match is derived again.
const FORM: i32 = 3;

/// The position of the next entry to derive; none if the archive was never derived by these rules or newer ones.
pub async fn get(pool: &PgPool, log_id: LogId) -> Result<Option<LeafIndex>, StoreError> {
    let pos = sqlx::query_scalar!("select pos from archive_cursor where log_id = $1 and form >= $2", log_id.0, FORM);
    Ok(pos.fetch_optional(pool).await?.map(|pos| LeafIndex(u64::try_from(pos).unwrap_or(0))))
}

/// Whether the archive was derived by older rules. Then there are rows for all matches, which lack what is new.
pub async fn is_of_older_rules(pool: &PgPool, log_id: LogId) -> Result<bool, StoreError> {
    let older = sqlx::query_scalar("select exists (select from archive_cursor where log_id = $1 and form < $2)");
    Ok(older.bind(log_id.0).bind(FORM).fetch_one(pool).await?)
}

/// Moves the position forward. A position behind the stored one changes nothing, unless that is of older rules: what was
/// derived by these is followed again.
pub async fn advance(pool: &PgPool, log_id: LogId, next: LeafIndex) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "insert into archive_cursor (log_id, pos, form) values ($1, $2, $3) \
         on conflict (log_id) do update set pos = excluded.pos, \
             form = greatest(archive_cursor.form, excluded.form) \
         where archive_cursor.pos < excluded.pos or archive_cursor.form < excluded.form",
        log_id.0,
        i64::try_from(next.0).unwrap_or(i64::MAX),
        FORM
    );
    Ok(query.execute(pool).await.map(drop)?)
}
