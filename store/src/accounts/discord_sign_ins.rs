//! Sign-ins with Discord that a browser has begun.

use chrono::{DateTime, Utc};
use ledger::Hash;
use sqlx::PgPool;

use crate::StoreError;

pub async fn begin(
    pool: &PgPool,
    token: &Hash,
    links: Option<&str>,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query!("delete from discord_sign_ins where expires_at <= $1", now).execute(pool).await?;
    let query = sqlx::query!(
        "insert into discord_sign_ins (token, umpire_id, expires_at) values ($1, $2, $3)",
        token.as_ref(),
        links,
        expires_at
    );
    Ok(query.execute(pool).await.map(drop)?)
}

/// Ends a sign-in, which cannot be ended twice. None if it was not begun, was begun too long ago, or has ended;
/// otherwise the pseudonym of the umpire who links an account, if it is for that.
pub async fn end(pool: &PgPool, token: &Hash, now: DateTime<Utc>) -> Result<Option<Option<String>>, StoreError> {
    let taken = sqlx::query_scalar!(
        "delete from discord_sign_ins where token = $1 and expires_at > $2 returning umpire_id",
        token.as_ref(),
        now
    );
    Ok(taken.fetch_optional(pool).await?)
}
