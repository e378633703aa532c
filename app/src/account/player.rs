//! Players: private links to a seat of a match, and the browsers that followed one.
//!
//! The link gives access to the seat, so the database has only the SHA-256 of links and cookies. Revoking a link also
//! revokes the access of every browser that followed it.

use chrono::{DateTime, TimeDelta, Utc};
use engine::{BySeat, Seat};
use ledger::{Hash, MatchId, Moment};
use store::PgPool;
use store::accounts::player_links::{self, LinkedSeat, NewLink};
use store::accounts::player_sessions;

use super::{AccountError, SESSION_DAYS, Token, days, hash_named};
use crate::Scope;
use crate::system::System;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatRef {
    pub match_id: MatchId,
    pub seat: Seat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatAccess {
    pub seat_ref: SeatRef,
    /// The time when the link was made. Nothing that is older and still secret is shown through it.
    pub since: Moment,
    pub link: Option<u32>,
    pub used: bool,
}

/// A link as an umpire sees it: never the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub name: String,
    pub seat: Seat,
    pub made: DateTime<Utc>,
    pub followed: bool,
}

impl SeatAccess {
    pub(super) fn of(linked: &LinkedSeat) -> Option<Self> {
        Some(Self {
            seat_ref: SeatRef { match_id: linked.match_id, seat: linked.seat.parse().ok()? },
            since: Moment::from_micros(linked.made_at.timestamp_micros()).ok()?,
            used: linked.used,
            link: linked.number.and_then(|number| u32::try_from(number).ok()),
        })
    }
}

pub async fn make_link(pool: &PgPool, system: &System, seat_ref: SeatRef) -> Result<Token, AccountError> {
    let token = Token::fresh(system);
    store_link(pool, system, seat_ref, None, &token).await?;
    Ok(token)
}

/// Stores a link to a seat, with its number in the record. The same token again makes no second link, and revives no
/// revoked one.
pub(crate) async fn store_link(
    pool: &PgPool,
    system: &System,
    SeatRef { match_id, seat }: SeatRef,
    number: Option<u32>,
    token: &Token,
) -> Result<(), AccountError> {
    let new = NewLink {
        token: &token.hash(),
        log_id: Scope::of(match_id).log_id(),
        match_id,
        seat: seat.word(),
        number: number.and_then(|number| i32::try_from(number).ok()),
        now: system.now().to_utc(),
    };
    Ok(player_links::add(pool, new).await?)
}

pub async fn links(pool: &PgPool, match_id: MatchId) -> Result<Vec<Link>, AccountError> {
    let links = player_links::of_match(pool, Scope::of(match_id).log_id(), match_id).await?.into_iter();
    let links = links.filter_map(|link| {
        let seat = link.seat.parse().ok()?;
        Some(Link { name: link.name, seat, made: link.created_at, followed: link.followed })
    });
    Ok(links.collect())
}

pub async fn seats_with_links(pool: &PgPool, match_id: MatchId) -> Result<BySeat<bool>, AccountError> {
    Ok(each_seat(&player_links::seats(pool, Scope::of(match_id).log_id(), match_id).await?))
}

#[derive(Clone, Copy, Debug)]
pub struct LinksAt {
    pub seats: BySeat<bool>,
    pub from_chat: bool,
}

pub async fn links_at(pool: &PgPool, match_id: MatchId, at: Moment) -> Result<LinksAt, AccountError> {
    let links = player_links::links_at(pool, Scope::of(match_id).log_id(), match_id, at.to_utc()).await?;
    Ok(LinksAt { seats: each_seat(&links.seats), from_chat: links.from_chat })
}

fn each_seat(words: &[String]) -> BySeat<bool> {
    BySeat::from_fn(|seat| words.iter().any(|word| word == seat.word()))
}

/// Revokes a link of a match by its name, with the access of the browsers that followed it. Revoking it again changes
/// nothing.
pub async fn revoke(pool: &PgPool, system: &System, match_id: MatchId, name: &str) -> Result<(), AccountError> {
    let Some(token) = hash_named(name) else { return Ok(()) };
    Ok(player_links::revoke(pool, Scope::of(match_id).log_id(), match_id, &token, system.now().to_utc()).await?)
}

/// The access that a link gives. This does not use the link up.
pub async fn access_of_link(pool: &PgPool, token: &Token) -> Result<SeatAccess, AccountError> {
    let linked = player_links::seat(pool, &token.hash()).await?;
    linked.as_ref().and_then(SeatAccess::of).ok_or(AccountError::Link)
}

pub async fn follow(pool: &PgPool, system: &System, token: &Token) -> Result<(SeatRef, Token), AccountError> {
    follow_among(pool, system, token, i64::MAX).await?.ok_or(AccountError::Link)
}

pub(crate) async fn follow_among(
    pool: &PgPool,
    system: &System,
    token: &Token,
    most: i64,
) -> Result<Option<(SeatRef, Token)>, AccountError> {
    let SeatAccess { seat_ref, .. } = access_of_link(pool, token).await?;
    let (now, expires) = days(system, SESSION_DAYS);
    let cookie = Token::fresh(system);
    let added = player_sessions::add(pool, &cookie.hash(), &token.hash(), (now, expires), most).await?;
    Ok(added.then_some((seat_ref, cookie)))
}

/// The access of these cookies, in their order; none for a cookie that is not valid.
pub async fn of_cookies(
    pool: &PgPool,
    system: &System,
    cookies: &[Token],
) -> Result<Vec<Option<SeatAccess>>, AccountError> {
    let hashes: Vec<Hash> = cookies.iter().map(Token::hash).collect();
    let seats = player_sessions::seats(pool, &hashes, system.now().to_utc()).await?.into_iter();
    Ok(seats.map(|linked| SeatAccess::of(&linked?)).collect())
}

pub(crate) async fn note_program(pool: &PgPool, system: &System, token: &Token) -> Result<(), AccountError> {
    let now = system.now().to_utc();
    Ok(player_links::note_use(pool, &token.hash(), now, now - TimeDelta::minutes(1)).await?)
}
