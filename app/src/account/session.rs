//! The browsers that are signed in. Whose they are sees them, and ends them.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgPool;

use super::{AccountError, SESSION_DAYS, Token, Umpire, days};
use crate::system::System;

/// How long after a sign-in by link a password can be set without the old one: a link replaces a forgotten password.
const FRESH_MINUTES: i64 = 30;

/// How a session began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// By a sign-in link.
    Link,
    /// By name and password.
    Password,
    /// With an account at Discord.
    Discord,
}

impl Via {
    const fn word(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Password => "password",
            Self::Discord => "discord",
        }
    }
}

/// A session as its umpire sees it: never what it opens with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its hash, 64 hex digits: a name to end it by.
    pub name: String,
    /// How it began: `link`, `password` or `discord`.
    pub via: String,
    /// When it began.
    pub created_at: DateTime<Utc>,
    /// When it was used last, to the minute.
    pub used_at: DateTime<Utc>,
    /// What sort of browser it is.
    pub browser: String,
}

/// Uses a link up, and gives the token of the session that it opens.
///
/// # Errors
/// The link opens nothing, or the database.
pub async fn sign_in(pool: &PgPool, system: &System, token: &Token, browser: &str) -> Result<Token, AccountError> {
    let umpire = sqlx::query_scalar!(
        "update sign_in_links set used_at = $2 from umpires where token = $1 and used_at is null and expires_at > $2 \
             and umpires.id = umpire_id and closed_at is null \
         returning umpire_id",
        token.hash(),
        system.now().to_utc()
    );
    let umpire = umpire.fetch_optional(pool).await?.ok_or(AccountError::Link)?;
    open(pool, system, &umpire, Via::Link, browser).await
}

/// Signs in an umpire who is known by an account at Discord, and gives the session's token.
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

/// Opens a session, and gives its token.
pub(super) async fn open(
    pool: &PgPool,
    system: &System,
    umpire_id: &str,
    via: Via,
    browser: &str,
) -> Result<Token, AccountError> {
    let (now, expires) = days(system, SESSION_DAYS);
    sqlx::query!("delete from sessions where expires_at <= $1", now).execute(pool).await?;
    let session = Token::fresh(system);
    sqlx::query!(
        "insert into sessions (token, umpire_id, created_at, expires_at, used_at, via, browser) \
         values ($1, $2, $3, $4, $3, $5, $6)",
        session.hash(),
        umpire_id,
        now,
        expires,
        via.word(),
        browser
    )
    .execute(pool)
    .await?;
    Ok(session)
}

/// Who is signed in with a session's token.
///
/// # Errors
/// The database.
pub async fn of_session(pool: &PgPool, system: &System, token: &Token) -> Result<Option<Umpire>, AccountError> {
    let now = system.now().to_utc();
    let found = sqlx::query!(
        "select umpires.id, umpires.name, umpires.role, used_at from sessions \
         join umpires on umpires.id = sessions.umpire_id \
         where token = $1 and expires_at > $2 and closed_at is null",
        token.hash(),
        now
    );
    let Some(row) = found.fetch_optional(pool).await? else { return Ok(None) };
    // To the minute: reading pages is not writing rows.
    if row.used_at.is_none_or(|used| now - used > TimeDelta::minutes(1)) {
        sqlx::query!("update sessions set used_at = $2 where token = $1", token.hash(), now).execute(pool).await?;
    }
    Ok(Some(Umpire { id: row.id, name: row.name, role: row.role.into() }))
}

/// Whether a session was just begun by a link, which is as good as knowing the password.
///
/// # Errors
/// The database.
pub async fn is_fresh_from_link(pool: &PgPool, system: &System, token: &Token) -> Result<bool, AccountError> {
    let since = system.now().to_utc() - TimeDelta::minutes(FRESH_MINUTES);
    let fresh = sqlx::query_scalar!(
        "select count(*) as \"n!\" from sessions where token = $1 and via = 'link' and created_at > $2",
        token.hash(),
        since
    );
    Ok(fresh.fetch_one(pool).await? > 0)
}

/// The sessions of an umpire, the one that was used last first.
///
/// # Errors
/// The database.
pub async fn sessions(pool: &PgPool, system: &System, umpire_id: &str) -> Result<Vec<Session>, AccountError> {
    let rows = sqlx::query!(
        "select token, via, created_at, coalesce(used_at, created_at) as \"used_at!\", browser from sessions \
         where umpire_id = $1 and expires_at > $2 order by 4 desc, token",
        umpire_id,
        system.now().to_utc()
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let sessions = rows.map(|row| Session {
        name: super::name_of(&row.token),
        via: row.via,
        created_at: row.created_at,
        used_at: row.used_at,
        browser: row.browser,
    });
    Ok(sessions.collect())
}

/// Ends a session of an umpire by its name. Ending it again changes nothing.
///
/// # Errors
/// The database.
pub async fn end_session(pool: &PgPool, umpire_id: &str, name: &str) -> Result<(), AccountError> {
    let Ok(Token(hash)) = name.parse() else { return Ok(()) };
    sqlx::query!("delete from sessions where umpire_id = $1 and token = $2", umpire_id, hash.as_slice())
        .execute(pool)
        .await?;
    Ok(())
}

/// Ends every session of an umpire but this one.
///
/// # Errors
/// The database.
pub async fn end_others(pool: &PgPool, umpire_id: &str, but: Option<&Token>) -> Result<(), AccountError> {
    let but = but.map(Token::hash);
    sqlx::query!("delete from sessions where umpire_id = $1 and ($2::bytea is null or token <> $2)", umpire_id, but)
        .execute(pool)
        .await?;
    Ok(())
}

/// Ends a session.
///
/// # Errors
/// The database.
pub async fn sign_out(pool: &PgPool, token: &Token) -> Result<(), AccountError> {
    sqlx::query!("delete from sessions where token = $1", token.hash()).execute(pool).await?;
    Ok(())
}
