//! Links that sign an umpire in once.

use chrono::{DateTime, TimeDelta, Utc};
use ledger::Hash;
use sqlx::{PgConnection, PgPool};

use super::activity::{self, NewEvent};
use super::umpires::Umpire;
use crate::{StoreError, transaction};

const LIFE: TimeDelta = TimeDelta::hours(24);

pub async fn add(pool: &PgPool, token: &Hash, umpire_id: &str, event: &NewEvent<'_>) -> Result<bool, StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    let made = sqlx::query!(
        "insert into sign_in_links (token, umpire_id, expires_at) \
         select $1, id, $3 from umpires where id = $2 and closed_at is null",
        token.as_ref(),
        umpire_id,
        event.at + LIFE
    );
    if made.execute(&mut *transaction).await?.rows_affected() == 0 {
        return Ok(false);
    }
    activity::add(&mut transaction, event).await?;
    transaction.commit().await?;
    Ok(true)
}

pub async fn umpire(pool: &PgPool, token: &Hash, now: DateTime<Utc>) -> Result<Option<Umpire>, StoreError> {
    let found = sqlx::query_as!(
        Umpire,
        "select umpires.id, umpires.name, umpires.role from sign_in_links \
         join umpires on umpires.id = sign_in_links.umpire_id \
         where token = $1 and used_at is null and expires_at > $2 and closed_at is null",
        token.as_ref(),
        now
    );
    Ok(found.fetch_optional(pool).await?)
}

pub async fn redeem(pool: &PgPool, token: &Hash, now: DateTime<Utc>) -> Result<Option<String>, StoreError> {
    let used = sqlx::query_scalar!(
        "update sign_in_links set used_at = $2 from umpires where token = $1 and used_at is null and expires_at > $2 \
             and umpires.id = umpire_id and closed_at is null \
         returning umpire_id",
        token.as_ref(),
        now
    );
    Ok(used.fetch_optional(pool).await?)
}

pub(super) async fn delete_unused(connection: &mut PgConnection, umpire_id: &str) -> Result<(), StoreError> {
    sqlx::query!("delete from sign_in_links where umpire_id = $1 and used_at is null", umpire_id)
        .execute(connection)
        .await?;
    Ok(())
}
