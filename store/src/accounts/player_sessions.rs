//! The browsers that followed a private link.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use ledger::{Hash, MatchId};
use sqlx::PgPool;

use super::player_links::LinkedSeat;
use crate::StoreError;

/// Stores the session of a browser that followed a link, and deletes those that have ended by themselves.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn add(
    pool: &PgPool,
    cookie: &Hash,
    link: &Hash,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query!("delete from player_sessions where expires_at <= $1", now).execute(pool).await?;
    sqlx::query!(
        "insert into player_sessions (cookie, link, created_at, expires_at) values ($1, $2, $3, $4)",
        cookie.as_ref(),
        link.as_ref(),
        now,
        expires_at
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// The seat that each of these cookies opens, in their order; none for a cookie that opens nothing.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn seats(pool: &PgPool, cookies: &[Hash], now: DateTime<Utc>) -> Result<Vec<Option<LinkedSeat>>, StoreError> {
    let hashes: Vec<Vec<u8>> = cookies.iter().map(|cookie| cookie.bytes().to_vec()).collect();
    // One by one, by the primary keys: the limit keeps the planner from joining whole tables that it knows little of.
    let rows = sqlx::query!(
        "select asked.cookie as \"cookie!\", chair.match_id, chair.seat \
         from unnest($1::bytea[]) as asked (cookie) cross join lateral (\
             select link.match_id, link.seat \
             from player_sessions as session join player_links as link on link.token = session.link \
             where session.cookie = asked.cookie and expires_at > $2 and revoked_at is null limit 1\
         ) as chair",
        &hashes,
        now
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let seats: HashMap<Vec<u8>, LinkedSeat> =
        rows.map(|row| (row.cookie, LinkedSeat { match_id: MatchId(row.match_id), seat: row.seat })).collect();
    Ok(hashes.iter().map(|hash| seats.get(hash).cloned()).collect())
}
