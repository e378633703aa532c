//! Sessions: the browsers in which umpires are signed in.

use chrono::{DateTime, TimeDelta, Utc};
use store::PgPool;
use store::accounts::sessions::{self, NewSession};
use store::accounts::{activity, passwords, sign_in_links};

use super::activity::{Actor, EventKind, event};
use super::{
    ADMIN_IDLE_DAYS, ADMIN_SESSION_DAYS, AccountError, IDLE_DAYS, SESSION_DAYS, Session, Token, Umpire, Via,
    has_password, hash_named, is_password, needs_passkey,
};
use crate::system::System;

/// The time after a sign-in by link in which a password can be set without the old one: a link replaces a forgotten
/// password.
const FRESH_MINUTES: i64 = 30;
pub const CHECK_MINUTES: i64 = 10;

pub async fn sign_in(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    token: &Token,
    browser: &str,
) -> Result<Token, AccountError> {
    let Some(umpire_id) = sign_in_links::redeem(pool, &token.hash(), system.now().to_utc()).await? else {
        store_failure(pool, system, actor, None, "by a link that is not valid").await?;
        return Err(AccountError::Link);
    };
    open(pool, system, actor, &umpire_id, Way::Link, browser).await
}

pub async fn sign_in_known(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    umpire: &Umpire,
    browser: &str,
) -> Result<Token, AccountError> {
    if needs_passkey(pool, &umpire.id).await? {
        store_missing_passkey(pool, system, actor, &umpire.id, "with Discord, without the passkey").await?;
        return Err(AccountError::PasskeyNeeded);
    }
    open(pool, system, actor, &umpire.id, Way::Discord, browser).await
}

const FAILURES_PER_HOUR: i64 = 10;

pub(super) async fn store_failure(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    umpire_id: Option<&str>,
    note: &str,
) -> Result<(), AccountError> {
    let event = event(system, actor, EventKind::SignInFailed, umpire_id, note);
    Ok(activity::note_failure(pool, &event, event.at - TimeDelta::hours(1), FAILURES_PER_HOUR).await?)
}

pub(super) async fn store_missing_passkey(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    umpire_id: &str,
    note: &str,
) -> Result<(), AccountError> {
    Ok(activity::note(pool, &event(system, actor, EventKind::SignInFailed, Some(umpire_id), note)).await?)
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    Link,
    Password,
    Discord,
    Passkey,
}

/// Opens a session, and returns its token.
///
/// A sign-in by password, by link or with a passkey counts as a check of the umpire. One with Discord counts only if there is no
/// password that could be asked for.
pub(super) async fn open(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    umpire_id: &str,
    way: Way,
    browser: &str,
) -> Result<Token, AccountError> {
    let created_at = system.now().to_utc();
    let expires_at = [SESSION_DAYS, ADMIN_SESSION_DAYS].map(|days| created_at + TimeDelta::days(days)).into();
    let (via, counts, way) = match way {
        Way::Link => (Via::Link, true, "by a link"),
        Way::Password => (Via::Password, true, "by password"),
        Way::Discord => (Via::Discord, !passwords::has(pool, umpire_id).await?, "with Discord"),
        Way::Passkey => (Via::Passkey, true, "with a passkey"),
    };
    let checked_at = counts.then_some(created_at);
    let session = Token::fresh(system);
    let new = NewSession { token: &session.hash(), umpire_id, created_at, expires_at, checked_at, via, browser };
    let actor = Actor { umpire_id: Some(umpire_id.to_owned()), ..actor.clone() };
    let note = if browser.is_empty() { way.to_owned() } else { format!("{way}, {browser}") };
    sessions::add(pool, &new, &event(system, &actor, EventKind::SignedIn, Some(umpire_id), &note)).await?;
    Ok(session)
}

/// The earliest last use of a session that has not ended for being idle: of an umpire, and of an admin.
pub(super) fn idle_since(system: &System) -> (DateTime<Utc>, DateTime<Utc>) {
    [IDLE_DAYS, ADMIN_IDLE_DAYS].map(|days| system.now().to_utc() - TimeDelta::days(days)).into()
}

pub async fn of_session(pool: &PgPool, system: &System, token: &Token) -> Result<Option<Umpire>, AccountError> {
    let now = system.now().to_utc();
    let Some(signed_in) = sessions::signed_in(pool, &token.hash(), now, idle_since(system)).await? else {
        return Ok(None);
    };
    // To the minute, so that reading a page seldom writes a row.
    if signed_in.used_at.is_none_or(|used| now - used > TimeDelta::minutes(1)) {
        sessions::note_use(pool, &token.hash(), now).await?;
    }
    Ok(Some(signed_in.umpire))
}

pub async fn is_fresh_from_link(pool: &PgPool, system: &System, token: &Token) -> Result<bool, AccountError> {
    let since = system.now().to_utc() - TimeDelta::minutes(FRESH_MINUTES);
    Ok(sessions::is_from_link_since(pool, &token.hash(), since).await?)
}

pub async fn sessions(pool: &PgPool, system: &System, umpire_id: &str) -> Result<Vec<Session>, AccountError> {
    Ok(sessions::of_umpire(pool, umpire_id, system.now().to_utc(), idle_since(system)).await?)
}

pub async fn is_checked(pool: &PgPool, system: &System, session: &Token) -> Result<bool, AccountError> {
    let since = system.now().to_utc() - TimeDelta::minutes(CHECK_MINUTES);
    Ok(sessions::is_checked_since(pool, &session.hash(), since).await?)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckedBy {
    Password,
    Passkey,
    SignIn,
}

pub async fn checked_by(pool: &PgPool, umpire: &Umpire) -> Result<CheckedBy, AccountError> {
    Ok(match (needs_passkey(pool, &umpire.id).await?, has_password(pool, umpire).await?) {
        (true, _) => CheckedBy::Passkey,
        (false, true) => CheckedBy::Password,
        (false, false) => CheckedBy::SignIn,
    })
}

/// Checks the password of an umpire who is signed in. The session remembers that it was right. Where it is not how this
/// umpire [is checked](checked_by), it is never right.
pub async fn check(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    umpire: &Umpire,
    session: &Token,
    password: &str,
) -> Result<bool, AccountError> {
    if checked_by(pool, umpire).await? == CheckedBy::Password && is_password(pool, actor, umpire, password).await? {
        sessions::note_check(pool, &session.hash(), system.now().to_utc()).await?;
        return Ok(true);
    }
    activity::note(pool, &event(system, actor, EventKind::PasswordWrong, Some(&umpire.id), "")).await?;
    Ok(false)
}

/// Ends a session of an umpire by its name. Ending it again changes nothing.
pub async fn end_session(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    umpire_id: &str,
    name: &str,
) -> Result<(), AccountError> {
    let Some(token) = hash_named(name) else { return Ok(()) };
    let ended = event(system, actor, EventKind::SessionsEnded, Some(umpire_id), "one browser");
    Ok(sessions::end_of_umpire(pool, umpire_id, &token, &ended).await?)
}

pub async fn end_others(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    umpire_id: &str,
    but: Option<&Token>,
) -> Result<(), AccountError> {
    let note = if but.is_some() { "every other browser" } else { "every browser" };
    let ended = event(system, actor, EventKind::SessionsEnded, Some(umpire_id), note);
    Ok(sessions::end_others(pool, umpire_id, but.map(Token::hash).as_ref(), &ended).await?)
}

pub async fn sign_out(pool: &PgPool, system: &System, actor: &Actor, token: &Token) -> Result<(), AccountError> {
    Ok(sessions::end(pool, &token.hash(), &event(system, actor, EventKind::SignedOut, None, "")).await?)
}
