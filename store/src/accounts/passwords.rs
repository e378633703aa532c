//! The hashes of umpires' passwords.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::StoreError;

/// Sets the hash of an umpire's password.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn set(pool: &PgPool, umpire_id: &str, hash: &str, now: DateTime<Utc>) -> Result<(), StoreError> {
    sqlx::query!("update umpires set password = $2, password_at = $3 where id = $1", umpire_id, hash, now)
        .execute(pool)
        .await?;
    Ok(())
}

/// True if an umpire has a password.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn has(pool: &PgPool, umpire_id: &str) -> Result<bool, StoreError> {
    let has = sqlx::query_scalar!("select password is not null as \"has!\" from umpires where id = $1", umpire_id);
    Ok(has.fetch_optional(pool).await?.unwrap_or(false))
}

/// The hash of an umpire's password; none if there is none, or if the account is closed.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn of_umpire(pool: &PgPool, umpire_id: &str) -> Result<Option<String>, StoreError> {
    let stored = sqlx::query_scalar!("select password from umpires where id = $1 and closed_at is null", umpire_id);
    Ok(stored.fetch_optional(pool).await?.flatten())
}

/// The pseudonym and the password's hash of the umpire with this name; none if the account is closed.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn of_name(pool: &PgPool, name: &str) -> Result<Option<(String, Option<String>)>, StoreError> {
    let found = sqlx::query!("select id, password from umpires where name = $1 and closed_at is null", name);
    Ok(found.fetch_optional(pool).await?.map(|row| (row.id, row.password)))
}
