//! Tokens with which programs act for an umpire. Only their SHA-256 is kept; each is shown once.
//!
//! A program that plays a seat has the seat's private link for a token: there is one way to a seat, and one to revoke.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use super::player::{self, Chair};
use super::{AccountError, Role, Token, Umpire};
use crate::system::System;

/// What stands before the digits of a program's token, so that it is known for what it is wherever it turns up.
const PREFIX: &str = "mb_";
/// The longest name.
const NAME_MAX_CHARS: usize = 60;
/// The longest life, in days.
pub const LIFE_MAX_DAYS: u32 = 3660;

/// What a token may do, each more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Read what everybody may read, counted apart from everybody else.
    Read,
    /// Everything that an umpire does.
    Umpire,
    /// And see to accounts, sessions and tokens.
    Admin,
}

impl Scope {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Umpire => "umpire",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Scope {
    type Err = AccountError;

    fn from_str(word: &str) -> Result<Self, AccountError> {
        [Self::Read, Self::Umpire, Self::Admin]
            .into_iter()
            .find(|scope| scope.word() == word)
            .ok_or(AccountError::Scope)
    }
}

/// Whom a token stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bearer {
    /// An umpire's program.
    Umpire {
        /// The umpire.
        umpire: Umpire,
        /// What it may do now: the least of the token's scope and the umpire's role.
        scope: Scope,
    },
    /// A program in a seat.
    Seat(Chair),
}

/// A token as its umpire sees it: never what it opens with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiToken {
    /// Its hash, 64 hex digits: a name to revoke it by.
    pub id: String,
    /// Whose it is.
    pub umpire: String,
    /// What it is for, in its umpire's words.
    pub name: String,
    /// `read`, `umpire` or `admin`.
    pub scope: String,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it ends by itself.
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was used last, to the minute.
    pub used_at: Option<DateTime<Utc>>,
}

/// Writes a program's token.
#[must_use]
pub fn reveal(token: &Token) -> String {
    format!("{PREFIX}{}", token.reveal())
}

/// Reads a program's token, or a seat's.
///
/// # Errors
/// It is none.
pub fn read(text: &str) -> Result<Token, AccountError> {
    text.strip_prefix(PREFIX).unwrap_or(text).parse()
}

/// Makes a token for an umpire.
///
/// # Errors
/// It has no name, would outlive reason or allow more than its umpire may, or the database.
pub async fn make_token(
    pool: &PgPool,
    system: &System,
    umpire: &Umpire,
    name: &str,
    scope: Scope,
    days: Option<u32>,
) -> Result<(Token, ApiToken), AccountError> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > NAME_MAX_CHARS || name.contains(char::is_control) {
        return Err(AccountError::NoName);
    }
    if scope == Scope::Admin && umpire.role != Role::Admin {
        return Err(AccountError::NotAdmin);
    }
    if days.is_some_and(|days| days == 0 || days > LIFE_MAX_DAYS) {
        return Err(AccountError::Life);
    }
    let token = Token::fresh(system);
    let created_at = system.now().to_utc();
    let expires_at = days.map(|days| created_at + TimeDelta::days(days.into()));
    sqlx::query!(
        "insert into api_tokens (token, umpire_id, name, scope, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)",
        token.hash(),
        umpire.id,
        name,
        scope.word(),
        created_at,
        expires_at
    )
    .execute(pool)
    .await?;
    let made = ApiToken {
        id: super::name_of(&token.hash()),
        umpire: umpire.name.clone(),
        name: name.to_owned(),
        scope: scope.word().to_owned(),
        created_at,
        expires_at,
        used_at: None,
    };
    Ok((token, made))
}

/// The tokens that still open something, newest first: an umpire's, or everybody's.
///
/// # Errors
/// The database.
pub async fn tokens(pool: &PgPool, system: &System, umpire_id: Option<&str>) -> Result<Vec<ApiToken>, AccountError> {
    let rows = sqlx::query!(
        "select token, umpires.name as umpire, api_tokens.name, scope, api_tokens.created_at, expires_at, used_at \
         from api_tokens join umpires on umpires.id = umpire_id \
         where ($1::text is null or umpire_id = $1) and revoked_at is null and (expires_at is null or expires_at > $2) \
         order by api_tokens.created_at desc, token",
        umpire_id,
        system.now().to_utc()
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let tokens = rows.map(|row| ApiToken {
        id: super::name_of(&row.token),
        umpire: row.umpire,
        name: row.name,
        scope: row.scope,
        created_at: row.created_at,
        expires_at: row.expires_at,
        used_at: row.used_at,
    });
    Ok(tokens.collect())
}

/// Revokes a token by its name: an umpire's, or anybody's. Revoking it again changes nothing.
///
/// # Errors
/// The database.
pub async fn revoke_token(
    pool: &PgPool,
    system: &System,
    umpire_id: Option<&str>,
    id: &str,
) -> Result<bool, AccountError> {
    let Ok(Token(hash)) = id.parse() else { return Ok(false) };
    let revoked = sqlx::query!(
        "update api_tokens set revoked_at = coalesce(revoked_at, $3) \
         where token = $1 and ($2::text is null or umpire_id = $2)",
        hash.as_slice(),
        umpire_id,
        system.now().to_utc()
    );
    Ok(revoked.execute(pool).await?.rows_affected() > 0)
}

/// Whom a token stands for; none where it opens nothing.
///
/// # Errors
/// The database.
pub async fn of_token(pool: &PgPool, system: &System, token: &Token) -> Result<Option<Bearer>, AccountError> {
    let now = system.now().to_utc();
    let found = sqlx::query!(
        "select umpires.id, umpires.name, umpires.role, scope, used_at from api_tokens \
         join umpires on umpires.id = umpire_id \
         where token = $1 and revoked_at is null and (expires_at is null or expires_at > $2) and closed_at is null",
        token.hash(),
        now
    );
    if let Some(row) = found.fetch_optional(pool).await? {
        if row.used_at.is_none_or(|used| now - used > TimeDelta::minutes(1)) {
            sqlx::query!("update api_tokens set used_at = $2 where token = $1", token.hash(), now)
                .execute(pool)
                .await?;
        }
        let umpire = Umpire { id: row.id, name: row.name, role: row.role.into() };
        let most = if umpire.role == Role::Admin { Scope::Admin } else { Scope::Umpire };
        let scope = row.scope.parse::<Scope>()?.min(most);
        return Ok(Some(Bearer::Umpire { umpire, scope }));
    }
    match player::behind(pool, token).await {
        Ok(chair) => {
            let minute = now - TimeDelta::minutes(1);
            sqlx::query!(
                "update player_links set used_at = $2 where token = $1 and (used_at is null or used_at < $3)",
                token.hash(),
                now,
                minute
            )
            .execute(pool)
            .await?;
            Ok(Some(Bearer::Seat(chair)))
        }
        Err(AccountError::Link) => Ok(None),
        Err(error) => Err(error),
    }
}
