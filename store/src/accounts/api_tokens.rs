//! The tokens with which programs act for an umpire.

use chrono::{DateTime, Utc};
use ledger::Hash;
use serde::Serialize;
use sqlx::{PgConnection, PgPool};
use utoipa::ToSchema;

use super::activity::{self, NewEvent};
use super::umpires::{self, Umpire};
use crate::{StoreError, timestamp, transaction};

/// A token: never what it opens with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Token)]
pub struct ApiToken {
    /// A name to revoke it by: 64 hex digits.
    pub id: String,
    /// The name of the umpire whose it is.
    pub umpire: String,
    pub name: String,
    /// `read`, `umpire` or `admin`.
    pub scope: String,
    #[serde(serialize_with = "timestamp::serialize")]
    #[schema(value_type = String)]
    pub created_at: DateTime<Utc>,
    #[serde(serialize_with = "timestamp::serialize")]
    #[schema(value_type = String)]
    pub expires_at: DateTime<Utc>,
    /// To the minute.
    #[serde(serialize_with = "timestamp::serialize_option")]
    #[schema(value_type = Option<String>)]
    pub used_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Copy, Debug)]
pub struct NewApiToken<'t> {
    pub token: &'t Hash,
    pub umpire: &'t Umpire,
    pub name: &'t str,
    pub scope: &'t str,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenOwner {
    pub umpire: Umpire,
    pub scope: String,
    pub used_at: Option<DateTime<Utc>>,
}

pub async fn add(
    pool: &PgPool,
    new: &NewApiToken<'_>,
    most: i64,
    event: &NewEvent<'_>,
) -> Result<Option<ApiToken>, StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    umpires::lock(&mut transaction, &new.umpire.id).await?;
    let valid = sqlx::query_scalar!(
        "select count(*) as \"n!\" from api_tokens where umpire_id = $1 and revoked_at is null and expires_at > $2",
        new.umpire.id,
        new.created_at
    );
    if valid.fetch_one(&mut *transaction).await? >= most {
        return Ok(None);
    }
    sqlx::query!(
        "insert into api_tokens (token, umpire_id, name, scope, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)",
        new.token.as_ref(),
        new.umpire.id,
        new.name,
        new.scope,
        new.created_at,
        new.expires_at
    )
    .execute(&mut *transaction)
    .await?;
    activity::add(&mut transaction, event).await?;
    transaction.commit().await?;
    Ok(Some(ApiToken {
        id: super::name(new.token.as_ref()),
        umpire: new.umpire.name.clone(),
        name: new.name.to_owned(),
        scope: new.scope.to_owned(),
        created_at: new.created_at,
        expires_at: new.expires_at,
        used_at: None,
    }))
}

pub async fn valid(pool: &PgPool, umpire_id: Option<&str>, now: DateTime<Utc>) -> Result<Vec<ApiToken>, StoreError> {
    let rows = sqlx::query!(
        "select token, umpires.name as umpire, api_tokens.name, scope, api_tokens.created_at, expires_at, used_at \
         from api_tokens join umpires on umpires.id = umpire_id \
         where ($1::text is null or umpire_id = $1) and revoked_at is null and expires_at > $2 \
         order by api_tokens.created_at desc, token",
        umpire_id,
        now
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let tokens = rows.map(|row| ApiToken {
        id: super::name(&row.token),
        umpire: row.umpire,
        name: row.name,
        scope: row.scope,
        created_at: row.created_at,
        expires_at: row.expires_at,
        used_at: row.used_at,
    });
    Ok(tokens.collect())
}

pub async fn owner(pool: &PgPool, token: &Hash, now: DateTime<Utc>) -> Result<Option<TokenOwner>, StoreError> {
    let found = sqlx::query!(
        "select umpires.id, umpires.name, umpires.role, scope, used_at from api_tokens \
         join umpires on umpires.id = umpire_id \
         where token = $1 and revoked_at is null and expires_at > $2 and closed_at is null",
        token.as_ref(),
        now
    );
    let found = found.fetch_optional(pool).await?;
    Ok(found.map(|row| TokenOwner {
        umpire: Umpire { id: row.id, name: row.name, role: row.role.into() },
        scope: row.scope,
        used_at: row.used_at,
    }))
}

pub async fn note_use(pool: &PgPool, token: &Hash, now: DateTime<Utc>) -> Result<(), StoreError> {
    sqlx::query!("update api_tokens set used_at = $2 where token = $1", token.as_ref(), now).execute(pool).await?;
    Ok(())
}

/// Revokes a token, of this umpire or of any; false if there is none. Revoking it again changes nothing.
pub async fn revoke(
    pool: &PgPool,
    umpire_id: Option<&str>,
    token: &Hash,
    event: &NewEvent<'_>,
) -> Result<bool, StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    let found = sqlx::query!(
        "select umpire_id, name, revoked_at from api_tokens \
         where token = $1 and ($2::text is null or umpire_id = $2) for no key update",
        token.as_ref(),
        umpire_id
    );
    let Some(found) = found.fetch_optional(&mut *transaction).await? else { return Ok(false) };
    if found.revoked_at.is_none() {
        sqlx::query!("update api_tokens set revoked_at = $2 where token = $1", token.as_ref(), event.at)
            .execute(&mut *transaction)
            .await?;
        let event = NewEvent { umpire_id: Some(&found.umpire_id), note: &found.name, ..*event };
        activity::add(&mut transaction, &event).await?;
    }
    transaction.commit().await?;
    Ok(true)
}

pub(super) async fn revoke_all(
    connection: &mut PgConnection,
    umpire_id: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query!("update api_tokens set revoked_at = $2 where umpire_id = $1 and revoked_at is null", umpire_id, now)
        .execute(connection)
        .await?;
    Ok(())
}
