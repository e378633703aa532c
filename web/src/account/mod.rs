//! Umpires, the links that sign them in, and the browsers that are signed in.
//!
//! Tokens are 32 random bytes; the database holds their SHA-256 alone, so that a copy of it signs nobody in.

pub mod player;
mod visitor;

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use sqlx::PgPool;
use thiserror::Error;

use crate::mint::Mint;

pub(crate) use visitor::{COOKIE, session};
pub use visitor::{SignedIn, Visitor};

/// For how long a link can be used.
const LINK_HOURS: i64 = 24;
/// For how long a browser stays signed in.
pub(crate) const SESSION_DAYS: i64 = 30;

/// An umpire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Umpire {
    /// The pseudonym under which entries name them.
    pub id: String,
    /// The name under which they are known here. Never in the record.
    pub name: String,
}

/// What a link or a cookie carries. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token([u8; 32]);

/// Why an account cannot be used.
#[derive(Debug, Error)]
pub enum AccountError {
    /// The name is taken.
    #[error("there is an umpire called \"{0}\" already; matchbook umpire link makes a new link for them")]
    Taken(String),
    /// There is no such umpire.
    #[error("there is no umpire called \"{0}\"")]
    Unknown(String),
    /// The name is none.
    #[error("an umpire needs a name of 1 to 60 characters")]
    NoName,
    /// The link was used, is too old, or never was one.
    #[error("this link has been used, or is too old; ask for a new one (matchbook umpire link NAME)")]
    Link,
    /// The database.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
}

impl Token {
    fn fresh(mint: &Mint) -> Self {
        Self(mint.bytes32())
    }

    /// 64 hex digits. Not `Display`, so that a token never slips into a message.
    #[must_use]
    pub fn reveal(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0).to_vec()
    }
}

impl FromStr for Token {
    type Err = AccountError;

    fn from_str(text: &str) -> Result<Self, AccountError> {
        let mut bytes = [0; 32];
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(AccountError::Link);
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let pair = str::from_utf8(pair).map_err(|_| AccountError::Link)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| AccountError::Link)?;
        }
        Ok(Self(bytes))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

fn days(mint: &Mint, days: i64) -> (DateTime<Utc>, DateTime<Utc>) {
    let now = mint.now().to_utc();
    (now, now + TimeDelta::days(days))
}

/// Adds an umpire.
///
/// # Errors
/// The name is taken or none, or the database.
pub async fn add(pool: &PgPool, mint: &Mint, name: &str) -> Result<Umpire, AccountError> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 60 {
        return Err(AccountError::NoName);
    }
    // A pseudonym says nothing of the name.
    let id: String = mint.bytes32().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    let added = sqlx::query!(
        "insert into umpires (id, name, created_at) values ($1, $2, $3) on conflict (name) do nothing",
        id,
        name,
        mint.now().to_utc()
    )
    .execute(pool)
    .await?;
    if added.rows_affected() == 0 {
        return Err(AccountError::Taken(name.to_owned()));
    }
    Ok(Umpire { id, name: name.to_owned() })
}

/// The umpire of a name.
///
/// # Errors
/// There is none, or the database.
pub async fn named(pool: &PgPool, name: &str) -> Result<Umpire, AccountError> {
    let found = sqlx::query_as!(Umpire, "select id, name from umpires where name = $1", name.trim());
    found.fetch_optional(pool).await?.ok_or_else(|| AccountError::Unknown(name.to_owned()))
}

/// The names of umpires, by pseudonym.
///
/// # Errors
/// The database.
pub async fn all(pool: &PgPool) -> Result<Vec<Umpire>, AccountError> {
    Ok(sqlx::query_as!(Umpire, "select id, name from umpires order by name").fetch_all(pool).await?)
}

/// Makes a link's token for an umpire.
///
/// # Errors
/// The database.
pub async fn link(pool: &PgPool, mint: &Mint, umpire: &Umpire) -> Result<Token, AccountError> {
    let token = Token::fresh(mint);
    let expires = mint.now().to_utc() + TimeDelta::hours(LINK_HOURS);
    sqlx::query!(
        "insert into sign_in_links (token, umpire_id, expires_at) values ($1, $2, $3)",
        token.hash(),
        umpire.id,
        expires
    )
    .execute(pool)
    .await?;
    Ok(token)
}

/// The umpire whom an unused link would sign in. Looking does not use it up.
///
/// # Errors
/// The link opens nothing, or the database.
pub async fn behind_link(pool: &PgPool, mint: &Mint, token: &Token) -> Result<Umpire, AccountError> {
    let found = sqlx::query_as!(
        Umpire,
        "select umpires.id, umpires.name from sign_in_links join umpires on umpires.id = sign_in_links.umpire_id \
         where token = $1 and used_at is null and expires_at > $2",
        token.hash(),
        mint.now().to_utc()
    );
    found.fetch_optional(pool).await?.ok_or(AccountError::Link)
}

/// Uses a link up, and gives the token of the session that it opens.
///
/// # Errors
/// The link opens nothing, or the database.
pub async fn sign_in(pool: &PgPool, mint: &Mint, token: &Token) -> Result<Token, AccountError> {
    let (now, expires) = days(mint, SESSION_DAYS);
    let umpire = sqlx::query_scalar!(
        "update sign_in_links set used_at = $2 where token = $1 and used_at is null and expires_at > $2 \
         returning umpire_id",
        token.hash(),
        now
    );
    let umpire = umpire.fetch_optional(pool).await?.ok_or(AccountError::Link)?;
    sqlx::query!("delete from sessions where expires_at <= $1", now).execute(pool).await?;
    let session = Token::fresh(mint);
    sqlx::query!(
        "insert into sessions (token, umpire_id, created_at, expires_at) values ($1, $2, $3, $4)",
        session.hash(),
        umpire,
        now,
        expires
    )
    .execute(pool)
    .await?;
    Ok(session)
}

/// Who is signed in with a session's token.
///
/// # Errors
/// The database.
pub async fn of_session(pool: &PgPool, mint: &Mint, token: &Token) -> Result<Option<Umpire>, AccountError> {
    let found = sqlx::query_as!(
        Umpire,
        "select umpires.id, umpires.name from sessions join umpires on umpires.id = sessions.umpire_id \
         where token = $1 and expires_at > $2",
        token.hash(),
        mint.now().to_utc()
    );
    Ok(found.fetch_optional(pool).await?)
}

/// Ends a session.
///
/// # Errors
/// The database.
pub async fn sign_out(pool: &PgPool, token: &Token) -> Result<(), AccountError> {
    sqlx::query!("delete from sessions where token = $1", token.hash()).execute(pool).await?;
    Ok(())
}
