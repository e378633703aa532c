//! Sessions: the browsers in which umpires are signed in.

use chrono::TimeDelta;
use store::PgPool;
use store::accounts::sessions::{self, NewSession};
use store::accounts::sign_in_links;

use super::{AccountError, SESSION_DAYS, Session, Token, Umpire, Via, days, hash_named};
use crate::system::System;

/// The time after a sign-in by link in which a password can be set without the old one: a link replaces a forgotten
/// password.
const FRESH_MINUTES: i64 = 30;

/// Uses a link once, and returns the token of the new session.
///
/// # Errors
/// The link is not valid, or the database.
pub async fn sign_in(pool: &PgPool, system: &System, token: &Token, browser: &str) -> Result<Token, AccountError> {
    let umpire = sign_in_links::redeem(pool, &token.hash(), system.now().to_utc()).await?.ok_or(AccountError::Link)?;
    open(pool, system, &umpire, Via::Link, browser).await
}

/// Signs in an umpire with an account at Discord, and returns the session's token.
///
/// # Errors
/// The database.
pub async fn sign_in_known(
    pool: &PgPool,
    system: &System,
    umpire: &Umpire,
    browser: &str,
) -> Result<Token, AccountError> {
    open(pool, system, &umpire.id, Via::Discord, browser).await
}

/// Opens a session, and returns its token.
pub(super) async fn open(
    pool: &PgPool,
    system: &System,
    umpire_id: &str,
    via: Via,
    browser: &str,
) -> Result<Token, AccountError> {
    let (created_at, expires_at) = days(system, SESSION_DAYS);
    let session = Token::fresh(system);
    let new = NewSession { token: &session.hash(), umpire_id, created_at, expires_at, via, browser };
    sessions::add(pool, &new).await?;
    Ok(session)
}

/// The umpire of a session's token.
///
/// # Errors
/// The database.
pub async fn of_session(pool: &PgPool, system: &System, token: &Token) -> Result<Option<Umpire>, AccountError> {
    let now = system.now().to_utc();
    let Some(signed_in) = sessions::signed_in(pool, &token.hash(), now).await? else { return Ok(None) };
    // To the minute, so that reading a page seldom writes a row.
    if signed_in.used_at.is_none_or(|used| now - used > TimeDelta::minutes(1)) {
        sessions::note_use(pool, &token.hash(), now).await?;
    }
    Ok(Some(signed_in.umpire))
}

/// True if a session was begun by a link a short time ago, which replaces knowing the password.
///
/// # Errors
/// The database.
pub async fn is_fresh_from_link(pool: &PgPool, system: &System, token: &Token) -> Result<bool, AccountError> {
    let since = system.now().to_utc() - TimeDelta::minutes(FRESH_MINUTES);
    Ok(sessions::is_from_link_since(pool, &token.hash(), since).await?)
}

/// The sessions of an umpire, the one that was used last first.
///
/// # Errors
/// The database.
pub async fn sessions(pool: &PgPool, system: &System, umpire_id: &str) -> Result<Vec<Session>, AccountError> {
    Ok(sessions::of_umpire(pool, umpire_id, system.now().to_utc()).await?)
}

/// Ends a session of an umpire by its name. Ending it again changes nothing.
///
/// # Errors
/// The database.
pub async fn end_session(pool: &PgPool, umpire_id: &str, name: &str) -> Result<(), AccountError> {
    let Some(token) = hash_named(name) else { return Ok(()) };
    Ok(sessions::end_of_umpire(pool, umpire_id, &token).await?)
}

/// Ends all other sessions of an umpire.
///
/// # Errors
/// The database.
pub async fn end_others(pool: &PgPool, umpire_id: &str, but: Option<&Token>) -> Result<(), AccountError> {
    Ok(sessions::end_others(pool, umpire_id, but.map(Token::hash).as_ref()).await?)
}

/// Ends a session.
///
/// # Errors
/// The database.
pub async fn sign_out(pool: &PgPool, token: &Token) -> Result<(), AccountError> {
    Ok(sessions::end(pool, &token.hash()).await?)
}
