//! The messages of webhooks, unsent and sent, and each attempt.

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{StoreError, transaction};

#[derive(Clone, Debug)]
pub struct DueMessage {
    pub id: String,
    pub kind: String,
    pub match_id: Option<Uuid>,
    pub seq: Option<i32>,
    pub attempts: i16,
    pub created_at: DateTime<Utc>,
}

#[derive(Clone, Debug)]
pub struct DeliveryRow {
    pub id: String,
    pub kind: String,
    pub match_id: Option<Uuid>,
    pub seq: Option<i32>,
    pub due_at: DateTime<Utc>,
    pub done_at: Option<DateTime<Utc>>,
    pub at: Option<DateTime<Utc>>,
    pub status: Option<i16>,
    pub took_ms: Option<i32>,
    pub said: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Attempt {
    pub status: Option<u16>,
    pub took_ms: i32,
    pub said: String,
    pub again: Option<DateTime<Utc>>,
}

pub async fn hooks_with_due(pool: &PgPool, now: DateTime<Utc>) -> Result<Vec<Uuid>, StoreError> {
    let due = sqlx::query_scalar!(
        "select id from webhooks where stopped_at is null and (held_until is null or held_until <= $1) and exists (\
         select from webhook_messages where hook = webhooks.id and done_at is null and due_at <= $1)",
        now
    );
    Ok(due.fetch_all(pool).await?)
}

/// The due messages of a webhook: of each match only the first that was not received yet, so that its events arrive in
/// order.
pub async fn due(pool: &PgPool, hook: Uuid, now: DateTime<Utc>) -> Result<Vec<DueMessage>, StoreError> {
    let due = sqlx::query_as!(
        DueMessage,
        "select id, kind, match_id, seq, attempts, created_at from (\
             select distinct on (match_id) id, kind, match_id, seq, pos, attempts, created_at, due_at \
             from webhook_messages where hook = $1 and done_at is null order by match_id, pos, created_at\
         ) as first where due_at <= $2 and exists (\
             select from webhooks where id = $1 and stopped_at is null and (held_until is null or held_until <= $2)) \
         order by pos nulls first",
        hook,
        now
    );
    Ok(due.fetch_all(pool).await?)
}

pub async fn attempted(
    pool: &PgPool,
    hook: Uuid,
    message: &str,
    attempt: &Attempt,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let done = attempt.said.is_empty().then_some(now);
    let mut transaction = transaction::begin(pool).await?;
    sqlx::query!(
        "update webhook_messages set attempts = attempts + 1, due_at = coalesce($4, due_at), done_at = $3 \
         where hook = $1 and id = $2",
        hook,
        message,
        done,
        attempt.again
    )
    .execute(&mut *transaction)
    .await?;
    sqlx::query!(
        "insert into webhook_attempts (hook, message, at, status, took_ms, said) \
         select $1, $2, $3, $4, $5, $6 where exists (select from webhook_messages where hook = $1 and id = $2) \
         on conflict (hook, message, at) do nothing",
        hook,
        message,
        now,
        attempt.status.and_then(|status| i16::try_from(status).ok()),
        attempt.took_ms,
        attempt.said,
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(())
}

/// Stores a message of no entry. The same id again stores nothing.
pub async fn add_without_entry(
    pool: &PgPool,
    hook: Uuid,
    id: &str,
    kind: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "insert into webhook_messages (hook, id, kind, created_at, due_at) values ($1, $2, $3, $4, $4) \
         on conflict (hook, id) do nothing",
        hook,
        id,
        kind,
        now
    );
    Ok(query.execute(pool).await.map(drop)?)
}

/// Makes a message due again, from its first attempt on; false if there is no such message.
pub async fn send_again(pool: &PgPool, hook: Uuid, id: &str, now: DateTime<Utc>) -> Result<bool, StoreError> {
    let again = sqlx::query!(
        "update webhook_messages set done_at = null, attempts = 0, due_at = $3 where hook = $1 and id = $2",
        hook,
        id,
        now
    );
    Ok(again.execute(pool).await?.rows_affected() > 0)
}

pub async fn newest(pool: &PgPool, hook: Uuid, limit: i64) -> Result<Vec<DeliveryRow>, StoreError> {
    let sent = sqlx::query_as!(
        DeliveryRow,
        "select m.id, m.kind, m.match_id, m.seq, m.due_at, m.done_at, \
             a.at as \"at?\", a.status as \"status?\", a.took_ms as \"took_ms?\", a.said as \"said?\" \
         from (select * from webhook_messages where hook = $1 order by created_at desc, pos desc limit $2) as m \
         left join webhook_attempts as a on a.hook = m.hook and a.message = m.id \
         order by coalesce(a.at, m.created_at) desc, m.pos desc limit $2",
        hook,
        limit
    );
    Ok(sent.fetch_all(pool).await?)
}

pub async fn delete_old(pool: &PgPool, before: DateTime<Utc>) -> Result<(), StoreError> {
    sqlx::query!("delete from webhook_attempts where at < $1", before).execute(pool).await?;
    sqlx::query!("delete from webhook_messages where done_at < $1", before).execute(pool).await?;
    Ok(())
}
