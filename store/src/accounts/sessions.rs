//! The browsers in which an umpire is signed in.

use chrono::{DateTime, Utc};
use ledger::Hash;
use sqlx::{PgConnection, PgPool};

use super::activity::{self, NewEvent};
use super::umpires::Umpire;
use crate::{StoreError, transaction};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    Link,
    Password,
    Discord,
    Passkey,
}

impl Via {
    const fn word(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Password => "password",
            Self::Discord => "discord",
            Self::Passkey => "passkey",
        }
    }
}

/// A session as its umpire sees it: never the token that opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub name: String,
    /// How it began: `link`, `password`, `discord` or `passkey`.
    pub via: String,
    pub created_at: DateTime<Utc>,
    pub used_at: DateTime<Utc>,
    pub browser: String,
}

#[derive(Clone, Copy, Debug)]
pub struct NewSession<'s> {
    pub token: &'s Hash,
    pub umpire_id: &'s str,
    pub created_at: DateTime<Utc>,
    /// The time when it ends by itself, and when that of an admin does.
    pub expires_at: (DateTime<Utc>, DateTime<Utc>),
    pub checked_at: Option<DateTime<Utc>>,
    pub via: Via,
    pub browser: &'s str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedIn {
    pub umpire: Umpire,
    pub used_at: Option<DateTime<Utc>>,
}

pub async fn add(pool: &PgPool, session: &NewSession<'_>, event: &NewEvent<'_>) -> Result<(), StoreError> {
    sqlx::query!("delete from sessions where expires_at <= $1", session.created_at).execute(pool).await?;
    let mut transaction = transaction::begin(pool).await?;
    sqlx::query!(
        "insert into sessions (token, umpire_id, created_at, expires_at, used_at, checked_at, via, browser) \
         select $1, $2, $3, case role when 'admin' then $8::timestamptz else $4 end, $3, $5, $6, $7 from umpires where id = $2",
        session.token.as_ref(),
        session.umpire_id,
        session.created_at,
        session.expires_at.0,
        session.checked_at,
        session.via.word(),
        session.browser,
        session.expires_at.1
    )
    .execute(&mut *transaction)
    .await?;
    activity::add(&mut transaction, event).await?;
    transaction.commit().await?;
    Ok(())
}

/// The umpire who is signed in with a session's token. A session that was not used since `idle` has ended: the first is
/// of umpires, the second of admins.
pub async fn signed_in(
    pool: &PgPool,
    token: &Hash,
    now: DateTime<Utc>,
    idle: (DateTime<Utc>, DateTime<Utc>),
) -> Result<Option<SignedIn>, StoreError> {
    let found = sqlx::query!(
        "select umpires.id, umpires.name, umpires.role, used_at from sessions \
         join umpires on umpires.id = sessions.umpire_id \
         where token = $1 and expires_at > $2 and closed_at is null \
             and coalesce(used_at, sessions.created_at) > case role when 'admin' then $4 else $3::timestamptz end",
        token.as_ref(),
        now,
        idle.0,
        idle.1
    );
    let found = found.fetch_optional(pool).await?;
    Ok(found.map(|row| SignedIn {
        umpire: Umpire { id: row.id, name: row.name, role: row.role.into() },
        used_at: row.used_at,
    }))
}

pub async fn note_use(pool: &PgPool, token: &Hash, now: DateTime<Utc>) -> Result<(), StoreError> {
    sqlx::query!("update sessions set used_at = $2 where token = $1", token.as_ref(), now).execute(pool).await?;
    Ok(())
}

pub async fn note_check(pool: &PgPool, token: &Hash, now: DateTime<Utc>) -> Result<(), StoreError> {
    sqlx::query!("update sessions set checked_at = $2 where token = $1", token.as_ref(), now).execute(pool).await?;
    Ok(())
}

pub async fn is_checked_since(pool: &PgPool, token: &Hash, since: DateTime<Utc>) -> Result<bool, StoreError> {
    let checked = sqlx::query_scalar!(
        "select count(*) as \"n!\" from sessions where token = $1 and checked_at > $2",
        token.as_ref(),
        since
    );
    Ok(checked.fetch_one(pool).await? > 0)
}

pub async fn is_from_link_since(pool: &PgPool, token: &Hash, since: DateTime<Utc>) -> Result<bool, StoreError> {
    let fresh = sqlx::query_scalar!(
        "select count(*) as \"n!\" from sessions where token = $1 and via = 'link' and created_at > $2 and checked_at is not null",
        token.as_ref(),
        since
    );
    Ok(fresh.fetch_one(pool).await? > 0)
}

pub async fn of_umpire(
    pool: &PgPool,
    umpire_id: &str,
    now: DateTime<Utc>,
    idle: (DateTime<Utc>, DateTime<Utc>),
) -> Result<Vec<Session>, StoreError> {
    let rows = sqlx::query!(
        "select token, via, sessions.created_at, coalesce(used_at, sessions.created_at) as \"used_at!\", browser \
         from sessions join umpires on umpires.id = umpire_id where umpire_id = $1 and expires_at > $2 \
             and coalesce(used_at, sessions.created_at) > case role when 'admin' then $4 else $3::timestamptz end \
         order by 4 desc, token",
        umpire_id,
        now,
        idle.0,
        idle.1
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let sessions = rows.map(|row| Session {
        name: super::name(&row.token),
        via: row.via,
        created_at: row.created_at,
        used_at: row.used_at,
        browser: row.browser,
    });
    Ok(sessions.collect())
}

/// Ends a session of an umpire. Ending it again changes nothing.
pub async fn end_of_umpire(
    pool: &PgPool,
    umpire_id: &str,
    token: &Hash,
    event: &NewEvent<'_>,
) -> Result<(), StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    let ended = sqlx::query!("delete from sessions where umpire_id = $1 and token = $2", umpire_id, token.as_ref());
    if ended.execute(&mut *transaction).await?.rows_affected() > 0 {
        activity::add(&mut transaction, event).await?;
    }
    transaction.commit().await?;
    Ok(())
}

pub async fn end_others(
    pool: &PgPool,
    umpire_id: &str,
    except: Option<&Hash>,
    event: &NewEvent<'_>,
) -> Result<(), StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    if delete_others(&mut transaction, umpire_id, except).await? > 0 {
        activity::add(&mut transaction, event).await?;
    }
    transaction.commit().await?;
    Ok(())
}

pub(super) async fn delete_others(
    connection: &mut PgConnection,
    umpire_id: &str,
    except: Option<&Hash>,
) -> Result<u64, StoreError> {
    let except = except.map(Hash::as_ref);
    let ended = sqlx::query!(
        "delete from sessions where umpire_id = $1 and ($2::bytea is null or token <> $2)",
        umpire_id,
        except
    );
    Ok(ended.execute(connection).await?.rows_affected())
}

/// Ends a session. Ending it again changes nothing.
pub async fn end(pool: &PgPool, token: &Hash, event: &NewEvent<'_>) -> Result<(), StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    let umpire = sqlx::query_scalar!("delete from sessions where token = $1 returning umpire_id", token.as_ref());
    if let Some(umpire_id) = umpire.fetch_optional(&mut *transaction).await? {
        activity::add(&mut transaction, &NewEvent { umpire_id: Some(&umpire_id), ..*event }).await?;
    }
    transaction.commit().await?;
    Ok(())
}
