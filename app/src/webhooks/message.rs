//! What is to be sent to a webhook, what was, and each attempt.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::kind::TEST;
use crate::{App, AppError};

/// Attempts that a page shows.
const SHOWN: i64 = 100;
/// For how long attempts are kept.
const KEPT_DAYS: i64 = 30;

/// Something that is due.
#[derive(Clone, Debug)]
pub struct Due {
    /// The same at every attempt.
    pub id: String,
    /// Its name, such as `round.resolved`.
    pub kind: String,
    /// The match of its entry; none for a test.
    pub match_id: Option<Uuid>,
    /// The number of its entry.
    pub seq: Option<i32>,
    /// Attempts so far, since it was last asked for.
    pub attempts: i16,
    /// When it was stored.
    pub created_at: DateTime<Utc>,
}

/// An attempt, or something that waits for its first.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The message.
    pub id: String,
    /// Its name, such as `round.resolved`.
    pub kind: String,
    /// The match of its entry; none for a test.
    pub match_id: Option<Uuid>,
    /// The number of its entry.
    pub seq: Option<i32>,
    /// When the next attempt is due.
    pub due_at: DateTime<Utc>,
    /// When it was delivered, or given up.
    pub done_at: Option<DateTime<Utc>>,
    /// The attempt; none where there was none yet.
    pub at: Option<DateTime<Utc>>,
    /// The HTTP status of the answer.
    pub status: Option<i16>,
    /// How long the attempt took, in milliseconds.
    pub took_ms: Option<i32>,
    /// Why it failed, for people.
    pub said: Option<String>,
}

/// What came of an attempt.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// What was answered, if anything was.
    pub status: Option<u16>,
    /// How long it took, in milliseconds.
    pub took_ms: i32,
    /// Why it failed, for people; empty where it did not.
    pub said: String,
    /// When it is sent again, where it failed and is.
    pub again: Option<DateTime<Utc>>,
}

/// The webhooks for which something is due.
pub async fn with_due(app: &App) -> Result<Vec<Uuid>, AppError> {
    let due = sqlx::query_scalar!(
        "select id from webhooks where stopped_at is null and (held_until is null or held_until <= $1) and exists (\
         select from webhook_messages where hook = webhooks.id and done_at is null and due_at <= $1)",
        app.system().now().to_utc()
    );
    Ok(due.fetch_all(app.pool()).await?)
}

/// What is due for a webhook: of each match the first that was not received yet, so that its events come in order.
pub async fn due(app: &App, hook: Uuid) -> Result<Vec<Due>, AppError> {
    let due = sqlx::query_as!(
        Due,
        "select id, kind, match_id, seq, attempts, created_at from (\
             select distinct on (match_id) id, kind, match_id, seq, pos, attempts, created_at, due_at \
             from webhook_messages where hook = $1 and done_at is null order by match_id, pos, created_at\
         ) as first where due_at <= $2 and exists (\
             select from webhooks where id = $1 and stopped_at is null and (held_until is null or held_until <= $2)) \
         order by pos nulls first",
        hook,
        app.system().now().to_utc()
    );
    Ok(due.fetch_all(app.pool()).await?)
}

/// Writes down what came of an attempt.
pub async fn attempted(app: &App, hook: Uuid, due: &Due, attempt: &Attempt) -> Result<(), AppError> {
    let now = app.system().now().to_utc();
    let done = attempt.said.is_empty().then_some(now);
    let mut transaction = app.pool().begin().await?;
    sqlx::query!(
        "update webhook_messages set attempts = attempts + 1, due_at = coalesce($4, due_at), done_at = $3 \
         where hook = $1 and id = $2",
        hook,
        due.id,
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
        due.id,
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

/// Asks for a test, which belongs to no entry.
pub async fn test(app: &App, hook: Uuid, form: Uuid) -> Result<(), AppError> {
    sqlx::query!(
        "insert into webhook_messages (hook, id, kind, created_at, due_at) values ($1, $2, $3, $4, $4) \
         on conflict (hook, id) do nothing",
        hook,
        format!("msg_{}", form.simple()),
        TEST,
        app.system().now().to_utc()
    )
    .execute(app.pool())
    .await?;
    Ok(())
}

/// Sends something once more, under the same id; whether there is such a message.
pub async fn again(app: &App, hook: Uuid, id: &str) -> Result<bool, AppError> {
    let again = sqlx::query!(
        "update webhook_messages set done_at = null, attempts = 0, due_at = $3 where hook = $1 and id = $2",
        hook,
        id,
        app.system().now().to_utc()
    );
    Ok(again.execute(app.pool()).await?.rows_affected() > 0)
}

/// What was sent last and what waits, newest first: a line for each attempt.
pub async fn newest(app: &App, hook: Uuid) -> Result<Vec<Sent>, AppError> {
    let sent = sqlx::query_as!(
        Sent,
        "select m.id, m.kind, m.match_id, m.seq, m.due_at, m.done_at, \
             a.at as \"at?\", a.status as \"status?\", a.took_ms as \"took_ms?\", a.said as \"said?\" \
         from (select * from webhook_messages where hook = $1 order by created_at desc, pos desc limit $2) as m \
         left join webhook_attempts as a on a.hook = m.hook and a.message = m.id \
         order by coalesce(a.at, m.created_at) desc, m.pos desc limit $2",
        hook,
        SHOWN
    );
    Ok(sent.fetch_all(app.pool()).await?)
}

/// Forgets what was received, and attempts, of long ago.
pub async fn forget_old(app: &App) -> Result<(), AppError> {
    let before = app.system().now().to_utc() - TimeDelta::days(KEPT_DAYS);
    sqlx::query!("delete from webhook_attempts where at < $1", before).execute(app.pool()).await?;
    sqlx::query!("delete from webhook_messages where done_at < $1", before).execute(app.pool()).await?;
    Ok(())
}
