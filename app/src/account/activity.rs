//! The log of accounts: who signed in, or tried to, and who changed what. Nobody can change or remove an event here; only
//! the owner of the database can. Failed sign-ins, which strangers make, are few in an hour, and go after 90 days.

use std::net::IpAddr;

use chrono::TimeDelta;
use store::PgPool;
use store::accounts::activity::{self, NewEvent};

use super::rate_limits::network;
use super::{AccountError, Umpire};
use crate::system::System;

pub use store::accounts::activity::{AccountEvent, Actor, Channel, EventKind};

const OWN: i64 = 20;
const OWN_FAILURES: i64 = 5;
const EVENTS_PER_PAGE: usize = 100;
const BATCH: i64 = 1_000;
const NOTICE_DAYS: i64 = 14;

pub const OPERATOR: Actor = Actor { umpire_id: None, channel: Channel::CommandLine, address: String::new() };

#[must_use]
pub fn actor(channel: Channel, umpire: Option<&Umpire>, address: Option<IpAddr>) -> Actor {
    Actor { umpire_id: umpire.map(|umpire| umpire.id.clone()), channel, address: network(address) }
}

pub(super) fn event<'e>(
    system: &System,
    actor: &'e Actor,
    kind: EventKind,
    umpire_id: Option<&'e str>,
    note: &'e str,
) -> NewEvent<'e> {
    NewEvent { at: system.now().to_utc(), kind, umpire_id, actor, note }
}

pub async fn own_events(pool: &PgPool, umpire: &Umpire) -> Result<Vec<AccountEvent>, AccountError> {
    let mut own = activity::before(pool, Some(&umpire.id), false, i64::MAX, OWN).await?;
    own.extend(activity::before(pool, Some(&umpire.id), true, i64::MAX, OWN_FAILURES).await?);
    own.sort_by_key(|event| std::cmp::Reverse(event.id));
    Ok(own)
}

/// A page of the failed sign-ins, or of all other events, newest first, before this number; and the number before which
/// the next page begins.
pub async fn events_before(
    pool: &PgPool,
    failures: bool,
    id: Option<i64>,
) -> Result<(Vec<AccountEvent>, Option<i64>), AccountError> {
    let most = i64::try_from(EVENTS_PER_PAGE).unwrap_or(i64::MAX).saturating_add(1);
    let mut page = activity::before(pool, None, failures, id.unwrap_or(i64::MAX), most).await?;
    let more = page.len() > EVENTS_PER_PAGE;
    page.truncate(EVENTS_PER_PAGE);
    let next = page.last().map(|event| event.id).filter(|_| more);
    Ok((page, next))
}

pub async fn events_after(pool: &PgPool, id: i64) -> Result<Vec<AccountEvent>, AccountError> {
    Ok(activity::after(pool, id, BATCH).await?)
}

pub async fn link_by_another(
    pool: &PgPool,
    system: &System,
    umpire: &Umpire,
) -> Result<Option<AccountEvent>, AccountError> {
    let since = system.now().to_utc() - TimeDelta::days(NOTICE_DAYS);
    Ok(activity::link_by_another(pool, &umpire.id, since).await?)
}
