//! Posting in the channels that follow a match: in order, by one node at a time, until Discord has taken it.
//!
//! Nothing is queued but the number of the first entry that was not posted. A crash after Discord took a post and before
//! that number moved posts it once more, with the same entry and hash in it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use app::account::Snowflake;
use app::book::{Book, BookError};
use axum::http::Method;
use ledger::{Head, MatchId};
use picture::Theme;
use thiserror::Error;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::Discord;
use super::channels::{self, ChannelError};
use super::message::{File, Message};
use super::post::{Line, Post, Span};
use super::rest::{Body, RestError};

/// How often the channels are looked through.
const LOOK: Duration = Duration::from_millis(500);
/// For how long a node has a channel to itself, beyond what it waits for.
const LEASE: Duration = Duration::from_secs(60);
/// Whoever leads to an error of the database waits so long.
const AWAY: Duration = Duration::from_secs(2);

/// Why nothing was posted.
#[derive(Debug, Error)]
enum Failure {
    #[error(transparent)]
    Channel(#[from] ChannelError),
    #[error(transparent)]
    Book(#[from] BookError),
}

/// A channel's turn of posting is over.
struct Done {
    channel: Snowflake,
    /// The match and its head, where there was nothing left to tell.
    told: Option<(MatchId, Head)>,
}

/// Posts for as long as the program runs. Everything that it started ends with it.
pub(super) async fn post(book: Arc<Book>, discord: Arc<Discord>) {
    let node = book.mint().uuid();
    let (mut turns, mut busy, mut told) = (JoinSet::new(), HashSet::new(), HashMap::new());
    loop {
        tokio::select! {
            Some(done) = turns.join_next() => {
                if let Ok(Done { channel, told: now }) = done {
                    busy.remove(&channel);
                    told.extend(now.map(|now| (channel, now)));
                }
                continue;
            }
            () = tokio::time::sleep(LOOK) => {}
        }
        let due = match due(&book, &told).await {
            Ok(due) => due,
            Err(error) => {
                tracing::warn!(%error, "the channels that follow matches could not be looked through; it is tried again");
                tokio::time::sleep(AWAY).await;
                continue;
            }
        };
        for channel in due.into_iter().filter(|channel| busy.insert(*channel)) {
            turns.spawn(turn(book.clone(), discord.clone(), channel, node));
        }
    }
}

/// The channels whose match went on since it was told.
async fn due(book: &Book, told: &HashMap<Snowflake, (MatchId, Head)>) -> Result<Vec<Snowflake>, Failure> {
    let followed = channels::all(book, None).await?;
    if followed.is_empty() {
        return Ok(Vec::new());
    }
    let matches: Vec<MatchId> = followed.iter().map(|followed| followed.match_id).collect();
    let heads = book.store().match_heads(&matches).await.map_err(BookError::from)?;
    let due = followed.iter().filter(|followed| {
        let head = heads.get(&followed.match_id);
        let news = head.is_some_and(|head| {
            head.next > followed.next && told.get(&followed.channel) != Some(&(followed.match_id, *head))
        });
        news && followed.failure.is_none()
    });
    Ok(due.map(|followed| followed.channel).collect())
}

/// Posts in a channel until nothing is left to tell.
async fn turn(book: Arc<Book>, discord: Arc<Discord>, channel: Snowflake, node: Uuid) -> Done {
    let mut failures = 0;
    loop {
        match one(&book, &discord, channel, node).await {
            Ok(Step::Posted { pause }) => {
                failures = 0;
                wait(&book, channel, node, pause).await;
            }
            Ok(Step::Again(error)) => {
                let Some(after) = error.again_after(failures) else { return Done { channel, told: None } };
                tracing::warn!(%channel, %error, "a post waits");
                failures = failures.saturating_add(1);
                if let RestError::Limited { global: true, .. } = error {
                    let _everybody = discord.gate.write().await;
                    wait(&book, channel, node, after).await;
                } else {
                    wait(&book, channel, node, after).await;
                }
            }
            Ok(Step::Nothing(told)) => return Done { channel, told },
            Err(error) => {
                tracing::warn!(%channel, %error, "a channel could not be told; it is tried again");
                tokio::time::sleep(AWAY).await;
                return Done { channel, told: None };
            }
        }
    }
}

/// Waits, and keeps the lease meanwhile.
async fn wait(book: &Book, channel: Snowflake, node: Uuid, time: Duration) {
    if !time.is_zero() {
        // Where the lease cannot be kept another node goes on, and this one finds that out.
        let _ = channels::lease(book, channel, node, time + LEASE).await;
        tokio::time::sleep(time).await;
    }
}

enum Step {
    /// One more is there; for so long nothing more is taken.
    Posted { pause: Duration },
    /// It has to wait.
    Again(RestError),
    /// Nothing is left, or another node is at it.
    Nothing(Option<(MatchId, Head)>),
}

async fn one(book: &Book, discord: &Discord, channel: Snowflake, node: Uuid) -> Result<Step, Failure> {
    if !channels::lease(book, channel, node, LEASE).await? {
        return Ok(Step::Nothing(None));
    }
    // Read after the lease was taken: whoever had it before has moved on.
    let followed = channels::all(book, None).await?.into_iter().find(|followed| followed.channel == channel);
    let Some(followed) = followed.filter(|followed| followed.failure.is_none()) else { return Ok(Step::Nothing(None)) };
    let stored = book.store().match_entries(followed.match_id).await.map_err(BookError::from)?;
    let history = book.history(followed.match_id).await?;
    let lines = Line::all(&stored);
    if lines.last().is_none_or(|last| last.leaf != history.head.leaf) {
        // It went on just now.
        return Ok(Step::Nothing(None));
    }
    let Some(span) = Span::next(&lines, followed.next) else {
        return Ok(Step::Nothing(Some((followed.match_id, history.head))));
    };
    // Words and picture are those of the moment that the post is about, also where it comes late.
    let news = span.after() == history.head.next;
    let then = if news { history } else { Arc::new(book.history_up_to(followed.match_id, span.after().0).await?) };
    let Some(post) = span.post(&then, news, &followed.site) else {
        channels::posted(book, &followed, span.after_moment()).await?;
        return Ok(Step::Posted { pause: Duration::ZERO });
    };
    let message = message(&post).await;
    let Some(webhook) = channels::webhook_of(book, channel).await? else { return Ok(Step::Nothing(None)) };
    let thread = if webhook.parent == channel { String::new() } else { format!("&thread_id={channel}") };
    // `wait`: it is answered when the message is there, and an error is one.
    let path = format!("/webhooks/{}/{}?wait=true{thread}", webhook.id, webhook.token);
    let send = async |message: &Message| {
        let _open = discord.gate.read().await;
        discord.rest.ask(Method::POST, &path, None, Body::Message(message)).await
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
            channels::failed(book, &followed, &error.to_string()).await?;
            return Ok(Step::Nothing(None));
        }
        Err(error @ RestError::Refused { .. }) => {
            // It would be refused for ever, and keep everything after it.
            tracing::error!(%channel, entry = post.next.0, %error, "a post was refused, and is left out");
            Duration::ZERO
        }
        Err(error) => return Ok(Step::Again(error)),
    };
    channels::posted(book, &followed, post.next).await?;
    Ok(Step::Posted { pause })
}

async fn message(post: &Post) -> Message {
    let message = Message::open(&post.content);
    match picture(&post.scene, post.file.clone()).await {
        Some(file) => message.with(file),
        None => message,
    }
}

/// A picture of a scene as a file; none where it cannot be drawn. Dark, as Discord is unless somebody changes it.
pub(super) async fn picture(scene: &picture::Scene, name: String) -> Option<File> {
    let alt = picture::short(scene, super::message::ALT_MAX);
    let svg = picture::svg(scene, Theme::Dark);
    let drawn = tokio::task::spawn_blocking(move || picture::png(&svg)).await;
    match drawn {
        Ok(Ok(bytes)) => Some(File { name, kind: "image/png", alt: Some(alt), bytes: bytes.into() }),
        Ok(Err(error)) => {
            tracing::error!(%error, "a picture could not be drawn");
            None
        }
        Err(error) => {
            tracing::error!(%error, "a picture could not be drawn");
            None
        }
    }
}
