//! The seats that accounts at Discord hold by a private link, by Discord's number of the user.

use chrono::{DateTime, Utc};
use ledger::{Hash, LogId, MatchId};
use sqlx::PgPool;

use super::player_links::LinkedSeat;
use crate::StoreError;

pub async fn take(
    pool: &PgPool,
    user_id: i64,
    log_id: LogId,
    match_id: MatchId,
    link: &Hash,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "insert into discord_seats (user_id, log_id, match_id, link, linked_at) values ($1, $2, $3, $4, $5) \
         on conflict (user_id, log_id, match_id) do update set link = excluded.link, linked_at = excluded.linked_at",
        user_id,
        log_id.0,
        match_id.0,
        link.as_ref(),
        now
    );
    Ok(query.execute(pool).await.map(drop)?)
}

pub async fn in_running_matches(pool: &PgPool, user_id: i64, log_id: LogId) -> Result<Vec<LinkedSeat>, StoreError> {
    let columns = LinkedSeat::COLUMNS;
    let query = format!(
        "select {columns} \
         from discord_seats as chat join player_links as link on link.token = chat.link \
         join archive on archive.log_id = chat.log_id and archive.match_id = chat.match_id \
         where chat.user_id = $1 and chat.log_id = $2 and link.revoked_at is null and archive.result = '*' \
         order by chat.linked_at desc, chat.match_id",
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(query)).bind(user_id).bind(log_id.0).fetch_all(pool).await?;
    rows.iter().map(LinkedSeat::of).collect()
}

pub async fn access(
    pool: &PgPool,
    user_id: i64,
    log_id: LogId,
    match_id: MatchId,
) -> Result<Option<LinkedSeat>, StoreError> {
    let columns = LinkedSeat::COLUMNS;
    let query = format!(
        "select {columns} \
         from discord_seats as chat join player_links as link on link.token = chat.link \
         where chat.user_id = $1 and chat.log_id = $2 and chat.match_id = $3 and link.revoked_at is null",
    );
    let row = sqlx::query(sqlx::AssertSqlSafe(query)).bind(user_id).bind(log_id.0).bind(match_id.0);
    row.fetch_optional(pool).await?.as_ref().map(LinkedSeat::of).transpose()
}

pub async fn in_match(
    pool: &PgPool,
    user_id: i64,
    log_id: LogId,
    match_id: MatchId,
) -> Result<Option<String>, StoreError> {
    let seat = sqlx::query_scalar!(
        "select link.seat from discord_seats as chat join player_links as link on link.token = chat.link \
         where chat.user_id = $1 and chat.log_id = $2 and chat.match_id = $3 and link.revoked_at is null",
        user_id,
        log_id.0,
        match_id.0
    );
    Ok(seat.fetch_optional(pool).await?)
}

pub async fn any_in(pool: &PgPool, log_id: LogId, match_id: MatchId) -> Result<bool, StoreError> {
    let any = sqlx::query_scalar!(
        "select exists (\
             select from discord_seats as chat join player_links as link on link.token = chat.link \
             where chat.log_id = $1 and chat.match_id = $2 and link.revoked_at is null\
         ) as \"any!\"",
        log_id.0,
        match_id.0
    );
    Ok(any.fetch_one(pool).await?)
}
