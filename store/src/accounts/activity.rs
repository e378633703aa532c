//! The log of accounts: sign-ins, links, tokens, roles and passwords. Rows are added and read; the role that serves may
//! do nothing else with them, but for a function that deletes failed sign-ins after 90 days.
//!
//! An act and its event are one transaction: neither is there without the other.

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{PgConnection, PgPool};

use crate::{StoreError, timestamp};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    SignedIn,
    SignInFailed,
    SignedOut,
    SessionsEnded,
    PasswordSet,
    PasswordWrong,
    TokenMade,
    TokenRevoked,
    LinkMade,
    RoleChanged,
    UmpireAdded,
    AccountClosed,
    AccountOpened,
    DiscordLinked,
    DiscordUnlinked,
    PasskeyAdded,
    PasskeyRemoved,
    PasskeyNeeded,
    /// A public name was set. The name itself is in no event: it can be withdrawn, and an event cannot.
    NameSet,
    NameWithdrawn,
    HelperNamed,
    HelperDismissed,
    CommentatorNamed,
    CommentatorDismissed,
}

impl EventKind {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::SignedIn => "signed-in",
            Self::SignInFailed => "sign-in-failed",
            Self::SignedOut => "signed-out",
            Self::SessionsEnded => "sessions-ended",
            Self::PasswordSet => "password-set",
            Self::PasswordWrong => "password-wrong",
            Self::TokenMade => "token-made",
            Self::TokenRevoked => "token-revoked",
            Self::LinkMade => "link-made",
            Self::RoleChanged => "role-changed",
            Self::UmpireAdded => "umpire-added",
            Self::AccountClosed => "account-closed",
            Self::AccountOpened => "account-opened",
            Self::DiscordLinked => "discord-linked",
            Self::DiscordUnlinked => "discord-unlinked",
            Self::PasskeyAdded => "passkey-added",
            Self::PasskeyRemoved => "passkey-removed",
            Self::PasskeyNeeded => "passkey-needed",
            Self::NameSet => "name-set",
            Self::NameWithdrawn => "name-withdrawn",
            Self::HelperNamed => "helper-named",
            Self::HelperDismissed => "helper-dismissed",
            Self::CommentatorNamed => "commentator-named",
            Self::CommentatorDismissed => "commentator-dismissed",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    Pages,
    Api,
    Discord,
    CommandLine,
}

impl Channel {
    const fn word(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Api => "api",
            Self::Discord => "discord",
            Self::CommandLine => "command-line",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub umpire_id: Option<String>,
    pub channel: Channel,
    pub address: String,
}

#[derive(Clone, Copy, Debug)]
pub struct NewEvent<'e> {
    pub at: DateTime<Utc>,
    pub kind: EventKind,
    pub umpire_id: Option<&'e str>,
    pub actor: &'e Actor,
    /// Details. Never a secret.
    pub note: &'e str,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccountEvent {
    pub id: i64,
    #[serde(serialize_with = "timestamp::serialize_millis")]
    pub at: DateTime<Utc>,
    pub kind: String,
    #[serde(rename = "umpire")]
    pub umpire_id: Option<String>,
    #[serde(rename = "umpire_name")]
    pub umpire: Option<String>,
    #[serde(rename = "by")]
    pub by_id: Option<String>,
    pub by_name: Option<String>,
    /// `pages`, `api`, `discord` or `command-line`.
    pub channel: String,
    pub address: String,
    pub note: String,
}

pub(crate) async fn add(connection: &mut PgConnection, event: &NewEvent<'_>) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "insert into account_events (at, kind, umpire_id, by_id, channel, address, note) \
         values ($1, $2, $3, $4, $5, $6, $7)",
        event.at,
        event.kind.word(),
        event.umpire_id,
        event.actor.umpire_id,
        event.actor.channel.word(),
        event.actor.address,
        event.note
    );
    Ok(query.execute(connection).await.map(drop)?)
}

pub async fn note(pool: &PgPool, event: &NewEvent<'_>) -> Result<(), StoreError> {
    let mut connection = pool.acquire().await?;
    add(&mut connection, event).await
}

/// Adds the event of a failed sign-in, unless there are this many of its account since then; those of nobody's account
/// count together. Strangers make these events, so they are few, and old ones are deleted first.
pub async fn note_failure(
    pool: &PgPool,
    event: &NewEvent<'_>,
    since: DateTime<Utc>,
    most: i64,
) -> Result<(), StoreError> {
    sqlx::query("select prune_sign_in_failures()").execute(pool).await?;
    let query = sqlx::query!(
        "insert into account_events (at, kind, umpire_id, by_id, channel, address, note) \
         select $1, $2, $3, $4, $5, $6, $7 where (select count(*) from account_events \
             where kind = 'sign-in-failed' and coalesce(umpire_id, '') = coalesce($3, '') and at > $8) < $9",
        event.at,
        event.kind.word(),
        event.umpire_id,
        event.actor.umpire_id.as_deref(),
        event.actor.channel.word(),
        event.actor.address,
        event.note,
        since,
        most
    );
    Ok(query.execute(pool).await.map(drop)?)
}

pub async fn before(
    pool: &PgPool,
    umpire_id: Option<&str>,
    failures: bool,
    id: i64,
    most: i64,
) -> Result<Vec<AccountEvent>, StoreError> {
    let events = sqlx::query_as!(
        AccountEvent,
        "select event.id, event.at, event.kind, event.umpire_id, umpires.name as \"umpire?\", event.by_id, \
             by_umpires.name as \"by_name?\", event.channel, event.address, event.note \
         from account_events as event left join umpires on umpires.id = event.umpire_id \
         left join umpires as by_umpires on by_umpires.id = event.by_id \
         where ($1::text is null or event.umpire_id = $1) and (event.kind = 'sign-in-failed') = $2 and event.id < $3 \
         order by event.id desc limit $4",
        umpire_id,
        failures,
        id,
        most
    );
    Ok(events.fetch_all(pool).await?)
}

pub async fn after(pool: &PgPool, id: i64, most: i64) -> Result<Vec<AccountEvent>, StoreError> {
    let events = sqlx::query_as!(
        AccountEvent,
        "select event.id, event.at, event.kind, event.umpire_id, umpires.name as \"umpire?\", event.by_id, \
             by_umpires.name as \"by_name?\", event.channel, event.address, event.note \
         from account_events as event left join umpires on umpires.id = event.umpire_id \
         left join umpires as by_umpires on by_umpires.id = event.by_id \
         where event.id > $1 order by event.id limit $2",
        id,
        most
    );
    Ok(events.fetch_all(pool).await?)
}

pub async fn of_match(pool: &PgPool, slug: &str) -> Result<Vec<AccountEvent>, StoreError> {
    let events = sqlx::query_as!(
        AccountEvent,
        "select event.id, event.at, event.kind, event.umpire_id, umpires.name as \"umpire?\", event.by_id, \
             by_umpires.name as \"by_name?\", event.channel, event.address, event.note \
         from account_events as event left join umpires on umpires.id = event.umpire_id \
         left join umpires as by_umpires on by_umpires.id = event.by_id \
         where event.note = $1 and event.kind in \
             ('helper-named', 'helper-dismissed', 'commentator-named', 'commentator-dismissed') order by event.id",
        slug
    );
    Ok(events.fetch_all(pool).await?)
}

pub async fn link_by_another(
    pool: &PgPool,
    umpire_id: &str,
    since: DateTime<Utc>,
) -> Result<Option<AccountEvent>, StoreError> {
    let event = sqlx::query_as!(
        AccountEvent,
        "select event.id, event.at, event.kind, event.umpire_id, umpires.name as \"umpire?\", event.by_id, \
             by_umpires.name as \"by_name?\", event.channel, event.address, event.note \
         from account_events as event left join umpires on umpires.id = event.umpire_id \
         left join umpires as by_umpires on by_umpires.id = event.by_id \
         where event.umpire_id = $1 and event.kind = 'link-made' and event.at > $2 \
             and event.by_id is distinct from $1 order by event.id desc limit 1",
        umpire_id,
        since
    );
    Ok(event.fetch_optional(pool).await?)
}
