//! The messages of a webhook: a test, a repetition, and the newest ones.

use chrono::TimeDelta;
use ledger::Moment;
use store::PgPool;
use store::webhooks::messages::{self, DeliveryRow};
use uuid::Uuid;

use super::event_kind::TEST;
use crate::AppError;

/// The most attempts on a page.
const SHOWN: i64 = 100;
/// The time for which attempts are stored.
const KEPT_DAYS: i64 = 30;

/// Stores a test message, which belongs to no entry.
///
/// # Errors
/// The database.
pub async fn test(pool: &PgPool, hook: Uuid, form: Uuid, now: Moment) -> Result<(), AppError> {
    let id = format!("msg_{}", form.simple());
    Ok(messages::add_without_entry(pool, hook, &id, TEST, now.to_utc()).await?)
}

/// Sends a message once more, under the same id; false if there is no such message.
///
/// # Errors
/// The database.
pub async fn again(pool: &PgPool, hook: Uuid, id: &str, now: Moment) -> Result<bool, AppError> {
    Ok(messages::send_again(pool, hook, id, now.to_utc()).await?)
}

/// The newest messages, sent and unsent, newest first: a row for each attempt.
///
/// # Errors
/// The database.
pub async fn newest(pool: &PgPool, hook: Uuid) -> Result<Vec<DeliveryRow>, AppError> {
    Ok(messages::newest(pool, hook, SHOWN).await?)
}

/// Deletes old messages and attempts.
pub(super) async fn forget_old(pool: &PgPool, now: Moment) -> Result<(), AppError> {
    Ok(messages::delete_old(pool, now.to_utc() - TimeDelta::days(KEPT_DAYS)).await?)
}
