//! The challenges that a browser answers with a passkey.

use chrono::{DateTime, Utc};
use ledger::Hash;
use sqlx::PgPool;

use crate::StoreError;

pub async fn begin(
    pool: &PgPool,
    token: &Hash,
    umpire_id: Option<&str>,
    state: &str,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query!("delete from passkey_challenges where expires_at <= $1", now).execute(pool).await?;
    let query = sqlx::query!(
        "insert into passkey_challenges (token, umpire_id, state, expires_at) values ($1, $2, $3, $4)",
        token.as_ref(),
        umpire_id,
        state,
        expires_at
    );
    Ok(query.execute(pool).await.map(drop)?)
}

pub async fn end(
    pool: &PgPool,
    token: &Hash,
    umpire_id: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Option<String>, StoreError> {
    let state = sqlx::query_scalar!(
        "delete from passkey_challenges where token = $1 and umpire_id is not distinct from $2 and expires_at > $3 \
         returning state",
        token.as_ref(),
        umpire_id,
        now
    );
    Ok(state.fetch_optional(pool).await?)
}
