//! The channels that follow a match, and the progress of each.

use std::time::Duration;

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId, Seq};
use sqlx::PgPool;
use uuid::Uuid;

use crate::StoreError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowingChannel {
    pub channel_id: i64,
    pub match_id: MatchId,
    pub site: String,
    pub next: Seq,
    pub failure: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelWebhook {
    pub id: i64,
    pub parent: i64,
    pub token: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
pub struct LinkedBy<'u> {
    pub umpire_id: &'u str,
    pub at: DateTime<Utc>,
}

fn seq(number: i32) -> Seq {
    Seq(u32::try_from(number).unwrap_or_default())
}

fn number(seq: Seq) -> i32 {
    i32::try_from(seq.0).unwrap_or(i32::MAX)
}

pub async fn followed_match(pool: &PgPool, log_id: LogId, channel_id: i64) -> Result<Option<MatchId>, StoreError> {
    let found = sqlx::query_scalar!(
        "select match_id from discord_channels where channel_id = $1 and log_id = $2",
        channel_id,
        log_id.0
    );
    Ok(found.fetch_optional(pool).await?.map(MatchId))
}

pub async fn following(
    pool: &PgPool,
    log_id: LogId,
    match_id: Option<MatchId>,
) -> Result<Vec<FollowingChannel>, StoreError> {
    let rows = sqlx::query!(
        "select channel_id, match_id, site, next_seq, failure from discord_channels \
         where log_id = $1 and ($2::uuid is null or match_id = $2) order by channel_id",
        log_id.0,
        match_id.map(|match_id| match_id.0)
    );
    let rows = rows.fetch_all(pool).await?.into_iter().map(|row| FollowingChannel {
        channel_id: row.channel_id,
        match_id: MatchId(row.match_id),
        site: row.site,
        next: seq(row.next_seq),
        failure: row.failure,
    });
    Ok(rows.collect())
}

pub async fn webhook_in(pool: &PgPool, parent: i64) -> Result<Option<ChannelWebhook>, StoreError> {
    let found = sqlx::query!(
        "select webhook_id, webhook_token from discord_channels where webhook_parent = $1 and failure is null limit 1",
        parent
    );
    let row = found.fetch_optional(pool).await?;
    Ok(row.map(|row| ChannelWebhook { id: row.webhook_id, parent, token: row.webhook_token }))
}

pub async fn webhook_of(pool: &PgPool, channel_id: i64) -> Result<Option<ChannelWebhook>, StoreError> {
    let found = sqlx::query!(
        "select webhook_id, webhook_parent, webhook_token from discord_channels where channel_id = $1",
        channel_id
    );
    let row = found.fetch_optional(pool).await?;
    Ok(row.map(|row| ChannelWebhook { id: row.webhook_id, parent: row.webhook_parent, token: row.webhook_token }))
}

pub async fn follow(
    pool: &PgPool,
    log_id: LogId,
    following: &FollowingChannel,
    webhook: &ChannelWebhook,
    by: LinkedBy<'_>,
) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "insert into discord_channels (channel_id, log_id, match_id, site, webhook_id, webhook_parent, webhook_token, \
             next_seq, linked_by, linked_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
         on conflict (channel_id) do update set match_id = excluded.match_id, site = excluded.site, \
             webhook_id = excluded.webhook_id, webhook_parent = excluded.webhook_parent, \
             webhook_token = excluded.webhook_token, next_seq = excluded.next_seq, linked_by = excluded.linked_by, \
             linked_at = excluded.linked_at, failure = null",
        following.channel_id,
        log_id.0,
        following.match_id.0,
        following.site,
        webhook.id,
        webhook.parent,
        webhook.token,
        number(following.next),
        by.umpire_id,
        by.at
    );
    Ok(query.execute(pool).await.map(drop)?)
}

pub async fn leave(pool: &PgPool, channel_id: i64) -> Result<bool, StoreError> {
    let left = sqlx::query!("delete from discord_channels where channel_id = $1", channel_id);
    Ok(left.execute(pool).await?.rows_affected() > 0)
}

/// Takes or renews the lease of a channel for this time; true if this node has it. It uses the database's clock, which
/// is the same for all nodes.
pub async fn lease(pool: &PgPool, channel_id: i64, node: Uuid, time: Duration) -> Result<bool, StoreError> {
    let leased = sqlx::query!(
        "update discord_channels set leased_by = $2, leased_until = now() + make_interval(secs => $3) \
         where channel_id = $1 and (leased_by = $2 or leased_until is null or leased_until <= now())",
        channel_id,
        node,
        time.as_secs_f64()
    );
    Ok(leased.execute(pool).await?.rows_affected() > 0)
}

/// Notes that everything before an entry was posted, unless another node has moved on since `channel` was read.
pub async fn note_posted(pool: &PgPool, channel: &FollowingChannel, next: Seq) -> Result<bool, StoreError> {
    let moved = sqlx::query!(
        "update discord_channels set next_seq = $4 where channel_id = $1 and match_id = $2 and next_seq = $3",
        channel.channel_id,
        channel.match_id.0,
        number(channel.next),
        number(next)
    );
    Ok(moved.execute(pool).await?.rows_affected() > 0)
}

pub async fn note_failure(pool: &PgPool, channel: &FollowingChannel, why: &str) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "update discord_channels set failure = $3 where channel_id = $1 and match_id = $2",
        channel.channel_id,
        channel.match_id.0,
        why
    );
    Ok(query.execute(pool).await.map(drop)?)
}
