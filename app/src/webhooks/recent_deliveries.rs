//! The messages of a webhook: a test, a repetition, and the newest ones.

use chrono::TimeDelta;
use ledger::Moment;
use store::PgPool;
use store::webhooks::messages::{self, DeliveryRow};
use uuid::Uuid;

use super::event_kind::TEST;
use crate::AppError;

const SHOWN: i64 = 100;
const KEPT_DAYS: i64 = 30;

pub async fn test(pool: &PgPool, hook: Uuid, form: Uuid, now: Moment) -> Result<(), AppError> {
    let id = format!("msg_{}", form.simple());
    Ok(messages::add_without_entry(pool, hook, &id, TEST, now.to_utc()).await?)
}

pub async fn again(pool: &PgPool, hook: Uuid, id: &str, now: Moment) -> Result<bool, AppError> {
    Ok(messages::send_again(pool, hook, id, now.to_utc()).await?)
}

pub async fn newest(pool: &PgPool, hook: Uuid) -> Result<Vec<DeliveryRow>, AppError> {
    Ok(messages::newest(pool, hook, SHOWN).await?)
}

pub(super) async fn forget_old(pool: &PgPool, now: Moment) -> Result<(), AppError> {
    Ok(messages::delete_old(pool, now.to_utc() - TimeDelta::days(KEPT_DAYS)).await?)
}
