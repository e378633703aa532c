//! The private links to a seat of a match.

use chrono::{DateTime, Utc};
use ledger::{Hash, LogId, MatchId};
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row};

use crate::StoreError;

/// A link as an umpire sees it: never the token that opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerLink {
    pub name: String,
    pub seat: String,
    pub created_at: DateTime<Utc>,
    pub followed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedSeat {
    pub match_id: MatchId,
    pub seat: String,
    pub number: Option<i32>,
    pub made_at: DateTime<Utc>,
    pub used: bool,
}

impl LinkedSeat {
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

#[derive(Clone, Copy, Debug)]
pub struct NewLink<'a> {
    pub token: &'a Hash,
    pub log_id: LogId,
    pub match_id: MatchId,
    pub seat: &'a str,
    pub number: Option<i32>,
    pub now: DateTime<Utc>,
}

/// Stores a link to a seat. The same token again stores nothing, and revives no revoked link.
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

pub async fn exists(pool: &PgPool, token: &Hash) -> Result<bool, StoreError> {
    let found = sqlx::query_scalar("select exists (select from player_links where token = $1)").bind(token.as_ref());
    Ok(found.fetch_one(pool).await?)
}

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

pub async fn seats(pool: &PgPool, log_id: LogId, match_id: MatchId) -> Result<Vec<String>, StoreError> {
    let seats = sqlx::query_scalar!(
        "select distinct seat from player_links where log_id = $1 and match_id = $2 and revoked_at is null",
        log_id.0,
        match_id.0
    );
    Ok(seats.fetch_all(pool).await?)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinksAt {
    pub seats: Vec<String>,
    /// True if an account at Discord holds a link, whenever it was made.
    pub from_chat: bool,
}

pub async fn links_at(
    pool: &PgPool,
    log_id: LogId,
    match_id: MatchId,
    at: DateTime<Utc>,
) -> Result<LinksAt, StoreError> {
    let query = sqlx::query_as(
        "select coalesce(array_agg(distinct seat) filter (where created_at <= $3), '{}'), \
             coalesce(bool_or(exists (select from discord_seats as chat \
                 where chat.log_id = $1 and chat.match_id = $2 and chat.link = link.token)), false) \
         from player_links as link where log_id = $1 and match_id = $2 and revoked_at is null",
    );
    let found: (Vec<String>, bool) = query.bind(log_id.0).bind(match_id.0).bind(at).fetch_one(pool).await?;
    Ok(LinksAt { seats: found.0, from_chat: found.1 })
}

pub async fn seat(pool: &PgPool, token: &Hash) -> Result<Option<LinkedSeat>, StoreError> {
    let columns = LinkedSeat::COLUMNS;
    let query = format!("select {columns} from player_links as link where token = $1 and revoked_at is null");
    let row = sqlx::query(sqlx::AssertSqlSafe(query)).bind(token.as_ref()).fetch_optional(pool).await?;
    row.as_ref().map(LinkedSeat::of).transpose()
}

pub async fn note_use(pool: &PgPool, token: &Hash, now: DateTime<Utc>, since: DateTime<Utc>) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "update player_links set used_at = $2 where token = $1 and (used_at is null or used_at < $3)",
        token.as_ref(),
        now,
        since
    );
    Ok(query.execute(pool).await.map(drop)?)
}

/// Revokes a link of a match, and ends the sessions that it opened. Revoking it again changes nothing.
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
