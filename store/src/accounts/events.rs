//! The log of accounts: sign-ins, links, tokens, roles and passwords. Rows are added and read; the role that serves may
//! do nothing else with them, but for a function that deletes failed sign-ins after 90 days.
//!
//! An act and its event are one transaction: neither is there without the other.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::StoreError;

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A browser signed in.
    SignedIn,
    /// A name, a password or a link was wrong.
    SignInFailed,
    /// A browser signed out.
    SignedOut,
    /// One or more sessions were ended.
    SessionsEnded,
    /// A password was set.
    PasswordSet,
    /// Somebody who is signed in typed a wrong password.
    PasswordWrong,
    /// A token was made.
    TokenMade,
    /// A token was revoked.
    TokenRevoked,
    /// A sign-in link was made.
    LinkMade,
    /// The umpire got another role.
    RoleChanged,
    /// The umpire was added.
    UmpireAdded,
    /// The account was closed.
    AccountClosed,
    /// The account was opened again.
    AccountOpened,
    /// An account at Discord was linked.
    DiscordLinked,
    /// All accounts at Discord were unlinked.
    DiscordUnlinked,
    /// A passkey was added.
    PasskeyAdded,
    /// A passkey was removed.
    PasskeyRemoved,
    /// The umpire said if a password is enough to sign in.
    PasskeyNeeded,
    /// A public name was set. The name itself is in no event: it can be withdrawn, and an event cannot.
    NameSet,
    /// The public name was withdrawn.
    NameWithdrawn,
    /// The umpire was named as helper in a match, which the note names.
    HelperNamed,
    /// The umpire was dismissed as helper.
    HelperDismissed,
    /// The umpire was named as commentator.
    CommentatorNamed,
    /// The umpire was dismissed as commentator.
    CommentatorDismissed,
}

impl EventKind {
    /// Its word.
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

/// The way in which a request came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A form of the site.
    Pages,
    /// A program with a token.
    Api,
    /// A command at Discord.
    Discord,
    /// The command line.
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

/// Who acts on an account, and from where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The pseudonym of the umpire who is signed in.
    pub umpire_id: Option<String>,
    /// The way in which the request came.
    pub channel: Channel,
    /// The sender's address as the rate limits count it; empty if there is none.
    pub address: String,
}

/// An event that is to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewEvent<'e> {
    /// Now.
    pub at: DateTime<Utc>,
    /// The kind.
    pub kind: EventKind,
    /// The pseudonym of the account's umpire, if it is known.
    pub umpire_id: Option<&'e str>,
    /// Who did it.
    pub actor: &'e Actor,
    /// Details. Never a secret.
    pub note: &'e str,
}

/// A stored event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountEvent {
    /// Its number. Later events have higher ones.
    pub id: i64,
    /// The time.
    pub at: DateTime<Utc>,
    /// The word of its kind.
    pub kind: String,
    /// The pseudonym of the account's umpire.
    pub umpire_id: Option<String>,
    /// Their name.
    pub umpire: Option<String>,
    /// The pseudonym of the umpire who did it.
    pub by_id: Option<String>,
    /// Their name.
    pub by_name: Option<String>,
    /// `pages`, `api`, `discord` or `command-line`.
    pub channel: String,
    /// The sender's address as the rate limits count it; empty if there is none.
    pub address: String,
    /// Details.
    pub note: String,
}

/// Adds an event within the transaction of its act.
pub(crate) async fn add(connection: &mut PgConnection, event: &NewEvent<'_>) -> Result<(), StoreError> {
    sqlx::query!(
        "insert into account_events (at, kind, umpire_id, by_id, channel, address, note) \
         values ($1, $2, $3, $4, $5, $6, $7)",
        event.at,
        event.kind.word(),
        event.umpire_id,
        event.actor.umpire_id,
        event.actor.channel.word(),
        event.actor.address,
        event.note
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Adds an event that changed no other row, such as a failed sign-in.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn note(pool: &PgPool, event: &NewEvent<'_>) -> Result<(), StoreError> {
    let mut connection = pool.acquire().await?;
    add(&mut connection, event).await
}

/// Adds the event of a failed sign-in, unless there are this many of its account since then; those of nobody's account
/// count together. Strangers make these events, so they are few, and old ones are deleted first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn note_failure(
    pool: &PgPool,
    event: &NewEvent<'_>,
    since: DateTime<Utc>,
    most: i64,
) -> Result<(), StoreError> {
    sqlx::query("select prune_sign_in_failures()").execute(pool).await?;
    sqlx::query!(
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
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// The events of an umpire's account, or all, newest first, before this number: the failed sign-ins, or all others.
///
/// # Errors
/// [`StoreError::Database`].
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

/// All events, oldest first, after this number.
///
/// # Errors
/// [`StoreError::Database`].
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

/// The namings and dismissals of helpers and commentators in the match of this short name, oldest first.
///
/// # Errors
/// [`StoreError::Database`].
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

/// The newest sign-in link for an umpire that somebody else made since then.
///
/// # Errors
/// [`StoreError::Database`].
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
