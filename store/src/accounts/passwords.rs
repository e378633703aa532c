//! The hashes of umpires' passwords.

use chrono::{DateTime, Utc};
use ledger::Hash;
use sqlx::PgPool;

use super::activity::{self, NewEvent};
use super::{api_tokens, discord_umpires, sessions, sign_in_links};
use crate::{StoreError, transaction};

#[derive(Clone, Copy, Debug)]
pub struct NewPassword<'p> {
    pub umpire_id: &'p str,
    pub hash: &'p str,
    pub now: DateTime<Utc>,
    pub session: Option<&'p Hash>,
    pub ends_tokens: bool,
    pub unlinks_discord: bool,
}

/// Sets the hash of an umpire's password. All other sessions and unused sign-in links end.
pub async fn set(pool: &PgPool, new: &NewPassword<'_>, event: &NewEvent<'_>) -> Result<(), StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    sqlx::query!("update umpires set password = $2, password_at = $3 where id = $1", new.umpire_id, new.hash, new.now)
        .execute(&mut *transaction)
        .await?;
    sign_in_links::delete_unused(&mut transaction, new.umpire_id).await?;
    sessions::delete_others(&mut transaction, new.umpire_id, new.session).await?;
    if new.ends_tokens {
        api_tokens::revoke_all(&mut transaction, new.umpire_id, new.now).await?;
    }
    if new.unlinks_discord {
        discord_umpires::delete(&mut transaction, new.umpire_id).await?;
    }
    activity::add(&mut transaction, event).await?;
    transaction.commit().await?;
    if let Some(session) = new.session {
        sessions::note_check(pool, session, new.now).await?;
    }
    Ok(())
}

pub async fn has(pool: &PgPool, umpire_id: &str) -> Result<bool, StoreError> {
    let has = sqlx::query_scalar!("select password is not null as \"has!\" from umpires where id = $1", umpire_id);
    Ok(has.fetch_optional(pool).await?.unwrap_or(false))
}

pub async fn of_umpire(pool: &PgPool, umpire_id: &str) -> Result<Option<String>, StoreError> {
    let stored = sqlx::query_scalar!("select password from umpires where id = $1 and closed_at is null", umpire_id);
    Ok(stored.fetch_optional(pool).await?.flatten())
}

pub async fn of_name(pool: &PgPool, name: &str) -> Result<Option<(String, Option<String>)>, StoreError> {
    let found = sqlx::query!("select id, password from umpires where name = $1 and closed_at is null", name);
    Ok(found.fetch_optional(pool).await?.map(|row| (row.id, row.password)))
}
