//! The channels that follow a match, and the webhook that posts in each.

use std::fmt;
use std::time::Duration;

use ledger::{MatchId, Seq};
use store::PgPool;
use store::StoreError;
use store::discord::channels::{self, ChannelWebhook, FollowingChannel, LinkedBy};
use thiserror::Error;
use uuid::Uuid;

use crate::account::Snowflake;
use crate::keys::EscrowError;
use crate::{App, LOG};

/// The webhook that posts in a channel. Anybody with its token can post as it, so the token is never shown.
#[derive(Clone)]
pub struct Webhook {
    pub id: Snowflake,
    pub token: String,
    pub parent: Snowflake,
}

#[derive(Clone, Debug)]
pub struct Channel {
    pub id: Snowflake,
    pub match_id: MatchId,
    pub site: String,
    pub next: Seq,
    pub failure: Option<String>,
}

#[derive(Debug, Error)]
pub enum ChannelError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Escrow(#[from] EscrowError),
    #[error("what is kept of this channel cannot be read")]
    Unreadable,
}

impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Webhook({}, ..)", self.id)
    }
}

impl Channel {
    fn read(row: FollowingChannel) -> Result<Self, ChannelError> {
        let FollowingChannel { channel_id, match_id, site, next, failure } = row;
        Ok(Self { id: id(channel_id)?, match_id, site, next, failure })
    }

    fn row(&self) -> FollowingChannel {
        let Self { id, match_id, site, next, failure } = self.clone();
        FollowingChannel { channel_id: id.number(), match_id, site, next, failure }
    }
}

/// The associated data that binds an encrypted token to its webhook.
fn place(id: Snowflake) -> String {
    format!("discord/webhook/{id}")
}

fn id(number: i64) -> Result<Snowflake, ChannelError> {
    Snowflake::try_from(number).map_err(|_| ChannelError::Unreadable)
}

pub async fn followed_match(pool: &PgPool, channel: Snowflake) -> Result<Option<MatchId>, ChannelError> {
    Ok(channels::followed_match(pool, LOG, channel.number()).await?)
}

pub async fn following(pool: &PgPool, match_id: Option<MatchId>) -> Result<Vec<Channel>, ChannelError> {
    channels::following(pool, LOG, match_id).await?.into_iter().map(Channel::read).collect()
}

pub async fn webhook_in(app: &App, parent: Snowflake) -> Result<Option<Webhook>, ChannelError> {
    let row = channels::webhook_in(app.pool(), parent.number()).await?;
    row.map(|row| unlocked(app, &row)).transpose()
}

pub(super) async fn webhook_of(app: &App, channel: Snowflake) -> Result<Option<Webhook>, ChannelError> {
    let row = channels::webhook_of(app.pool(), channel.number()).await?;
    row.map(|row| unlocked(app, &row)).transpose()
}

fn unlocked(app: &App, row: &ChannelWebhook) -> Result<Webhook, ChannelError> {
    let (webhook, parent) = (id(row.id)?, id(row.parent)?);
    let token = app.vault.unlock_text(&place(webhook), &row.token)?;
    Ok(Webhook { id: webhook, token, parent })
}

pub async fn follow(app: &App, channel: &Channel, webhook: &Webhook, umpire_id: &str) -> Result<(), ChannelError> {
    let token = app.vault.lock_text(&place(webhook.id), &webhook.token)?;
    let webhook = ChannelWebhook { id: webhook.id.number(), parent: webhook.parent.number(), token };
    let by = LinkedBy { umpire_id, at: app.system().now().to_utc() };
    Ok(channels::follow(app.pool(), LOG, &channel.row(), &webhook, by).await?)
}

pub async fn leave(pool: &PgPool, channel: Snowflake) -> Result<bool, ChannelError> {
    Ok(channels::leave(pool, channel.number()).await?)
}

pub(super) async fn lease(pool: &PgPool, channel: Snowflake, node: Uuid, time: Duration) -> Result<bool, ChannelError> {
    Ok(channels::lease(pool, channel.number(), node, time).await?)
}

/// Notes that everything before an entry was posted, unless another node has moved on meanwhile.
pub(super) async fn note_posted(pool: &PgPool, channel: &Channel, next: Seq) -> Result<bool, ChannelError> {
    Ok(channels::note_posted(pool, &channel.row(), next).await?)
}

pub(super) async fn note_failure(pool: &PgPool, channel: &Channel, why: &str) -> Result<(), ChannelError> {
    Ok(channels::note_failure(pool, &channel.row(), why).await?)
}
