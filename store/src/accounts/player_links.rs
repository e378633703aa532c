//! The private links to a seat of a match.

use chrono::{DateTime, Utc};
use ledger::{Hash, LogId, MatchId};
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row};

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

/// The seat of a match that a link, or what came of it, gives access to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedSeat {
    /// The match.
    pub match_id: MatchId,
    /// The word of the seat.
    pub seat: String,
    /// The link's number in the record, if entries name it.
    pub number: Option<i32>,
    /// The time when the link was made.
    pub made_at: DateTime<Utc>,
    /// True if a program has used the link.
    pub used: bool,
}

impl LinkedSeat {
    /// The columns of a link, for [`of`](Self::of).
    pub(super) const COLUMNS: &str =
        "link.match_id, link.seat, link.number, link.created_at, link.used_at is not null as used";

    pub(super) fn of(row: &PgRow) -> Result<Self, StoreError> {
        Ok(Self {
            match_id: MatchId(row.try_get("match_id")?),
            seat: row.try_get("seat")?,
            number: row.try_get("number")?,
            made_at: row.try_get("created_at")?,
            used: row.try_get("used")?,
        })
    }
}

/// A link to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewLink<'a> {
    /// The hash of its token.
    pub token: &'a Hash,
    /// The match's log.
    pub log_id: LogId,
    /// The match.
    pub match_id: MatchId,
    /// The word of the seat.
    pub seat: &'a str,
    /// Its number in the record, if entries name it.
    pub number: Option<i32>,
    /// The time.
    pub now: DateTime<Utc>,
}

/// Stores a link to a seat. The same token again stores nothing, and revives no revoked link.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn add(pool: &PgPool, new: NewLink<'_>) -> Result<(), StoreError> {
    sqlx::query(
        "insert into player_links (token, log_id, match_id, seat, number, created_at) values ($1, $2, $3, $4, $5, $6) \
         on conflict do nothing",
    )
    .bind(new.token.as_ref())
    .bind(new.log_id.0)
    .bind(new.match_id.0)
    .bind(new.seat)
    .bind(new.number)
    .bind(new.now)
    .execute(pool)
    .await?;
    Ok(())
}

/// True if there is a link with this token, revoked or not.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn exists(pool: &PgPool, token: &Hash) -> Result<bool, StoreError> {
    let found = sqlx::query_scalar("select exists (select from player_links where token = $1)").bind(token.as_ref());
    Ok(found.fetch_one(pool).await?)
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

/// The valid links of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinksAt {
    /// The words of the seats that have a link made by that time.
    pub seats: Vec<String>,
    /// True if an account at Discord holds a link, whenever it was made.
    pub from_chat: bool,
}

/// The valid links of a match at a time.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn links_at(
    pool: &PgPool,
    log_id: LogId,
    match_id: MatchId,
    at: DateTime<Utc>,
) -> Result<LinksAt, StoreError> {
    let found: (Vec<String>, bool) = sqlx::query_as(
        "select coalesce(array_agg(distinct seat) filter (where created_at <= $3), '{}'), \
             coalesce(bool_or(exists (select from discord_seats as chat \
                 where chat.log_id = $1 and chat.match_id = $2 and chat.link = link.token)), false) \
         from player_links as link where log_id = $1 and match_id = $2 and revoked_at is null",
    )
    .bind(log_id.0)
    .bind(match_id.0)
    .bind(at)
    .fetch_one(pool)
    .await?;
    Ok(LinksAt { seats: found.0, from_chat: found.1 })
}

/// The seat that a valid link opens.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn seat(pool: &PgPool, token: &Hash) -> Result<Option<LinkedSeat>, StoreError> {
    let columns = LinkedSeat::COLUMNS;
    let query = format!("select {columns} from player_links as link where token = $1 and revoked_at is null");
    let row = sqlx::query(sqlx::AssertSqlSafe(query)).bind(token.as_ref()).fetch_optional(pool).await?;
    row.as_ref().map(LinkedSeat::of).transpose()
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
