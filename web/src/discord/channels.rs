//! The channels that follow a match, and the progress of each.

use std::fmt;
use std::time::Duration;

use app::account::Snowflake;
use app::keys::EscrowError;
use app::{App, LOG};
use ledger::{MatchId, Seq};
use thiserror::Error;
use uuid::Uuid;

/// The webhook that posts in a channel. Anybody with its token can post as it, so the token is never shown.
#[derive(Clone)]
pub(super) struct Webhook {
    pub(super) id: Snowflake,
    pub(super) token: String,
    /// The channel in which it was created.
    pub(super) parent: Snowflake,
}

/// A channel, and the match that it follows.
#[derive(Clone, Debug)]
pub(super) struct Followed {
    pub(super) channel: Snowflake,
    pub(super) match_id: MatchId,
    /// The address of this site.
    pub(super) site: String,
    /// The first entry that was not posted.
    pub(super) next: Seq,
    /// The reason why posting stopped.
    pub(super) failure: Option<String>,
}

/// The reason why a channel cannot be found or followed.
#[derive(Debug, Error)]
pub(super) enum ChannelError {
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// The stored token cannot be decrypted.
    #[error(transparent)]
    Escrow(#[from] EscrowError),
    /// The stored row was not written by this program.
    #[error("what is kept of this channel cannot be read")]
    Unreadable,
}

impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Webhook({}, ..)", self.id)
    }
}

/// The associated data that binds an encrypted token to its webhook.
fn place(id: Snowflake) -> String {
    format!("discord/webhook/{id}")
}

fn seq(number: i32) -> Seq {
    Seq(u32::try_from(number).unwrap_or_default())
}

fn number(seq: Seq) -> i32 {
    i32::try_from(seq.0).unwrap_or(i32::MAX)
}

fn id(number: i64) -> Result<Snowflake, ChannelError> {
    Snowflake::try_from(number).map_err(|_| ChannelError::Unreadable)
}

/// The match that a channel follows.
pub(super) async fn of(app: &App, channel: Snowflake) -> Result<Option<MatchId>, ChannelError> {
    let found = sqlx::query_scalar!(
        "select match_id from discord_channels where channel_id = $1 and log_id = $2",
        channel.number(),
        LOG.0
    );
    Ok(found.fetch_optional(app.pool()).await?.map(MatchId))
}

/// Every channel, or those of one match.
pub(super) async fn all(app: &App, of: Option<MatchId>) -> Result<Vec<Followed>, ChannelError> {
    let rows = sqlx::query!(
        "select channel_id, match_id, site, next_seq, failure from discord_channels \
         where log_id = $1 and ($2::uuid is null or match_id = $2) order by channel_id",
        LOG.0,
        of.map(|of| of.0)
    );
    let rows = rows.fetch_all(app.pool()).await?.into_iter().map(|row| {
        Ok(Followed {
            channel: id(row.channel_id)?,
            match_id: MatchId(row.match_id),
            site: row.site,
            next: seq(row.next_seq),
            failure: row.failure,
        })
    });
    rows.collect()
}

/// An existing webhook of this channel or of one of its threads.
pub(super) async fn webhook_in(app: &App, parent: Snowflake) -> Result<Option<Webhook>, ChannelError> {
    let found = sqlx::query!(
        "select webhook_id, webhook_token from discord_channels where webhook_parent = $1 and failure is null limit 1",
        parent.number()
    );
    let Some(row) = found.fetch_optional(app.pool()).await? else { return Ok(None) };
    Ok(Some(opened(app, row.webhook_id, parent, &row.webhook_token)?))
}

/// The webhook that posts in a channel.
pub(super) async fn webhook_of(app: &App, channel: Snowflake) -> Result<Option<Webhook>, ChannelError> {
    let found = sqlx::query!(
        "select webhook_id, webhook_parent, webhook_token from discord_channels where channel_id = $1",
        channel.number()
    );
    let Some(row) = found.fetch_optional(app.pool()).await? else { return Ok(None) };
    Ok(Some(opened(app, row.webhook_id, id(row.webhook_parent)?, &row.webhook_token)?))
}

fn opened(app: &App, number: i64, parent: Snowflake, locked: &[u8]) -> Result<Webhook, ChannelError> {
    let webhook = id(number)?;
    let token = app.vault.unlock_text(&place(webhook), locked)?;
    Ok(Webhook { id: webhook, token, parent })
}

/// Makes a channel follow a match from an entry on, instead of its previous one.
pub(super) async fn follow(
    app: &App,
    followed: &Followed,
    webhook: &Webhook,
    umpire: &str,
) -> Result<(), ChannelError> {
    let token = app.vault.lock_text(&place(webhook.id), &webhook.token)?;
    sqlx::query!(
        "insert into discord_channels (channel_id, log_id, match_id, site, webhook_id, webhook_parent, webhook_token, \
             next_seq, linked_by, linked_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
         on conflict (channel_id) do update set match_id = excluded.match_id, site = excluded.site, \
             webhook_id = excluded.webhook_id, webhook_parent = excluded.webhook_parent, \
             webhook_token = excluded.webhook_token, next_seq = excluded.next_seq, linked_by = excluded.linked_by, \
             linked_at = excluded.linked_at, failure = null",
        followed.channel.number(),
        LOG.0,
        followed.match_id.0,
        followed.site,
        webhook.id.number(),
        webhook.parent.number(),
        token,
        number(followed.next),
        umpire,
        app.system().now().to_utc()
    )
    .execute(app.pool())
    .await?;
    Ok(())
}

/// Stops following; true if the channel followed a match.
pub(super) async fn leave(app: &App, channel: Snowflake) -> Result<bool, ChannelError> {
    let left = sqlx::query!("delete from discord_channels where channel_id = $1", channel.number());
    Ok(left.execute(app.pool()).await?.rows_affected() > 0)
}

/// Takes or renews the lease of a channel for this time; true if this node has it. It uses the database's clock, which
/// is the same for all nodes.
pub(super) async fn lease(app: &App, channel: Snowflake, node: Uuid, time: Duration) -> Result<bool, ChannelError> {
    let leased = sqlx::query!(
        "update discord_channels set leased_by = $2, leased_until = now() + make_interval(secs => $3) \
         where channel_id = $1 and (leased_by = $2 or leased_until is null or leased_until <= now())",
        channel.number(),
        node,
        time.as_secs_f64()
    );
    Ok(leased.execute(app.pool()).await?.rows_affected() > 0)
}

/// Notes that everything before an entry was posted, unless another node has moved on meanwhile.
pub(super) async fn posted(app: &App, followed: &Followed, next: Seq) -> Result<bool, ChannelError> {
    let moved = sqlx::query!(
        "update discord_channels set next_seq = $4 where channel_id = $1 and match_id = $2 and next_seq = $3",
        followed.channel.number(),
        followed.match_id.0,
        number(followed.next),
        number(next)
    );
    Ok(moved.execute(app.pool()).await?.rows_affected() > 0)
}

/// Notes the reason why posting in a channel stopped.
pub(super) async fn failed(app: &App, followed: &Followed, why: &str) -> Result<(), ChannelError> {
    sqlx::query!(
        "update discord_channels set failure = $3 where channel_id = $1 and match_id = $2",
        followed.channel.number(),
        followed.match_id.0,
        why
    )
    .execute(app.pool())
    .await?;
    Ok(())
}
