//! Making and changing webhooks: an address, the events that it is sent, and its secret.

use chrono::TimeDelta;
use ledger::Moment;
use store::PgPool;
use store::Store;
use store::webhooks::hooks::{self, Added, Hook};
use uuid::Uuid;

use super::event_kind::EventKind;
use super::secret::Secret;
use crate::account::{Role, Umpire};
use crate::{App, AppError, LOG};

const OVERLAP_HOURS: i64 = 24;
const EACH_MAX: i64 = 20;

#[derive(Debug)]
pub struct NewHook<'n> {
    /// Its id, derived from the form, so that a form sent twice makes one webhook.
    pub id: Uuid,
    pub umpire_id: &'n str,
    pub address: &'n str,
    pub site: &'n str,
    pub kinds: &'n [EventKind],
}

#[derive(Debug)]
pub enum MadeHook {
    New(Secret),
    Before,
    Full(&'static str),
}

pub async fn add(app: &App, new: &NewHook<'_>) -> Result<MadeHook, AppError> {
    let secret = Secret::fresh(app.system());
    let kinds: Vec<String> = new.kinds.iter().map(|kind| kind.name().to_owned()).collect();
    let row = hooks::NewHook {
        id: new.id,
        umpire_id: new.umpire_id,
        address: new.address,
        site: new.site,
        kinds: &kinds,
        secret: &secret.lock(app, new.id)?,
        since: end_of_log(app.logs.record()).await?,
        created_at: app.system().now().to_utc(),
    };
    Ok(match hooks::add(app.pool(), LOG, &row, EACH_MAX).await? {
        Added::New => MadeHook::New(secret),
        Added::Before => MadeHook::Before,
        Added::Full => MadeHook::Full("You have 20 webhooks, and no more are possible. Remove one first."),
    })
}

async fn end_of_log(store: &Store) -> Result<i64, AppError> {
    Ok(i64::try_from(store.size().await?.0).unwrap_or(i64::MAX))
}

pub async fn list_for(pool: &PgPool, umpire: &Umpire) -> Result<Vec<Hook>, AppError> {
    let of = (umpire.role != Role::Admin).then_some(umpire.id.as_str());
    Ok(hooks::list(pool, LOG, of).await?)
}

pub(super) async fn find(pool: &PgPool, id: Uuid) -> Result<Option<Hook>, AppError> {
    Ok(hooks::find(pool, LOG, id).await?)
}

pub async fn find_for(pool: &PgPool, umpire: &Umpire, id: &str) -> Result<Option<Hook>, AppError> {
    let Ok(id) = Uuid::try_parse(id) else { return Ok(None) };
    Ok(find(pool, id).await?.filter(|hook| umpire.role == Role::Admin || hook.umpire_id == umpire.id))
}

pub(super) async fn secrets(app: &App, id: Uuid) -> Result<Vec<Secret>, AppError> {
    let Some(locked) = hooks::secrets(app.pool(), id).await? else { return Ok(Vec::new()) };
    let now = app.system().now().to_utc();
    let old = locked.old.filter(|(_, until)| *until > now).map(|(secret, _)| secret);
    [Some(locked.current), old].into_iter().flatten().map(|locked| Secret::unlock(app, id, &locked)).collect()
}

/// Gives a webhook a new secret; none if this form did so before. The old one signs beside it for a day.
pub async fn rotate(app: &App, id: Uuid, form: Uuid) -> Result<Option<Secret>, AppError> {
    let secret = Secret::fresh(app.system());
    let until = app.system().now().to_utc() + TimeDelta::hours(OVERLAP_HOURS);
    let rotated = hooks::replace_secret(app.pool(), id, &secret.lock(app, id)?, until, form).await?;
    Ok(rotated.then_some(secret))
}

pub async fn stop(pool: &PgPool, id: Uuid, why: &str, now: Moment) -> Result<(), AppError> {
    Ok(hooks::stop(pool, id, why, now.to_utc()).await?)
}

/// Resumes a webhook: first the unsent messages, beginning with their first attempt, then the entries from now on. The
/// events in between are left out: they are old, and the record has them.
pub async fn start(store: &Store, id: Uuid, now: Moment) -> Result<(), AppError> {
    Ok(hooks::start(store.pool(), id, end_of_log(store).await?, now.to_utc()).await?)
}

pub async fn remove(pool: &PgPool, id: Uuid) -> Result<(), AppError> {
    Ok(hooks::delete(pool, id).await?)
}
