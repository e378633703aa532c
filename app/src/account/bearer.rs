//! Tokens with which programs act for an umpire. Only their SHA-256 is stored; each is shown once.
//!
//! A program that plays a seat uses the seat's private link as its token, so that there is one thing to revoke.

use std::fmt;
use std::str::FromStr;

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use store::PgPool;
use store::accounts::api_tokens::{self, ApiToken, NewApiToken};

use super::activity::{Actor, EventKind, event};
use super::player::{self, SeatAccess};
use super::umpire::allowed;
use super::{AccountError, Role, Token, Umpire, hash_named};
use crate::system::System;

/// The prefix of a program's token, by which it is recognized wherever it turns up.
const PREFIX: &str = "mb_";
pub const LIFE_MAX_DAYS: u32 = 365;
pub const LIFE_DAYS: u32 = 90;
pub const LIFE_CHOICES: [u32; 3] = [30, LIFE_DAYS, LIFE_MAX_DAYS];
const EACH_MAX: i64 = 50;

/// What a token may do, each more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Reading public data, with a rate limit of its own.
    Read,
    /// All commands of an umpire.
    Umpire,
    /// Also accounts, sessions and tokens.
    Admin,
}

impl Scope {
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bearer {
    Umpire {
        /// The umpire, with the role that the token gives: an admin's token without the scope `admin` is an umpire's.
        umpire: Umpire,
        scope: Scope,
    },
    Seat(SeatAccess),
}

impl Bearer {
    #[must_use]
    pub const fn scope(&self) -> Option<Scope> {
        match self {
            Self::Umpire { scope, .. } => Some(*scope),
            Self::Seat(_) => None,
        }
    }
}

#[must_use]
pub fn reveal(token: &Token) -> String {
    format!("{PREFIX}{}", token.reveal())
}

pub fn read(text: &str) -> Result<Token, AccountError> {
    text.strip_prefix(PREFIX).unwrap_or(text).parse()
}

pub async fn make_token(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    umpire: &Umpire,
    name: &str,
    scope: Scope,
    days: Option<u32>,
) -> Result<(Token, ApiToken), AccountError> {
    let name = allowed(name)?;
    if scope == Scope::Admin && umpire.role != Role::Admin {
        return Err(AccountError::NotAdmin);
    }
    let days = days.unwrap_or(LIFE_DAYS);
    if days == 0 || days > LIFE_MAX_DAYS {
        return Err(AccountError::Life);
    }
    let token = Token::fresh(system);
    let created_at = system.now().to_utc();
    let expires_at = created_at + TimeDelta::days(days.into());
    let new = NewApiToken { token: &token.hash(), umpire, name, scope: scope.word(), created_at, expires_at };
    let note = format!("{name}: {scope}, for {days} days");
    let event = event(system, actor, EventKind::TokenMade, Some(&umpire.id), &note);
    let made = api_tokens::add(pool, &new, EACH_MAX, &event).await?.ok_or(AccountError::TooManyTokens)?;
    Ok((token, made))
}

pub async fn tokens(pool: &PgPool, system: &System, umpire_id: Option<&str>) -> Result<Vec<ApiToken>, AccountError> {
    Ok(api_tokens::valid(pool, umpire_id, system.now().to_utc()).await?)
}

/// Revokes a token by its name; only a token of this umpire if one is given. Revoking it again changes nothing.
pub async fn revoke_token(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    umpire_id: Option<&str>,
    id: &str,
) -> Result<bool, AccountError> {
    let Some(token) = hash_named(id) else { return Ok(false) };
    Ok(api_tokens::revoke(pool, umpire_id, &token, &event(system, actor, EventKind::TokenRevoked, None, "")).await?)
}

pub async fn of_token(pool: &PgPool, system: &System, token: &Token) -> Result<Option<Bearer>, AccountError> {
    let (hash, now) = (token.hash(), system.now().to_utc());
    let minute_ago = now - TimeDelta::minutes(1);
    if let Some(owner) = api_tokens::owner(pool, &hash, now).await? {
        if owner.used_at.is_none_or(|used| used < minute_ago) {
            api_tokens::note_use(pool, &hash, now).await?;
        }
        let most = if owner.umpire.role == Role::Admin { Scope::Admin } else { Scope::Umpire };
        let scope = owner.scope.parse::<Scope>()?.min(most);
        let role = if scope == Scope::Admin { Role::Admin } else { Role::Umpire };
        return Ok(Some(Bearer::Umpire { umpire: Umpire { role, ..owner.umpire }, scope }));
    }
    match player::access_of_link(pool, token).await {
        Ok(access) => Ok(Some(Bearer::Seat(access))),
        Err(AccountError::Link) => Ok(None),
        Err(error) => Err(error),
    }
}
