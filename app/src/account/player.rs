//! Players: private links to a seat of a match, and the browsers that followed one.
//!
//! Whoever has the link sits in the seat, so the database holds the SHA-256 of links and cookies alone, and a link that
//! was revoked takes every browser that followed it along.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use engine::{BySeat, Seat};
use ledger::{MatchId, Moment};
use sqlx::PgPool;

use super::{AccountError, SESSION_DAYS, Token, days};
use crate::scope::Scope;
use crate::system::System;

/// A seat of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chair {
    /// The match.
    pub match_id: MatchId,
    /// The seat.
    pub seat: Seat,
}

/// A link as an umpire sees it: never what it opens with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its hash, 64 hex digits: a name to revoke it by.
    pub name: String,
    /// The seat.
    pub seat: Seat,
    /// When it was made.
    pub made: DateTime<Utc>,
    /// Whether a browser followed it.
    pub followed: bool,
}

/// Makes a link to a seat. Earlier ones stay good until they are revoked.
///
/// # Errors
/// The database.
pub async fn make_link(pool: &PgPool, system: &System, chair: Chair) -> Result<Token, AccountError> {
    let token = Token::fresh(system);
    make_link_once(pool, system, chair, &token).await?;
    Ok(token)
}

/// Makes a link to a seat with this token. The same token again makes no second link, and revives none.
///
/// # Errors
/// The database.
pub async fn make_link_once(pool: &PgPool, system: &System, chair: Chair, token: &Token) -> Result<(), AccountError> {
    sqlx::query!(
        "insert into player_links (token, log_id, match_id, seat, created_at) values ($1, $2, $3, $4, $5) \
         on conflict do nothing",
        token.hash(),
        Scope::of(chair.match_id).log_id().0,
        chair.match_id.0,
        chair.seat.word(),
        system.now().to_utc()
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// The links of a match that still open something, oldest first.
///
/// # Errors
/// The database.
pub async fn links(pool: &PgPool, match_id: MatchId) -> Result<Vec<Link>, AccountError> {
    let rows = sqlx::query!(
        "select token, seat, created_at, \
             exists (select from player_sessions where link = token) as \"followed!\" \
         from player_links where log_id = $1 and match_id = $2 and revoked_at is null order by created_at, token",
        Scope::of(match_id).log_id().0,
        match_id.0
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let link = |row: &[u8]| row.iter().map(|byte| format!("{byte:02x}")).collect();
    let links = rows.filter_map(|row| {
        let seat = row.seat.parse().ok()?;
        Some(Link { name: link(&row.token), seat, made: row.created_at, followed: row.followed })
    });
    Ok(links.collect())
}

/// Whether each seat of a match has a link, and so submits by itself.
///
/// # Errors
/// The database.
pub async fn by_themselves(pool: &PgPool, match_id: MatchId) -> Result<BySeat<bool>, AccountError> {
    let seats = sqlx::query_scalar!(
        "select distinct seat from player_links where log_id = $1 and match_id = $2 and revoked_at is null",
        Scope::of(match_id).log_id().0,
        match_id.0
    );
    let seats: BTreeMap<String, ()> = seats.fetch_all(pool).await?.into_iter().map(|seat| (seat, ())).collect();
    Ok(BySeat::from_fn(|seat| seats.contains_key(seat.word())))
}

/// Whether each seat of a match has a link that was made by a moment, and so submitted by itself then.
///
/// # Errors
/// The database.
pub async fn by_themselves_at(pool: &PgPool, match_id: MatchId, at: Moment) -> Result<BySeat<bool>, AccountError> {
    let seats = sqlx::query_scalar!(
        "select distinct seat from player_links \
         where log_id = $1 and match_id = $2 and revoked_at is null and created_at <= $3",
        Scope::of(match_id).log_id().0,
        match_id.0,
        at.to_utc()
    );
    let seats = seats.fetch_all(pool).await?;
    Ok(BySeat::from_fn(|seat| seats.iter().any(|linked| linked == seat.word())))
}

/// Revokes a link of a match by its name, and ends what it opened. Revoking it again changes nothing.
///
/// # Errors
/// The database.
pub async fn revoke(pool: &PgPool, system: &System, match_id: MatchId, name: &str) -> Result<(), AccountError> {
    let Ok(hash) = name.parse::<Token>() else { return Ok(()) };
    let revoked = sqlx::query!(
        "update player_links set revoked_at = $4 \
         where log_id = $1 and match_id = $2 and token = $3 and revoked_at is null",
        Scope::of(match_id).log_id().0,
        match_id.0,
        hash.0.as_slice(),
        system.now().to_utc()
    )
    .execute(pool)
    .await?;
    // Of this match alone: a link of another was not revoked. A crash here leaves cookies that open nothing.
    if revoked.rows_affected() > 0 {
        sqlx::query!("delete from player_sessions where link = $1", hash.0.as_slice()).execute(pool).await?;
    }
    Ok(())
}

/// The seat that a link leads to. Looking changes nothing.
///
/// # Errors
/// The link opens nothing, or the database.
pub async fn behind(pool: &PgPool, token: &Token) -> Result<Chair, AccountError> {
    let row =
        sqlx::query!("select match_id, seat from player_links where token = $1 and revoked_at is null", token.hash());
    let row = row.fetch_optional(pool).await?.ok_or(AccountError::Link)?;
    Ok(Chair { match_id: MatchId(row.match_id), seat: row.seat.parse().map_err(|_| AccountError::Link)? })
}

/// Follows a link: gives the token of this browser's cookie.
///
/// # Errors
/// The link opens nothing, or the database.
pub async fn follow(pool: &PgPool, system: &System, token: &Token) -> Result<(Chair, Token), AccountError> {
    let chair = behind(pool, token).await?;
    let (now, expires) = days(system, SESSION_DAYS);
    sqlx::query!("delete from player_sessions where expires_at <= $1", now).execute(pool).await?;
    let cookie = Token::fresh(system);
    sqlx::query!(
        "insert into player_sessions (cookie, link, created_at, expires_at) values ($1, $2, $3, $4)",
        cookie.hash(),
        token.hash(),
        now,
        expires
    )
    .execute(pool)
    .await?;
    Ok((chair, cookie))
}

/// The seat that each of these browsers' cookies sits in, in the order of the cookies; none for one that opens nothing.
///
/// # Errors
/// The database.
pub async fn of_cookies(pool: &PgPool, system: &System, cookies: &[Token]) -> Result<Vec<Option<Chair>>, AccountError> {
    let hashes: Vec<Vec<u8>> = cookies.iter().map(Token::hash).collect();
    // One by one, by the primary keys: the limit keeps the planner from joining whole tables that it knows little of.
    let rows = sqlx::query!(
        "select asked.cookie as \"cookie!\", chair.match_id, chair.seat \
         from unnest($1::bytea[]) as asked (cookie) cross join lateral (\
             select link.match_id, link.seat \
             from player_sessions as session join player_links as link on link.token = session.link \
             where session.cookie = asked.cookie and expires_at > $2 and revoked_at is null limit 1\
         ) as chair",
        &hashes,
        system.now().to_utc()
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let seated = rows
        .filter_map(|row| Some((row.cookie, Chair { match_id: MatchId(row.match_id), seat: row.seat.parse().ok()? })));
    let seated: HashMap<Vec<u8>, Chair> = seated.collect();
    Ok(hashes.iter().map(|hash| seated.get(hash).copied()).collect())
}
