//! The rows of webhooks: an address, what it is told, and its secret.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::kind::EventKind;
use super::secret::Secret;
use crate::{App, AppError, LOG};

/// For how long an old secret signs beside the new one.
const OVERLAP_HOURS: i64 = 24;
/// Webhooks of one umpire.
pub const EACH_MAX: usize = 20;

/// A webhook.
#[derive(Clone, Debug)]
pub struct Hook {
    /// Its id.
    pub id: Uuid,
    /// Who made it, by pseudonym.
    pub umpire_id: String,
    /// Where it sends.
    pub address: String,
    /// Where this site is, for the addresses in what is sent.
    pub site: String,
    /// What it is told, by name.
    pub kinds: Vec<String>,
    /// It is told of entries from this position of the log on.
    pub since: i64,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// The end of the time in which an old secret signs, too.
    pub old_until: Option<DateTime<Utc>>,
    /// When it was stopped, if it was.
    pub stopped_at: Option<DateTime<Utc>>,
    /// Why it was stopped.
    pub stopped_why: Option<String>,
    /// The end of a pause because the receiver does not answer.
    pub held_until: Option<DateTime<Utc>>,
}

/// A webhook that is to be made.
#[derive(Debug)]
pub struct NewHook<'n> {
    /// Follows from the form, so that one sent twice makes one.
    pub id: Uuid,
    /// Who makes it, by pseudonym.
    pub umpire_id: &'n str,
    /// The address that messages go to.
    pub address: &'n str,
    /// This site's address, for links in messages.
    pub site: &'n str,
    /// The events that it is sent.
    pub kinds: &'n [EventKind],
}

/// Makes a webhook, which is told of whatever comes from now on. Its secret; none where it was made before.
pub async fn add(app: &App, new: &NewHook<'_>) -> Result<Option<Secret>, AppError> {
    let secret = Secret::fresh(app);
    let kinds: Vec<String> = new.kinds.iter().map(|kind| kind.name().to_owned()).collect();
    let made = sqlx::query!(
        "insert into webhooks (id, log_id, umpire_id, address, site, kinds, secret, since, created_at) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (id) do nothing",
        new.id,
        LOG.0,
        new.umpire_id,
        new.address,
        new.site,
        &kinds,
        secret.lock(app, new.id)?,
        end_of_log(app).await?,
        app.system().now().to_utc(),
    )
    .execute(app.pool())
    .await?;
    Ok((made.rows_affected() == 1).then_some(secret))
}

async fn end_of_log(app: &App) -> Result<i64, AppError> {
    Ok(i64::try_from(app.logs.record().size().await?.0).unwrap_or(i64::MAX))
}

/// The webhooks of an umpire, or of everybody, oldest first.
pub async fn list(app: &App, of: Option<&str>) -> Result<Vec<Hook>, AppError> {
    let hooks = sqlx::query_as!(
        Hook,
        "select id, umpire_id, address, site, kinds, since, created_at, old_until, stopped_at, stopped_why, held_until \
         from webhooks where log_id = $1 and ($2::text is null or umpire_id = $2) order by created_at, id",
        LOG.0,
        of
    );
    Ok(hooks.fetch_all(app.pool()).await?)
}

/// A webhook.
pub async fn find(app: &App, id: Uuid) -> Result<Option<Hook>, AppError> {
    let hook = sqlx::query_as!(
        Hook,
        "select id, umpire_id, address, site, kinds, since, created_at, old_until, stopped_at, stopped_why, held_until \
         from webhooks where log_id = $1 and id = $2",
        LOG.0,
        id
    );
    Ok(hook.fetch_optional(app.pool()).await?)
}

/// The secrets that sign now: the newest first, and the one before it while it still does.
pub async fn secrets(app: &App, id: Uuid) -> Result<Vec<Secret>, AppError> {
    let row = sqlx::query!("select secret, old_secret, old_until from webhooks where id = $1", id);
    let Some(row) = row.fetch_optional(app.pool()).await? else { return Ok(Vec::new()) };
    let now = app.system().now().to_utc();
    let old = row.old_secret.filter(|_| row.old_until.is_some_and(|until| until > now));
    [Some(row.secret), old].into_iter().flatten().map(|locked| Secret::unlock(app, id, &locked)).collect()
}

/// Gives a webhook a new secret; none where this form did so before. The old one signs beside it for a day.
pub async fn rotate(app: &App, id: Uuid, form: Uuid) -> Result<Option<Secret>, AppError> {
    let secret = Secret::fresh(app);
    let until = app.system().now().to_utc() + TimeDelta::hours(OVERLAP_HOURS);
    let rotated = sqlx::query!(
        "update webhooks set old_secret = secret, old_until = $3, secret = $2, rotation = $4 \
         where id = $1 and rotation is distinct from $4",
        id,
        secret.lock(app, id)?,
        until,
        form
    );
    let rotated = rotated.execute(app.pool()).await?.rows_affected() == 1;
    Ok(rotated.then_some(secret))
}

/// Sends nothing more, and says why. What is waiting stays.
pub async fn stop(app: &App, id: Uuid, why: &str) -> Result<(), AppError> {
    sqlx::query!(
        "update webhooks set stopped_at = $2, stopped_why = $3 where id = $1 and stopped_at is null",
        id,
        app.system().now().to_utc(),
        why
    )
    .execute(app.pool())
    .await?;
    Ok(())
}

/// Sends again: first what waits, from its first attempt on, and of the log what comes from now on. What happened
/// meanwhile would be a flood of old news, and the record has it all.
pub async fn start(app: &App, id: Uuid) -> Result<(), AppError> {
    let (now, end) = (app.system().now().to_utc(), end_of_log(app).await?);
    let mut transaction = app.pool().begin().await?;
    let started = sqlx::query!(
        "update webhooks set stopped_at = null, stopped_why = null, held_until = null, since = greatest(since, $2) \
         where id = $1 and stopped_at is not null",
        id,
        end
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

/// Leaves the receiver alone for a while.
pub async fn hold(app: &App, id: Uuid, until: DateTime<Utc>) -> Result<(), AppError> {
    sqlx::query!("update webhooks set held_until = $2 where id = $1", id, until).execute(app.pool()).await?;
    Ok(())
}

/// Forgets a webhook, with everything that was and was not sent.
pub async fn remove(app: &App, id: Uuid) -> Result<(), AppError> {
    sqlx::query!("delete from webhooks where id = $1", id).execute(app.pool()).await?;
    Ok(())
}
