//! Umpires: their accounts, how they sign in, their sessions, and the programs that act for them; players and their links.
//!
//! Tokens are 32 random bytes. The database has only their SHA-256, so a copy of it signs nobody in.

mod activity;
mod authorization;
mod bearer;
pub mod chat;
mod passkey;
mod password;
pub mod player;
mod rate_limits;
mod session;
mod snowflake;
mod umpire;
mod webauthn;

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, TimeDelta, Utc};
use ledger::Hash;
use sha2::{Digest, Sha256};
use store::StoreError;
use thiserror::Error;

use crate::system::System;

pub use activity::{
    AccountEvent, Actor, Channel, EventKind, OPERATOR, actor, events_after, events_before, link_by_another, own_events,
};
pub use authorization::DISCORD_AGENT;
pub use authorization::{
    Authorization, CallbackQuery, ClientSecret, ClientSecretError, PendingSignIn, SIGN_IN_MINUTES, SignInError,
};
pub use bearer::{
    Bearer, LIFE_CHOICES, LIFE_DAYS, LIFE_MAX_DAYS, Scope, make_token, of_token, read as read_token,
    reveal as reveal_token, revoke_token, tokens,
};
pub use passkey::{
    Answer, CHALLENGE_MINUTES, PasskeyRow, Passkeys, need_passkey, needs_passkey, passkeys_of, remove_passkey,
};
pub use password::{
    ChangedPassword, PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS, has_password, is_password, set_password,
    sign_in_by_password, too_weak,
};
pub use rate_limits::{API_PER_SECOND, RateExceeded, RateLeft, RateLimit, RateLimits, counted, network, range, subnet};
pub use session::{
    CHECK_MINUTES, CheckedBy, check, checked_by, end_others, end_session, is_checked, is_fresh_from_link, of_session,
    sessions, sign_in, sign_in_known, sign_out,
};
pub use snowflake::{Snowflake, SnowflakeError};
pub use store::accounts::api_tokens::ApiToken;
pub use store::accounts::sessions::{Session, Via};
pub use store::accounts::umpires::{Role, Umpire, UmpireSummary};
pub use umpire::{
    active_umpires, add, all, link, listed, named, of_id, public_names, publicly_named, set_closed, set_public_name,
    set_role, umpire_of_link,
};

pub const SESSION_DAYS: i64 = 30;
pub const IDLE_DAYS: i64 = 14;
pub const ADMIN_SESSION_DAYS: i64 = 7;
pub const ADMIN_IDLE_DAYS: i64 = 2;

/// The secret of a link or a cookie. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token([u8; 32]);

#[derive(Debug, Error)]
pub enum AccountError {
    #[error("there is an umpire called \"{0}\" already; matchbook umpire link makes a new link for them")]
    Taken(String),
    #[error("this name looks like \"{0}\", another umpire's; please choose one that nobody can mistake for it")]
    Alike(String),
    #[error("there is a character in this name that nobody can see; please write it without")]
    Unseen,
    #[error("this name could be taken for the site itself, or for somebody in every match; please choose another")]
    Reserved,
    #[error("there is no umpire called \"{0}\"")]
    Unknown(String),
    #[error("a name has 1 to 60 characters")]
    NoName,
    #[error("another umpire is known by this name, or by something in it; please choose another")]
    NotYours,
    /// The name or the password. The message must not say which.
    #[error("the name or the password is wrong")]
    Wrong,
    #[error("this account asks for a passkey as well: sign in with it")]
    PasskeyNeeded,
    #[error("you have no passkey: add one first")]
    NoPasskey,
    #[error(
        "this passkey was not accepted: it is not known here, or the page was open for more than ten minutes; try again"
    )]
    Passkey,
    #[error("{0}")]
    Weak(String),
    #[error("only an admin may do this")]
    NotAdmin,
    #[error("this is the only admin: make somebody else one first")]
    LastAdmin,
    #[error("this account is closed; open it again first")]
    Closed,
    #[error("a scope is read, umpire or admin")]
    Scope,
    #[error("a token lives 1 to 365 days")]
    Life,
    #[error("this umpire has 50 tokens, and no more are possible: revoke one first")]
    TooManyTokens,
    #[error("too many sign in at this moment; try again in a few seconds")]
    Busy,
    #[error("a password could not be hashed")]
    Hashing,
    #[error("this link has been used, or is too old; ask for a new one (matchbook umpire link NAME)")]
    Link,
    #[error(transparent)]
    Database(#[from] StoreError),
}

impl Token {
    /// A token of these 32 bytes, which must be secret.
    #[must_use]
    pub const fn of(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub fn fresh(system: &System) -> Self {
        Self(system.bytes32())
    }

    /// 64 hex digits. It is not `Display`, so that a token never gets into a message by accident.
    #[must_use]
    pub fn reveal(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub fn name(&self) -> String {
        self.hash().to_string()
    }

    pub fn hash(&self) -> Hash {
        Hash::new(Sha256::digest(self.0).into())
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

fn days(system: &System, days: i64) -> (DateTime<Utc>, DateTime<Utc>) {
    let now = system.now().to_utc();
    (now, now + TimeDelta::days(days))
}

fn hash_named(name: &str) -> Option<Hash> {
    let Token(hash) = name.parse().ok()?;
    Some(Hash::new(hash))
}
