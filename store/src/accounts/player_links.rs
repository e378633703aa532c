//! The private links to a seat of a match.

use chrono::{DateTime, Utc};
use ledger::{Hash, LogId, MatchId};
use sqlx::PgPool;

use crate::StoreError;

/// A link as an umpire sees it: never the token that opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerLink {
    /// Its hash, 64 hex digits: a name to revoke it by.
    pub name: String,
    /// The word of its seat.
    pub seat: String,
    /// The time when it was made.
    pub created_at: DateTime<Utc>,
    /// True if a browser followed it.
    pub followed: bool,
}

/// The seat of a match that a link or a cookie opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedSeat {
    /// The match.
    pub match_id: MatchId,
    /// The word of the seat.
    pub seat: String,
}

/// Stores a link to a seat. The same token again stores nothing, and revives no revoked link.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn add(
    pool: &PgPool,
    token: &Hash,
    log_id: LogId,
    linked: &LinkedSeat,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query!(
        "insert into player_links (token, log_id, match_id, seat, created_at) values ($1, $2, $3, $4, $5) \
         on conflict do nothing",
        token.as_ref(),
        log_id.0,
        linked.match_id.0,
        linked.seat,
        now
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// The valid links of a match, oldest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn of_match(pool: &PgPool, log_id: LogId, match_id: MatchId) -> Result<Vec<PlayerLink>, StoreError> {
    let rows = sqlx::query!(
        "select token, seat, created_at, \
             exists (select from player_sessions where link = token) as \"followed!\" \
         from player_links where log_id = $1 and match_id = $2 and revoked_at is null order by created_at, token",
        log_id.0,
        match_id.0
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let links = rows.map(|row| PlayerLink {
        name: super::name(&row.token),
        seat: row.seat,
        created_at: row.created_at,
        followed: row.followed,
    });
    Ok(links.collect())
}

/// The words of the seats of a match that have a valid link.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn seats(pool: &PgPool, log_id: LogId, match_id: MatchId) -> Result<Vec<String>, StoreError> {
    let seats = sqlx::query_scalar!(
        "select distinct seat from player_links where log_id = $1 and match_id = $2 and revoked_at is null",
        log_id.0,
        match_id.0
    );
    Ok(seats.fetch_all(pool).await?)
}

/// The words of the seats of a match that have a valid link made by a time.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn seats_at(
    pool: &PgPool,
    log_id: LogId,
    match_id: MatchId,
    at: DateTime<Utc>,
) -> Result<Vec<String>, StoreError> {
    let seats = sqlx::query_scalar!(
        "select distinct seat from player_links \
         where log_id = $1 and match_id = $2 and revoked_at is null and created_at <= $3",
        log_id.0,
        match_id.0,
        at
    );
    Ok(seats.fetch_all(pool).await?)
}

/// The seat that a valid link opens.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn seat(pool: &PgPool, token: &Hash) -> Result<Option<LinkedSeat>, StoreError> {
    let row =
        sqlx::query!("select match_id, seat from player_links where token = $1 and revoked_at is null", token.as_ref());
    let row = row.fetch_optional(pool).await?;
    Ok(row.map(|row| LinkedSeat { match_id: MatchId(row.match_id), seat: row.seat }))
}

/// Notes that a program used a link, unless it did so after `since`.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn note_use(pool: &PgPool, token: &Hash, now: DateTime<Utc>, since: DateTime<Utc>) -> Result<(), StoreError> {
    sqlx::query!(
        "update player_links set used_at = $2 where token = $1 and (used_at is null or used_at < $3)",
        token.as_ref(),
        now,
        since
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Revokes a link of a match, and ends the sessions that it opened. Revoking it again changes nothing.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn revoke(
    pool: &PgPool,
    log_id: LogId,
    match_id: MatchId,
    token: &Hash,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let revoked = sqlx::query!(
        "update player_links set revoked_at = $4 \
         where log_id = $1 and match_id = $2 and token = $3 and revoked_at is null",
        log_id.0,
        match_id.0,
        token.as_ref(),
        now
    )
    .execute(pool)
    .await?;
    // Only for this match: a link of another one was not revoked. A crash here leaves cookies that open nothing.
    if revoked.rows_affected() > 0 {
        sqlx::query!("delete from player_sessions where link = $1", token.as_ref()).execute(pool).await?;
    }
    Ok(())
}
