//! The accounts at Discord that act as an umpire, by Discord's number of the user.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use super::activity::{self, NewEvent};
use super::umpires::Umpire;
use crate::{StoreError, transaction};

pub async fn link(
    pool: &PgPool,
    user_id: i64,
    umpire_id: &str,
    now: DateTime<Utc>,
    event: &NewEvent<'_>,
) -> Result<(), StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    sqlx::query!(
        "insert into discord_umpires (user_id, umpire_id, linked_at) values ($1, $2, $3) \
         on conflict (user_id) do update set umpire_id = excluded.umpire_id, linked_at = excluded.linked_at",
        user_id,
        umpire_id,
        now
    )
    .execute(&mut *transaction)
    .await?;
    activity::add(&mut transaction, event).await?;
    transaction.commit().await?;
    Ok(())
}

pub async fn umpire(pool: &PgPool, user_id: i64) -> Result<Option<Umpire>, StoreError> {
    let found = sqlx::query_as!(
        Umpire,
        "select umpires.id, umpires.name, umpires.role \
         from discord_umpires join umpires on umpires.id = discord_umpires.umpire_id \
         where user_id = $1 and closed_at is null",
        user_id
    );
    Ok(found.fetch_optional(pool).await?)
}

pub async fn count(pool: &PgPool, umpire_id: &str) -> Result<i64, StoreError> {
    let count =
        sqlx::query_scalar!("select count(*) as \"count!\" from discord_umpires where umpire_id = $1", umpire_id);
    Ok(count.fetch_one(pool).await?)
}

pub async fn unlink(pool: &PgPool, umpire_id: &str, event: &NewEvent<'_>) -> Result<(), StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    if delete(&mut transaction, umpire_id).await? > 0 {
        activity::add(&mut transaction, event).await?;
    }
    transaction.commit().await?;
    Ok(())
}

pub(super) async fn delete(connection: &mut PgConnection, umpire_id: &str) -> Result<u64, StoreError> {
    sqlx::query!("delete from discord_codes where umpire_id = $1", umpire_id).execute(&mut *connection).await?;
    let unlinked = sqlx::query!("delete from discord_umpires where umpire_id = $1", umpire_id);
    Ok(unlinked.execute(connection).await?.rows_affected())
}
