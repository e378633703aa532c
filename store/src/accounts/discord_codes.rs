//! Codes that link an account at Discord to an umpire.

use chrono::{DateTime, Utc};
use ledger::Hash;
use sqlx::PgPool;

use crate::StoreError;

pub async fn add(
    pool: &PgPool,
    code: &Hash,
    umpire_id: &str,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query!("delete from discord_codes where expires_at <= $1", now).execute(pool).await?;
    let query = sqlx::query!(
        "insert into discord_codes (code, umpire_id, expires_at) values ($1, $2, $3)",
        code.as_ref(),
        umpire_id,
        expires_at
    );
    Ok(query.execute(pool).await.map(drop)?)
}

pub async fn redeem(pool: &PgPool, code: &Hash, now: DateTime<Utc>) -> Result<Option<String>, StoreError> {
    let used = sqlx::query_scalar!(
        "delete from discord_codes where code = $1 and expires_at > $2 returning umpire_id",
        code.as_ref(),
        now
    );
    Ok(used.fetch_optional(pool).await?)
}
