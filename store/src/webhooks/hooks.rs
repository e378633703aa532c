//! Webhooks: an address, the kinds of events it is sent, and its encrypted secrets.

use chrono::{DateTime, Utc};
use ledger::LogId;
use sqlx::PgPool;
use uuid::Uuid;

use crate::accounts::umpires;
use crate::{StoreError, transaction};

#[derive(Clone, Debug)]
pub struct Hook {
    pub id: Uuid,
    pub umpire_id: String,
    pub address: String,
    pub site: String,
    pub kinds: Vec<String>,
    /// The position in the log of the first entry that it is sent.
    pub since: i64,
    pub created_at: DateTime<Utc>,
    pub old_until: Option<DateTime<Utc>>,
    pub stopped_at: Option<DateTime<Utc>>,
    pub stopped_why: Option<String>,
    pub held_until: Option<DateTime<Utc>>,
}

#[derive(Clone, Copy, Debug)]
pub struct NewHook<'n> {
    /// Its id. The same id again stores nothing.
    pub id: Uuid,
    pub umpire_id: &'n str,
    pub address: &'n str,
    pub site: &'n str,
    pub kinds: &'n [String],
    pub secret: &'n [u8],
    pub since: i64,
    pub created_at: DateTime<Utc>,
}

#[derive(Clone, Debug)]
pub struct LockedSecrets {
    pub current: Vec<u8>,
    /// The one before it, and the end of the time in which it signs, too.
    pub old: Option<(Vec<u8>, DateTime<Utc>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    New,
    Before,
    Full,
}

pub async fn add(pool: &PgPool, log_id: LogId, new: &NewHook<'_>, most: i64) -> Result<Added, StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    umpires::lock(&mut transaction, new.umpire_id).await?;
    let others = sqlx::query_scalar!(
        "select count(*) as \"n!\" from webhooks where log_id = $1 and umpire_id = $2 and id <> $3",
        log_id.0,
        new.umpire_id,
        new.id
    );
    if others.fetch_one(&mut *transaction).await? >= most {
        return Ok(Added::Full);
    }
    let made = sqlx::query!(
        "insert into webhooks (id, log_id, umpire_id, address, site, kinds, secret, since, created_at) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (id) do nothing",
        new.id,
        log_id.0,
        new.umpire_id,
        new.address,
        new.site,
        new.kinds,
        new.secret,
        new.since,
        new.created_at,
    );
    let made = made.execute(&mut *transaction).await?.rows_affected() == 1;
    transaction.commit().await?;
    Ok(if made { Added::New } else { Added::Before })
}

pub async fn list(pool: &PgPool, log_id: LogId, umpire_id: Option<&str>) -> Result<Vec<Hook>, StoreError> {
    let hooks = sqlx::query_as!(
        Hook,
        "select id, umpire_id, address, site, kinds, since, created_at, old_until, stopped_at, stopped_why, held_until \
         from webhooks where log_id = $1 and ($2::text is null or umpire_id = $2) order by created_at, id",
        log_id.0,
        umpire_id
    );
    Ok(hooks.fetch_all(pool).await?)
}

pub async fn find(pool: &PgPool, log_id: LogId, id: Uuid) -> Result<Option<Hook>, StoreError> {
    let hook = sqlx::query_as!(
        Hook,
        "select id, umpire_id, address, site, kinds, since, created_at, old_until, stopped_at, stopped_why, held_until \
         from webhooks where log_id = $1 and id = $2",
        log_id.0,
        id
    );
    Ok(hook.fetch_optional(pool).await?)
}

pub async fn secrets(pool: &PgPool, id: Uuid) -> Result<Option<LockedSecrets>, StoreError> {
    let row = sqlx::query!("select secret, old_secret, old_until from webhooks where id = $1", id);
    let row = row.fetch_optional(pool).await?;
    Ok(row.map(|row| LockedSecrets { current: row.secret, old: row.old_secret.zip(row.old_until) }))
}

/// Replaces the secret of a webhook, and keeps the previous one until `old_until`; false if this form did so before.
pub async fn replace_secret(
    pool: &PgPool,
    id: Uuid,
    secret: &[u8],
    old_until: DateTime<Utc>,
    form: Uuid,
) -> Result<bool, StoreError> {
    let rotated = sqlx::query!(
        "update webhooks set old_secret = secret, old_until = $3, secret = $2, rotation = $4 \
         where id = $1 and rotation is distinct from $4",
        id,
        secret,
        old_until,
        form
    );
    Ok(rotated.execute(pool).await?.rows_affected() == 1)
}

/// Stops a webhook with a reason. Its unsent messages stay.
pub async fn stop(pool: &PgPool, id: Uuid, why: &str, now: DateTime<Utc>) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "update webhooks set stopped_at = $2, stopped_why = $3 where id = $1 and stopped_at is null",
        id,
        now,
        why
    );
    Ok(query.execute(pool).await.map(drop)?)
}

/// Starts a stopped webhook: its unsent messages are due now, from their first attempt on, and of the log it is sent the
/// entries from the position `since` on.
pub async fn start(pool: &PgPool, id: Uuid, since: i64, now: DateTime<Utc>) -> Result<(), StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    let started = sqlx::query!(
        "update webhooks set stopped_at = null, stopped_why = null, held_until = null, since = greatest(since, $2) \
         where id = $1 and stopped_at is not null",
        id,
        since
    );
    if started.execute(&mut *transaction).await?.rows_affected() == 1 {
        sqlx::query!(
            "update webhook_messages set attempts = 0, due_at = $2 where hook = $1 and done_at is null",
            id,
            now
        )
        .execute(&mut *transaction)
        .await?;
    }
    transaction.commit().await?;
    Ok(())
}

pub async fn hold(pool: &PgPool, id: Uuid, until: DateTime<Utc>) -> Result<(), StoreError> {
    sqlx::query!("update webhooks set held_until = $2 where id = $1", id, until).execute(pool).await?;
    Ok(())
}

pub async fn delete(pool: &PgPool, id: Uuid) -> Result<(), StoreError> {
    sqlx::query!("delete from webhooks where id = $1", id).execute(pool).await?;
    Ok(())
}
