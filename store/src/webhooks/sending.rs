//! The node that sends the messages of webhooks, and the position in the log up to which messages were made.
//!
//! The lease uses only the database's clock, so that nodes with different clocks do not send at the same time.

use std::ops::Range;

use chrono::{DateTime, Utc};
use ledger::LogId;
use sqlx::PgPool;
use uuid::Uuid;

use crate::{StoreError, transaction};

#[derive(Clone, Debug)]
pub struct EntryMessage {
    pub hook: Uuid,
    pub id: String,
    pub kind: &'static str,
    pub match_id: Uuid,
    pub seq: i32,
    pub pos: i64,
}

/// Takes the lease for some seconds, or renews it once the half of them is over, and returns the position up to which messages
/// were made; none if another node has the lease.
pub async fn lease(pool: &PgPool, log_id: LogId, node: Uuid) -> Result<Option<i64>, StoreError> {
    // An idle site asks each second, and writes nothing.
    let holds = "select pos, holder = $2 from webhook_sending \
        where log_id = $1 and until > now() + case when holder = $2 then interval '8 seconds' else interval '0' end";
    let holder: Option<(i64, bool)> = sqlx::query_as(holds).bind(log_id.0).bind(node).fetch_optional(pool).await?;
    if let Some((pos, is_own)) = holder {
        return Ok(is_own.then_some(pos));
    }
    let held = sqlx::query_scalar!(
        "insert into webhook_sending (log_id, pos, holder, until) values ($1, 0, $2, now() + interval '15 seconds') \
         on conflict (log_id) do update set holder = excluded.holder, until = excluded.until \
             where webhook_sending.holder = excluded.holder or webhook_sending.until < now() returning pos",
        log_id.0,
        node
    );
    Ok(held.fetch_optional(pool).await?)
}

/// Gives up the lease, so that another node need not wait.
pub async fn release(pool: &PgPool, log_id: LogId, node: Uuid) -> Result<(), StoreError> {
    sqlx::query!("update webhook_sending set until = now() where log_id = $1 and holder = $2", log_id.0, node)
        .execute(pool)
        .await?;
    Ok(())
}

/// Stores the messages for the entries at these positions, and moves the position to their end. One transaction does
/// both, so a crash neither loses nor repeats a message. False, with nothing stored, if another node has the lease by
/// now: it has stored them, or will.
pub async fn advance(
    pool: &PgPool,
    log_id: LogId,
    node: Uuid,
    positions: Range<i64>,
    messages: &[EntryMessage],
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    let moved = sqlx::query!(
        "update webhook_sending set pos = $4 where log_id = $1 and holder = $2 and pos = $3",
        log_id.0,
        node,
        positions.start,
        positions.end
    );
    if moved.execute(&mut *transaction).await?.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query!(
        "insert into webhook_messages (hook, id, kind, match_id, seq, pos, created_at, due_at) \
         select wanted.hook, wanted.id, wanted.kind, wanted.match_id, wanted.seq, wanted.pos, $7, $7 \
         from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::integer[], $6::bigint[]) \
             as wanted (hook, id, kind, match_id, seq, pos) \
         where exists (select from webhooks where webhooks.id = wanted.hook) on conflict (hook, id) do nothing",
        &messages.iter().map(|message| message.hook).collect::<Vec<_>>(),
        &messages.iter().map(|message| message.id.clone()).collect::<Vec<_>>(),
        &messages.iter().map(|message| message.kind.to_owned()).collect::<Vec<_>>(),
        &messages.iter().map(|message| message.match_id).collect::<Vec<_>>(),
        &messages.iter().map(|message| message.seq).collect::<Vec<_>>(),
        &messages.iter().map(|message| message.pos).collect::<Vec<_>>(),
        now,
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(true)
}
