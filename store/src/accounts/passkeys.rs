//! Passkeys: the public keys with which umpires sign in.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use super::activity::{self, NewEvent};
use super::umpires;
use crate::{StoreError, transaction};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyRow {
    pub id: Vec<u8>,
    pub name: String,
    pub created_at: DateTime<Utc>,
    pub used_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Copy, Debug)]
pub struct NewPasskey<'p> {
    pub id: &'p [u8],
    pub umpire_id: &'p str,
    pub name: &'p str,
    pub passkey: &'p str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyOwner {
    pub umpire_id: String,
    pub passkey: String,
}

pub async fn add(pool: &PgPool, new: &NewPasskey<'_>, most: i64, event: &NewEvent<'_>) -> Result<bool, StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    umpires::lock(&mut transaction, new.umpire_id).await?;
    let others = sqlx::query_scalar!("select count(*) as \"n!\" from passkeys where umpire_id = $1", new.umpire_id);
    if others.fetch_one(&mut *transaction).await? >= most {
        return Ok(false);
    }
    let added = sqlx::query!(
        "insert into passkeys (id, umpire_id, name, passkey, created_at) values ($1, $2, $3, $4, $5) \
         on conflict (id) do nothing",
        new.id,
        new.umpire_id,
        new.name,
        new.passkey,
        event.at
    );
    if added.execute(&mut *transaction).await?.rows_affected() == 0 {
        return Ok(false);
    }
    activity::add(&mut transaction, event).await?;
    transaction.commit().await?;
    Ok(true)
}

pub async fn of_umpire(pool: &PgPool, umpire_id: &str) -> Result<Vec<PasskeyRow>, StoreError> {
    let rows = sqlx::query_as!(
        PasskeyRow,
        "select id, name, created_at, used_at from passkeys where umpire_id = $1 order by created_at, id",
        umpire_id
    );
    Ok(rows.fetch_all(pool).await?)
}

pub async fn owner(pool: &PgPool, id: &[u8]) -> Result<Option<PasskeyOwner>, StoreError> {
    let owner = sqlx::query_as!(
        PasskeyOwner,
        "select umpire_id, passkey from passkeys join umpires on umpires.id = umpire_id \
         where passkeys.id = $1 and closed_at is null",
        id
    );
    Ok(owner.fetch_optional(pool).await?)
}

pub async fn note_use(pool: &PgPool, id: &[u8], passkey: &str, now: DateTime<Utc>) -> Result<(), StoreError> {
    sqlx::query!("update passkeys set passkey = $2, used_at = $3 where id = $1", id, passkey, now)
        .execute(pool)
        .await?;
    Ok(())
}

/// Removes a passkey of an umpire. Without any, a password is enough again. Removing it again changes nothing.
pub async fn remove(pool: &PgPool, umpire_id: &str, id: &[u8], event: &NewEvent<'_>) -> Result<(), StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    umpires::lock(&mut transaction, umpire_id).await?;
    let removed =
        sqlx::query_scalar!("delete from passkeys where umpire_id = $1 and id = $2 returning name", umpire_id, id);
    if let Some(name) = removed.fetch_optional(&mut *transaction).await? {
        activity::add(&mut transaction, &NewEvent { note: &name, ..*event }).await?;
    }
    sqlx::query!(
        "update umpires set needs_passkey = false \
         where id = $1 and not exists (select from passkeys where umpire_id = $1)",
        umpire_id
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(())
}

pub async fn set_needed(
    pool: &PgPool,
    umpire_id: &str,
    needed: bool,
    event: &NewEvent<'_>,
) -> Result<bool, StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    umpires::lock(&mut transaction, umpire_id).await?;
    let set = sqlx::query!(
        "update umpires set needs_passkey = $2 \
         where id = $1 and (not $2 or exists (select from passkeys where umpire_id = $1))",
        umpire_id,
        needed
    );
    if set.execute(&mut *transaction).await?.rows_affected() == 0 {
        return Ok(false);
    }
    activity::add(&mut transaction, event).await?;
    transaction.commit().await?;
    Ok(true)
}

pub async fn is_needed(pool: &PgPool, umpire_id: &str) -> Result<bool, StoreError> {
    let needed = sqlx::query_scalar!("select needs_passkey from umpires where id = $1", umpire_id);
    Ok(needed.fetch_optional(pool).await?.unwrap_or(false))
}
