//! The browsers that followed a private link.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use ledger::Hash;
use sqlx::{PgPool, Row};

use super::player_links::LinkedSeat;
use crate::{StoreError, transaction};

/// Stores the session of a browser that followed a link, and deletes those that have ended by themselves. False, and
/// nothing is stored, if `most` browsers follow the link already, also where several come at once.
pub async fn add(
    pool: &PgPool,
    cookie: &Hash,
    link: &Hash,
    (now, expires_at): (DateTime<Utc>, DateTime<Utc>),
    most: i64,
) -> Result<bool, StoreError> {
    sqlx::query!("delete from player_sessions where expires_at <= $1", now).execute(pool).await?;
    let mut transaction = transaction::begin(pool).await?;
    // Whoever comes at the same time waits here, and counts this one.
    sqlx::query("select from player_links where token = $1 for update")
        .bind(link.as_ref())
        .execute(&mut *transaction)
        .await?;
    let added = sqlx::query(
        "insert into player_sessions (cookie, link, created_at, expires_at) select $1, $2, $3, $4 \
         where (select count(*) from player_sessions where link = $2) < $5",
    );
    let added = added.bind(cookie.as_ref()).bind(link.as_ref()).bind(now).bind(expires_at).bind(most);
    let is_added = added.execute(&mut *transaction).await?.rows_affected() > 0;
    transaction.commit().await?;
    Ok(is_added)
}

/// The seat that each of these cookies opens, in their order; none for a cookie that opens nothing.
pub async fn seats(pool: &PgPool, cookies: &[Hash], now: DateTime<Utc>) -> Result<Vec<Option<LinkedSeat>>, StoreError> {
    let hashes: Vec<Vec<u8>> = cookies.iter().map(|cookie| cookie.bytes().to_vec()).collect();
    // One by one, by the primary keys: the limit keeps the planner from joining whole tables that it knows little of.
    let columns = LinkedSeat::COLUMNS;
    let query = format!(
        "select asked.cookie, chair.* from unnest($1::bytea[]) as asked (cookie) cross join lateral (\
             select {columns} \
             from player_sessions as session join player_links as link on link.token = session.link \
             where session.cookie = asked.cookie and expires_at > $2 and revoked_at is null limit 1\
         ) as chair",
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(query)).bind(&hashes).bind(now).fetch_all(pool).await?;
    let mut seats: HashMap<Vec<u8>, LinkedSeat> = HashMap::new();
    for row in &rows {
        seats.insert(row.try_get("cookie")?, LinkedSeat::of(row)?);
    }
    Ok(hashes.iter().map(|hash| seats.get(hash).cloned()).collect())
}

pub async fn note_refused_key(pool: &PgPool, cookie: &Hash, now: DateTime<Utc>) -> Result<bool, StoreError> {
    let noted = sqlx::query("update player_sessions set refused_at = $2 where cookie = $1 and refused_at is null");
    Ok(noted.bind(cookie.as_ref()).bind(now).execute(pool).await?.rows_affected() > 0)
}
