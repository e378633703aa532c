//! The umpires: who there is, what they may, and the links that sign them in.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use record::name_key;
use sqlx::PgPool;

use super::{AccountError, Role, Token, Umpire};
use crate::system::System;

/// For how long a link can be used.
const LINK_HOURS: i64 = 24;
/// The longest name.
const NAME_MAX_CHARS: usize = 60;

/// An umpire as an admin sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Who it is.
    pub umpire: Umpire,
    /// The name under which they want to be known.
    pub public_name: Option<String>,
    /// Whether they can sign in with a password.
    pub has_password: bool,
    /// Whether the account is closed.
    pub closed: bool,
    /// Browsers that are signed in.
    pub sessions: i64,
}

/// Adds an umpire.
///
/// # Errors
/// The name is taken or none, or the database.
pub async fn add(pool: &PgPool, system: &System, name: &str) -> Result<Umpire, AccountError> {
    let name = allowed(name)?;
    // A pseudonym says nothing of the name.
    let id: String = system.bytes32().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    let added = sqlx::query!(
        "insert into umpires (id, name, created_at) values ($1, $2, $3) on conflict (name) do nothing",
        id,
        name,
        system.now().to_utc()
    )
    .execute(pool)
    .await?;
    if added.rows_affected() == 0 {
        return Err(AccountError::Taken(name.to_owned()));
    }
    Ok(Umpire { id, name: name.to_owned(), role: Role::Umpire })
}

/// A name without white space around it.
fn allowed(name: &str) -> Result<&str, AccountError> {
    let name = name.trim();
    let none = name.is_empty() || name.chars().count() > NAME_MAX_CHARS || name.contains(char::is_control);
    if none { Err(AccountError::NoName) } else { Ok(name) }
}

/// The names under which umpires want to be known, by pseudonym.
///
/// # Errors
/// The database.
pub async fn public_names(pool: &PgPool) -> Result<BTreeMap<String, String>, AccountError> {
    let rows = sqlx::query!("select id, public_name as \"name!\" from umpires where public_name is not null");
    Ok(rows.fetch_all(pool).await?.into_iter().map(|row| (row.id, row.name)).collect())
}

/// The pseudonym of the umpire who is known by this public name, in any case and with or without accents.
///
/// # Errors
/// The database.
pub async fn publicly_named(pool: &PgPool, name: &str) -> Result<Option<String>, AccountError> {
    let found = sqlx::query_scalar!("select id from umpires where public_key = $1", name_key(name));
    Ok(found.fetch_optional(pool).await?)
}

/// Gives an umpire a public name, or takes it away again. Nobody else may have it, however it is written, and it may not
/// pass for another umpire's pseudonym.
///
/// # Errors
/// The name is none, or another umpire's; or the database.
pub async fn set_public_name(pool: &PgPool, id: &str, name: Option<&str>) -> Result<(), AccountError> {
    let name = name.map(allowed).transpose()?;
    let key = name.map(name_key);
    if key.as_deref().is_some_and(|key| !key.contains(char::is_alphanumeric)) {
        return Err(AccountError::NoName);
    }
    let set = sqlx::query!(
        "update umpires set public_name = $2, public_key = $3 where id = $1 and not exists ( \
             select from umpires as others where others.id <> $1 \
                 and (others.public_key = $3 or strpos($3, others.id) > 0))",
        id,
        name,
        key
    );
    match set.execute(pool).await {
        Ok(set) if set.rows_affected() == 0 => Err(AccountError::NotYours),
        // Somebody else took it meanwhile.
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => Err(AccountError::NotYours),
        other => other.map(drop).map_err(AccountError::from),
    }
}

/// The umpire of a name.
///
/// # Errors
/// There is none, or the database.
pub async fn named(pool: &PgPool, name: &str) -> Result<Umpire, AccountError> {
    let found = sqlx::query_as!(Umpire, "select id, name, role from umpires where name = $1", name.trim());
    found.fetch_optional(pool).await?.ok_or_else(|| AccountError::Unknown(name.to_owned()))
}

/// The umpire of a pseudonym.
///
/// # Errors
/// There is none, or the database.
pub async fn of_id(pool: &PgPool, id: &str) -> Result<Umpire, AccountError> {
    let found = sqlx::query_as!(Umpire, "select id, name, role from umpires where id = $1", id);
    found.fetch_optional(pool).await?.ok_or_else(|| AccountError::Unknown(id.to_owned()))
}

/// Every umpire there ever was, by name.
///
/// # Errors
/// The database.
pub async fn all(pool: &PgPool) -> Result<Vec<Umpire>, AccountError> {
    Ok(sqlx::query_as!(Umpire, "select id, name, role from umpires order by name").fetch_all(pool).await?)
}

/// Every umpire with what an admin sees of them, by name.
///
/// # Errors
/// The database.
pub async fn listed(pool: &PgPool, system: &System) -> Result<Vec<Listed>, AccountError> {
    let rows = sqlx::query!(
        "select id, name, role, public_name, password is not null as \"has_password!\", closed_at is not null as \"closed!\", \
             (select count(*) from sessions where umpire_id = umpires.id and expires_at > $1) as \"sessions!\" \
         from umpires order by name",
        system.now().to_utc()
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let listed = rows.map(|row| Listed {
        umpire: Umpire { id: row.id, name: row.name, role: row.role.into() },
        public_name: row.public_name,
        has_password: row.has_password,
        closed: row.closed,
        sessions: row.sessions,
    });
    Ok(listed.collect())
}

/// The umpires whose account is open, by name: those to whom a match can be handed.
///
/// # Errors
/// The database.
pub async fn in_office(pool: &PgPool, system: &System) -> Result<Vec<Umpire>, AccountError> {
    let all = listed(pool, system).await?.into_iter();
    Ok(all.filter(|listed| !listed.closed).map(|listed| listed.umpire).collect())
}

/// Gives an umpire another role.
///
/// # Errors
/// They are the last admin, or the database.
pub async fn set_role(pool: &PgPool, umpire: &Umpire, role: Role) -> Result<(), AccountError> {
    if role != Role::Admin {
        keep_an_admin(pool, umpire).await?;
    }
    sqlx::query!("update umpires set role = $2 where id = $1", umpire.id, role.word()).execute(pool).await?;
    Ok(())
}

/// Closes an account, or opens it again. Closing ends its sessions and revokes its links and tokens.
///
/// # Errors
/// They are the last admin, or the database.
pub async fn set_closed(pool: &PgPool, system: &System, umpire: &Umpire, closed: bool) -> Result<(), AccountError> {
    let now = system.now().to_utc();
    if !closed {
        sqlx::query!("update umpires set closed_at = null where id = $1", umpire.id).execute(pool).await?;
        return Ok(());
    }
    keep_an_admin(pool, umpire).await?;
    sqlx::query!("update umpires set closed_at = $2 where id = $1 and closed_at is null", umpire.id, now)
        .execute(pool)
        .await?;
    sqlx::query!("delete from sessions where umpire_id = $1", umpire.id).execute(pool).await?;
    sqlx::query!("delete from sign_in_links where umpire_id = $1", umpire.id).execute(pool).await?;
    sqlx::query!("update api_tokens set revoked_at = $2 where umpire_id = $1 and revoked_at is null", umpire.id, now)
        .execute(pool)
        .await?;
    Ok(())
}

/// Where there are admins, one stays. (Where there is none, the command line makes one.)
async fn keep_an_admin(pool: &PgPool, umpire: &Umpire) -> Result<(), AccountError> {
    if umpire.role != Role::Admin {
        return Ok(());
    }
    let others = sqlx::query_scalar!(
        "select count(*) as \"n!\" from umpires where role = 'admin' and closed_at is null and id <> $1",
        umpire.id
    );
    if others.fetch_one(pool).await? == 0 { Err(AccountError::LastAdmin) } else { Ok(()) }
}

/// Makes a link's token for an umpire.
///
/// # Errors
/// The account is closed, or the database.
pub async fn link(pool: &PgPool, system: &System, umpire: &Umpire) -> Result<Token, AccountError> {
    let token = Token::fresh(system);
    let expires = system.now().to_utc() + TimeDelta::hours(LINK_HOURS);
    let made = sqlx::query!(
        "insert into sign_in_links (token, umpire_id, expires_at) \
         select $1, id, $3 from umpires where id = $2 and closed_at is null",
        token.hash(),
        umpire.id,
        expires
    );
    match made.execute(pool).await?.rows_affected() {
        0 => Err(AccountError::Closed),
        _ => Ok(token),
    }
}

/// The umpire whom an unused link would sign in. Looking does not use it up.
///
/// # Errors
/// The link opens nothing, or the database.
pub async fn behind_link(pool: &PgPool, system: &System, token: &Token) -> Result<Umpire, AccountError> {
    let found = sqlx::query_as!(
        Umpire,
        "select umpires.id, umpires.name, umpires.role from sign_in_links \
         join umpires on umpires.id = sign_in_links.umpire_id \
         where token = $1 and used_at is null and expires_at > $2 and closed_at is null",
        token.hash(),
        system.now().to_utc()
    );
    found.fetch_optional(pool).await?.ok_or(AccountError::Link)
}
