//! Umpires: their names, roles, and closed accounts.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool, Postgres, Transaction};

use super::activity::{self, NewEvent};
use super::{api_tokens, sessions};
use crate::{StoreError, transaction};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Umpire {
    pub id: String,
    /// The name under which they are known here. Never in the record.
    pub name: String,
    pub role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Umpire,
    Admin,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UmpireSummary {
    pub umpire: Umpire,
    pub public_name: Option<String>,
    pub has_password: bool,
    pub closed: bool,
    pub sessions: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicName {
    Set,
    Taken,
}

impl Role {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Umpire => "umpire",
            Self::Admin => "admin",
        }
    }
}

impl From<String> for Role {
    /// The database allows only the two words; any other would allow the least.
    fn from(word: String) -> Self {
        if word == "admin" { Self::Admin } else { Self::Umpire }
    }
}

/// Adds an umpire, unless the caller says that the name could be mistaken for another, who is given with the public name;
/// returns the other's name.
pub async fn add(
    pool: &PgPool,
    id: &str,
    name: &str,
    event: &NewEvent<'_>,
    alike: impl Fn(&Umpire, Option<&str>) -> bool + Send,
) -> Result<Option<String>, StoreError> {
    let mut transaction = naming(pool).await?;
    let known = public_names_of(&mut *transaction).await?;
    let mut others = all_of(&mut *transaction).await?.into_iter();
    if let Some(other) = others.find(|other| alike(other, known.get(&other.id).map(String::as_str))) {
        return Ok(Some(other.name));
    }
    let added = sqlx::query!(
        "insert into umpires (id, name, created_at) values ($1, $2, $3) on conflict (name) do nothing",
        id,
        name,
        event.at
    );
    added.execute(&mut *transaction).await?;
    activity::add(&mut transaction, event).await?;
    transaction.commit().await?;
    Ok(None)
}

/// A transaction in which an umpire gets a name. Only one runs at a time, on all nodes, so that no two umpires take
/// names that are alike at the same moment.
async fn naming(pool: &PgPool) -> Result<Transaction<'static, Postgres>, StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('names of umpires', 0))")
        .execute(&mut *transaction)
        .await?;
    Ok(transaction)
}

pub async fn named(pool: &PgPool, name: &str) -> Result<Option<Umpire>, StoreError> {
    let found = sqlx::query_as!(Umpire, "select id, name, role from umpires where name = $1", name);
    Ok(found.fetch_optional(pool).await?)
}

pub async fn with_id(pool: &PgPool, id: &str) -> Result<Option<Umpire>, StoreError> {
    let found = sqlx::query_as!(Umpire, "select id, name, role from umpires where id = $1", id);
    Ok(found.fetch_optional(pool).await?)
}

pub async fn all(pool: &PgPool) -> Result<Vec<Umpire>, StoreError> {
    all_of(pool).await
}

async fn all_of(executor: impl PgExecutor<'_>) -> Result<Vec<Umpire>, StoreError> {
    Ok(sqlx::query_as!(Umpire, "select id, name, role from umpires order by name").fetch_all(executor).await?)
}

pub async fn listed(
    pool: &PgPool,
    now: DateTime<Utc>,
    idle: (DateTime<Utc>, DateTime<Utc>),
) -> Result<Vec<UmpireSummary>, StoreError> {
    let rows = sqlx::query!(
        "select id, name, role, public_name, password is not null as \"has_password!\", closed_at is not null as \"closed!\", \
             (select count(*) from sessions where umpire_id = umpires.id and expires_at > $1 \
                 and coalesce(used_at, sessions.created_at) > case role when 'admin' then $3 else $2::timestamptz end) as \"sessions!\" \
         from umpires order by name",
        now,
        idle.0,
        idle.1
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let listed = rows.map(|row| UmpireSummary {
        umpire: Umpire { id: row.id, name: row.name, role: row.role.into() },
        public_name: row.public_name,
        has_password: row.has_password,
        closed: row.closed,
        sessions: row.sessions,
    });
    Ok(listed.collect())
}

pub async fn public_names(pool: &PgPool) -> Result<BTreeMap<String, String>, StoreError> {
    public_names_of(pool).await
}

async fn public_names_of(executor: impl PgExecutor<'_>) -> Result<BTreeMap<String, String>, StoreError> {
    let rows = sqlx::query!("select id, public_name as \"name!\" from umpires where public_name is not null");
    Ok(rows.fetch_all(executor).await?.into_iter().map(|row| (row.id, row.name)).collect())
}

pub async fn with_public_key(pool: &PgPool, key: &str) -> Result<Option<String>, StoreError> {
    let found = sqlx::query_scalar!("select id from umpires where public_key = $1", key);
    Ok(found.fetch_optional(pool).await?)
}

/// Gives an umpire a public name with its key, or takes it away. Keys are unique, and none may contain another umpire's
/// pseudonym. The caller says which of the others, with their public name, the new name could be mistaken for.
pub async fn set_public_name(
    pool: &PgPool,
    id: &str,
    name: Option<&str>,
    key: Option<&str>,
    event: &NewEvent<'_>,
    alike: impl Fn(&Umpire, Option<&str>) -> bool + Send,
) -> Result<PublicName, StoreError> {
    let mut transaction = naming(pool).await?;
    let known = public_names_of(&mut *transaction).await?;
    let others = all_of(&mut *transaction).await?;
    if others.iter().any(|other| other.id != id && alike(other, known.get(&other.id).map(String::as_str))) {
        return Ok(PublicName::Taken);
    }
    let set = sqlx::query!(
        "update umpires set public_name = $2, public_key = $3 where id = $1 and not exists ( \
             select from umpires as others where others.id <> $1 \
                 and (others.public_key = $3 or strpos($3, others.id) > 0))",
        id,
        name,
        key
    );
    if set.execute(&mut *transaction).await?.rows_affected() == 0 {
        return Ok(PublicName::Taken);
    }
    activity::add(&mut transaction, event).await?;
    transaction.commit().await?;
    Ok(PublicName::Set)
}

/// Gives an umpire another role; false, and nothing changes, if no admin would be left.
pub async fn set_role(pool: &PgPool, id: &str, role: Role, event: &NewEvent<'_>) -> Result<bool, StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    if role != Role::Admin && is_last_admin(&mut transaction, id).await? {
        return Ok(false);
    }
    sqlx::query!("update umpires set role = $2 where id = $1", id, role.word()).execute(&mut *transaction).await?;
    activity::add(&mut transaction, event).await?;
    transaction.commit().await?;
    Ok(true)
}

/// True if this umpire is the only admin with an open account. All of these stay locked until the transaction ends, so
/// that two of them cannot leave at once.
async fn is_last_admin(connection: &mut PgConnection, id: &str) -> Result<bool, StoreError> {
    let admins = sqlx::query_scalar!(
        "select id from umpires where role = 'admin' and closed_at is null order by id for no key update"
    );
    Ok(admins.fetch_all(connection).await? == [id])
}

/// Locks an umpire's row until the transaction ends: whoever counts what the umpire has, counts alone.
pub(crate) async fn lock(connection: &mut PgConnection, id: &str) -> Result<(), StoreError> {
    sqlx::query!("select id from umpires where id = $1 for no key update", id).fetch_optional(connection).await?;
    Ok(())
}

/// Closes an account, ends its sessions, and revokes its links and tokens; false, and nothing changes, if no admin would
/// be left.
pub async fn close(pool: &PgPool, id: &str, event: &NewEvent<'_>) -> Result<bool, StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    if is_last_admin(&mut transaction, id).await? {
        return Ok(false);
    }
    let closed = sqlx::query!("update umpires set closed_at = $2 where id = $1 and closed_at is null", id, event.at);
    if closed.execute(&mut *transaction).await?.rows_affected() > 0 {
        activity::add(&mut transaction, event).await?;
    }
    sessions::delete_others(&mut transaction, id, None).await?;
    sqlx::query!("delete from sign_in_links where umpire_id = $1", id).execute(&mut *transaction).await?;
    api_tokens::revoke_all(&mut transaction, id, event.at).await?;
    transaction.commit().await?;
    Ok(true)
}

pub async fn reopen(pool: &PgPool, id: &str, event: &NewEvent<'_>) -> Result<(), StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    let opened = sqlx::query!("update umpires set closed_at = null where id = $1 and closed_at is not null", id);
    if opened.execute(&mut *transaction).await?.rows_affected() > 0 {
        activity::add(&mut transaction, event).await?;
    }
    transaction.commit().await?;
    Ok(())
}
