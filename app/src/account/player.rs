//! Players: private links to a seat of a match, and the browsers that followed one.
//!
//! The link gives access to the seat, so the database has only the SHA-256 of links and cookies. Revoking a link also
//! revokes the access of every browser that followed it.

use chrono::{DateTime, Utc};
use engine::{BySeat, Seat};
use ledger::{Hash, MatchId, Moment};
use store::PgPool;
use store::accounts::player_links::{self, LinkedSeat};
use store::accounts::player_sessions;

use super::{AccountError, SESSION_DAYS, Token, days, hash_named};
use crate::Scope;
use crate::system::System;

/// A seat of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatRef {
    /// The match.
    pub match_id: MatchId,
    /// The seat.
    pub seat: Seat,
}

/// A link as an umpire sees it: never the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its hash, 64 hex digits: a name to revoke it by.
    pub name: String,
    /// The seat.
    pub seat: Seat,
    /// The time when it was made.
    pub made: DateTime<Utc>,
    /// True if a browser followed it.
    pub followed: bool,
}

impl SeatRef {
    /// A seat in a row; none if its word is unknown.
    pub(super) fn of(linked: &LinkedSeat) -> Option<Self> {
        Some(Self { match_id: linked.match_id, seat: linked.seat.parse().ok()? })
    }
}

/// Makes a link to a seat. Earlier ones stay valid until they are revoked.
///
/// # Errors
/// The database.
pub async fn make_link(pool: &PgPool, system: &System, seat_ref: SeatRef) -> Result<Token, AccountError> {
    let token = Token::fresh(system);
    make_link_once(pool, system, seat_ref, &token).await?;
    Ok(token)
}

/// Makes a link to a seat with this token. The same token again makes no second link, and revives no revoked one.
///
/// # Errors
/// The database.
pub async fn make_link_once(
    pool: &PgPool,
    system: &System,
    seat_ref: SeatRef,
    token: &Token,
) -> Result<(), AccountError> {
    let linked = LinkedSeat { match_id: seat_ref.match_id, seat: seat_ref.seat.word().to_owned() };
    let now = system.now().to_utc();
    Ok(player_links::add(pool, &token.hash(), Scope::of(seat_ref.match_id).log_id(), &linked, now).await?)
}

/// The valid links of a match, oldest first.
///
/// # Errors
/// The database.
pub async fn links(pool: &PgPool, match_id: MatchId) -> Result<Vec<Link>, AccountError> {
    let links = player_links::of_match(pool, Scope::of(match_id).log_id(), match_id).await?.into_iter();
    let links = links.filter_map(|link| {
        let seat = link.seat.parse().ok()?;
        Some(Link { name: link.name, seat, made: link.created_at, followed: link.followed })
    });
    Ok(links.collect())
}

/// For each seat of a match: true if it has a link, and so submits by itself.
///
/// # Errors
/// The database.
pub async fn seats_with_links(pool: &PgPool, match_id: MatchId) -> Result<BySeat<bool>, AccountError> {
    Ok(each_seat(&player_links::seats(pool, Scope::of(match_id).log_id(), match_id).await?))
}

/// For each seat of a match: true if it had a link at a moment, and so submitted by itself then.
///
/// # Errors
/// The database.
pub async fn seats_with_links_at(pool: &PgPool, match_id: MatchId, at: Moment) -> Result<BySeat<bool>, AccountError> {
    Ok(each_seat(&player_links::seats_at(pool, Scope::of(match_id).log_id(), match_id, at.to_utc()).await?))
}

/// For each seat: true if its word is among these.
fn each_seat(words: &[String]) -> BySeat<bool> {
    BySeat::from_fn(|seat| words.iter().any(|word| word == seat.word()))
}

/// Revokes a link of a match by its name, with the access of the browsers that followed it. Revoking it again changes
/// nothing.
///
/// # Errors
/// The database.
pub async fn revoke(pool: &PgPool, system: &System, match_id: MatchId, name: &str) -> Result<(), AccountError> {
    let Some(token) = hash_named(name) else { return Ok(()) };
    Ok(player_links::revoke(pool, Scope::of(match_id).log_id(), match_id, &token, system.now().to_utc()).await?)
}

/// The seat of a link. This does not use the link up.
///
/// # Errors
/// The link is not valid, or the database.
pub async fn seat_of_link(pool: &PgPool, token: &Token) -> Result<SeatRef, AccountError> {
    let linked = player_links::seat(pool, &token.hash()).await?;
    linked.as_ref().and_then(SeatRef::of).ok_or(AccountError::Link)
}

/// Follows a link, and returns the token for this browser's cookie.
///
/// # Errors
/// The link is not valid, or the database.
pub async fn follow(pool: &PgPool, system: &System, token: &Token) -> Result<(SeatRef, Token), AccountError> {
    let seat_ref = seat_of_link(pool, token).await?;
    let (now, expires) = days(system, SESSION_DAYS);
    let cookie = Token::fresh(system);
    player_sessions::add(pool, &cookie.hash(), &token.hash(), now, expires).await?;
    Ok((seat_ref, cookie))
}

/// The seats of these cookies, in their order; none for a cookie that is not valid.
///
/// # Errors
/// The database.
pub async fn of_cookies(
    pool: &PgPool,
    system: &System,
    cookies: &[Token],
) -> Result<Vec<Option<SeatRef>>, AccountError> {
    let hashes: Vec<Hash> = cookies.iter().map(Token::hash).collect();
    let seats = player_sessions::seats(pool, &hashes, system.now().to_utc()).await?.into_iter();
    Ok(seats.map(|linked| SeatRef::of(&linked?)).collect())
}
