//! Umpires: their names, roles and accounts, and the links that sign them in.

use std::collections::BTreeMap;

use record::name_key;
use store::PgPool;
use store::accounts::sign_in_links;
use store::accounts::umpires::{self, PublicName};

use super::activity::{Actor, EventKind, event};
use super::session::idle_since;
use super::{AccountError, Role, Token, Umpire, UmpireSummary};
use crate::likeness::{Likeness, is_blank, unseen};
use crate::system::System;

const NAME_MAX_CHARS: usize = 60;
/// Names that would speak for the site, or for somebody whom the record calls so.
const RESERVED: [&str; 12] = [
    "Matchbook",
    "Host",
    "Server",
    "Admin",
    "Administrator",
    "Moderator",
    "Operator",
    "System",
    "Umpire",
    "Referee",
    "Player 1",
    "Player 2",
];

pub async fn add(pool: &PgPool, system: &System, actor: &Actor, name: &str) -> Result<Umpire, AccountError> {
    let name = allowed(name)?;
    // A pseudonym must not reveal the name.
    let id: String = system.bytes32().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    let looks = unreserved(name)?;
    let alike = |other: &Umpire, known: Option<&str>| is_taken(&looks, other, known);
    let event = event(system, actor, EventKind::UmpireAdded, Some(&id), "");
    match umpires::add(pool, &id, name, &event, alike).await? {
        Some(other) if other == name => Err(AccountError::Taken(other)),
        Some(other) => Err(AccountError::Alike(other)),
        None => Ok(Umpire { id, name: name.to_owned(), role: Role::Umpire }),
    }
}

pub(super) fn allowed(name: &str) -> Result<&str, AccountError> {
    let name = name.trim();
    if is_blank(name) || name.chars().count() > NAME_MAX_CHARS || name.contains(char::is_control) {
        Err(AccountError::NoName)
    } else if unseen(name).is_some() {
        Err(AccountError::Unseen)
    } else {
        Ok(name)
    }
}

fn unreserved(name: &str) -> Result<Likeness, AccountError> {
    let looks = Likeness::of(name);
    let is_reserved = RESERVED.iter().any(|reserved| looks.is_like(&Likeness::of(reserved)));
    if is_reserved { Err(AccountError::Reserved) } else { Ok(looks) }
}

fn is_taken(looks: &Likeness, other: &Umpire, known: Option<&str>) -> bool {
    let mut names = [Some(other.name.as_str()), known].into_iter().flatten();
    looks.shows(&Likeness::of(&other.id)) || names.any(|name| looks.is_like(&Likeness::of(name)))
}

pub async fn public_names(pool: &PgPool) -> Result<BTreeMap<String, String>, AccountError> {
    Ok(umpires::public_names(pool).await?)
}

pub async fn publicly_named(pool: &PgPool, name: &str) -> Result<Option<String>, AccountError> {
    Ok(umpires::with_public_key(pool, &name_key(name)).await?)
}

/// Sets or removes the public name of an umpire. No other umpire may have it in any spelling, in public or for their
/// account, and it may not look like another umpire's pseudonym.
pub async fn set_public_name(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    id: &str,
    name: Option<&str>,
) -> Result<(), AccountError> {
    let name = name.map(allowed).transpose()?;
    let key = name.map(name_key);
    if key.as_deref().is_some_and(|key| !key.contains(char::is_alphanumeric)) {
        return Err(AccountError::NoName);
    }
    let looks = name.map(unreserved).transpose()?;
    let alike = |other: &Umpire, known: Option<&str>| looks.as_ref().is_some_and(|looks| is_taken(looks, other, known));
    let kind = if name.is_some() { EventKind::NameSet } else { EventKind::NameWithdrawn };
    let event = event(system, actor, kind, Some(id), "");
    match umpires::set_public_name(pool, id, name, key.as_deref(), &event, alike).await? {
        PublicName::Set => Ok(()),
        PublicName::Taken => Err(AccountError::NotYours),
    }
}

pub async fn named(pool: &PgPool, name: &str) -> Result<Umpire, AccountError> {
    let found = umpires::named(pool, name.trim()).await?;
    found.ok_or_else(|| AccountError::Unknown(name.to_owned()))
}

pub async fn of_id(pool: &PgPool, id: &str) -> Result<Umpire, AccountError> {
    umpires::with_id(pool, id).await?.ok_or_else(|| AccountError::Unknown(id.to_owned()))
}

pub async fn all(pool: &PgPool) -> Result<Vec<Umpire>, AccountError> {
    Ok(umpires::all(pool).await?)
}

pub async fn listed(pool: &PgPool, system: &System) -> Result<Vec<UmpireSummary>, AccountError> {
    Ok(umpires::listed(pool, system.now().to_utc(), idle_since(system)).await?)
}

pub async fn active_umpires(pool: &PgPool, system: &System) -> Result<Vec<Umpire>, AccountError> {
    let all = listed(pool, system).await?.into_iter();
    Ok(all.filter(|listed| !listed.closed).map(|listed| listed.umpire).collect())
}

/// Gives an umpire another role. The command line can make an admin again if there is none.
pub async fn set_role(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    umpire: &Umpire,
    role: Role,
) -> Result<(), AccountError> {
    let event = event(system, actor, EventKind::RoleChanged, Some(&umpire.id), role.word());
    if umpires::set_role(pool, &umpire.id, role, &event).await? { Ok(()) } else { Err(AccountError::LastAdmin) }
}

/// Closes an account, or opens it again. Closing ends its sessions and revokes its links and tokens.
pub async fn set_closed(
    pool: &PgPool,
    system: &System,
    actor: &Actor,
    umpire: &Umpire,
    closed: bool,
) -> Result<(), AccountError> {
    let event = |kind| event(system, actor, kind, Some(&umpire.id), "");
    if !closed {
        return Ok(umpires::reopen(pool, &umpire.id, &event(EventKind::AccountOpened)).await?);
    }
    let closed = umpires::close(pool, &umpire.id, &event(EventKind::AccountClosed)).await?;
    if closed { Ok(()) } else { Err(AccountError::LastAdmin) }
}

pub async fn link(pool: &PgPool, system: &System, actor: &Actor, umpire: &Umpire) -> Result<Token, AccountError> {
    let token = Token::fresh(system);
    let event = event(system, actor, EventKind::LinkMade, Some(&umpire.id), "");
    let made = sign_in_links::add(pool, &token.hash(), &umpire.id, &event).await?;
    if made { Ok(token) } else { Err(AccountError::Closed) }
}

/// The umpire of an unused link. This does not use the link up.
pub async fn umpire_of_link(pool: &PgPool, system: &System, token: &Token) -> Result<Umpire, AccountError> {
    sign_in_links::umpire(pool, &token.hash(), system.now().to_utc()).await?.ok_or(AccountError::Link)
}
