//! Posting in the channels that follow a match: in order, by one node at a time, until Discord has accepted it.
//!
//! The only queue is the number of the first entry that was not posted. A crash after Discord accepted a post and
//! before that number was stored posts it once more, with the same entry and hash.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use http::Method;
use ledger::{Head, MatchId};
use thiserror::Error;
use tokio::sync::RwLock;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::channels::{self, ChannelError};
use super::message::Message;
use super::picture_file::picture_file;
use super::post::{Line, Post, Span};
use super::rest::{Body, Rest, RestError};
use crate::account::Snowflake;
use crate::{App, AppError};

const INTERVAL: Duration = Duration::from_millis(500);
/// The lease of a channel for one node, beyond the time that it waits.
const LEASE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_secs(2);

#[derive(Debug, Error)]
enum Failure {
    #[error(transparent)]
    Channel(#[from] ChannelError),
    #[error(transparent)]
    App(#[from] AppError),
}

struct FinishedChannel {
    channel: Snowflake,
    posted: Option<(MatchId, Head)>,
}

#[derive(Debug)]
struct Client {
    rest: Rest,
    global_limit: RwLock<()>,
}

pub async fn post(app: Arc<App>, rest: Rest) {
    let client = Arc::new(Client { rest, global_limit: RwLock::default() });
    let node = app.system().uuid();
    let (mut posting, mut busy, mut posted) = (JoinSet::new(), HashSet::new(), HashMap::new());
    loop {
        tokio::select! {
            Some(done) = posting.join_next() => {
                if let Ok(FinishedChannel { channel, posted: now }) = done {
                    busy.remove(&channel);
                    posted.extend(now.map(|now| (channel, now)));
                }
                continue;
            }
            () = tokio::time::sleep(INTERVAL) => {}
        }
        let due = match due(&app, &posted).await {
            Ok(due) => due,
            Err(error) => {
                tracing::warn!(%error, "the channels that follow matches could not be looked through; it is tried again");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        for channel in due.into_iter().filter(|channel| busy.insert(*channel)) {
            posting.spawn(post_all(app.clone(), client.clone(), channel, node));
        }
    }
}

async fn due(app: &App, posted: &HashMap<Snowflake, (MatchId, Head)>) -> Result<Vec<Snowflake>, Failure> {
    let followed = channels::following(app.pool(), None).await?;
    if followed.is_empty() {
        return Ok(Vec::new());
    }
    let matches: Vec<MatchId> = followed.iter().map(|followed| followed.match_id).collect();
    let heads = app.logs.record().match_heads(&matches).await.map_err(AppError::from)?;
    let due = followed.iter().filter(|followed| {
        let head = heads.get(&followed.match_id);
        let news = head.is_some_and(|head| {
            head.next > followed.next && posted.get(&followed.id) != Some(&(followed.match_id, *head))
        });
        news && followed.failure.is_none()
    });
    Ok(due.map(|followed| followed.id).collect())
}

async fn post_all(app: Arc<App>, client: Arc<Client>, channel: Snowflake, node: Uuid) -> FinishedChannel {
    let mut failures = 0;
    loop {
        match post_next(&app, &client, channel, node).await {
            Ok(Outcome::Posted { pause }) => {
                failures = 0;
                wait(&app, channel, node, pause).await;
            }
            Ok(Outcome::Again(error)) => {
                let Some(after) = error.again_after(failures) else { return FinishedChannel { channel, posted: None } };
                tracing::warn!(%channel, %error, "a post waits");
                failures = failures.saturating_add(1);
                if let RestError::Limited { global: true, .. } = error {
                    let _everybody = client.global_limit.write().await;
                    wait(&app, channel, node, after).await;
                } else {
                    wait(&app, channel, node, after).await;
                }
            }
            Ok(Outcome::Nothing(posted)) => return FinishedChannel { channel, posted },
            Err(error) => {
                tracing::warn!(%channel, %error, "a channel could not be told; it is tried again");
                tokio::time::sleep(PAUSE).await;
                return FinishedChannel { channel, posted: None };
            }
        }
    }
}

async fn wait(app: &App, channel: Snowflake, node: Uuid, time: Duration) {
    if !time.is_zero() {
        // If the lease cannot be renewed, another node takes over, and this one notices.
        let _ = channels::lease(app.pool(), channel, node, time + LEASE).await;
        tokio::time::sleep(time).await;
    }
}

enum Outcome {
    Posted { pause: Duration },
    Again(RestError),
    Nothing(Option<(MatchId, Head)>),
}

async fn post_next(app: &App, client: &Client, channel: Snowflake, node: Uuid) -> Result<Outcome, Failure> {
    if !channels::lease(app.pool(), channel, node, LEASE).await? {
        return Ok(Outcome::Nothing(None));
    }
    // Read after the lease was taken, because its previous owner may have moved on.
    let followed = channels::following(app.pool(), None).await?.into_iter().find(|followed| followed.id == channel);
    let Some(followed) = followed.filter(|followed| followed.failure.is_none()) else {
        return Ok(Outcome::Nothing(None));
    };
    let stored = app.logs.record().match_entries(followed.match_id).await.map_err(AppError::from)?;
    let history = app.matches.history(followed.match_id).await?;
    let lines = Line::all(&stored);
    if lines.last().is_none_or(|last| last.leaf != history.head.leaf) {
        // New entries arrived just now.
        return Ok(Outcome::Nothing(None));
    }
    let Some(span) = Span::next(&lines, followed.next) else {
        return Ok(Outcome::Nothing(Some((followed.match_id, history.head))));
    };
    // Words and picture show the moment of the post, even if it is late.
    let news = span.after() == history.head.next;
    let then =
        if news { history } else { Arc::new(app.matches.history_up_to(followed.match_id, span.after().0).await?) };
    let Some(post) = span.post(&then, news, &followed.site) else {
        channels::note_posted(app.pool(), &followed, span.after_moment()).await?;
        return Ok(Outcome::Posted { pause: Duration::ZERO });
    };
    let message = message(&post).await;
    let Some(webhook) = channels::webhook_of(app, channel).await? else { return Ok(Outcome::Nothing(None)) };
    let thread = if webhook.parent == channel { String::new() } else { format!("&thread_id={channel}") };
    // With `wait`, Discord answers when the message exists, and reports errors.
    let path = format!("/webhooks/{}/{}?wait=true{thread}", webhook.id, webhook.token);
    let send = async |message: &Message| {
        let _open = client.global_limit.read().await;
        client.rest.ask(Method::POST, &path, None, Body::Message(message)).await
    };
    let mut sent = send(&message).await;
    if matches!(sent, Err(RestError::Refused { .. })) && !message.files().is_empty() {
        tracing::warn!(%channel, "a post was refused with its picture, and is tried without");
        sent = send(&message.bare()).await;
    }
    let pause = match sent {
        Ok(answered) => answered.pause.unwrap_or_default(),
        Err(error @ RestError::Gone { .. }) => {
            tracing::warn!(%channel, %error, "a channel is not told of its match any more");
            channels::note_failure(app.pool(), &followed, &error.to_string()).await?;
            return Ok(Outcome::Nothing(None));
        }
        Err(error @ RestError::Refused { .. }) => {
            // Retrying would be refused forever, and would block everything after it.
            tracing::error!(%channel, entry = post.next.0, %error, "a post was refused, and is left out");
            Duration::ZERO
        }
        Err(error) => return Ok(Outcome::Again(error)),
    };
    channels::note_posted(app.pool(), &followed, post.next).await?;
    Ok(Outcome::Posted { pause })
}

async fn message(post: &Post) -> Message {
    let message = Message::open(&post.content);
    match picture_file(&post.scene, post.file.clone()).await {
        Some(file) => message.with(file),
        None => message,
    }
}
