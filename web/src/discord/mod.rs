//! Discord, over HTTP alone: commands arrive as signed requests, and posts go out through webhooks. No connection is kept,
//! and nothing is read of a channel but what a command was given on.
//!
//! What a player sends is seen by the player alone, and by Discord, whose clock counts for its time. What a channel is
//! told is public.

mod call;
mod channels;
mod commands;
mod desk;
mod endpoint;
mod interaction;
mod link;
mod message;
mod multipart;
mod post;
mod posting;
mod record;
mod refused;
mod rest;
mod show;
mod signature;
mod submit;
mod typing;
mod umpire;

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use app::account::Snowflake;
use app::book::Book;
use axum::http::Method;
use axum::routing::{get, post};
use axum::{Extension, Router};
use lru::LruCache;
use serde_json::Value;
use tokio::sync::{OnceCell, RwLock};

pub use commands::all as commands;
pub use rest::{BotToken, BotTokenError, DISCORD, Rest, RestError};
pub use signature::{ApplicationKey, ApplicationKeyError};

use rest::{Answered, Body};

/// Answers that are kept, for commands that are delivered twice: about a kilobyte each.
const KEPT_ANSWERS: NonZeroUsize = NonZeroUsize::new(2_000).unwrap();
/// How often a request is tried whose answer somebody waits for.
const TRIES: u32 = 6;

/// This program as an application at Discord.
#[derive(Debug)]
pub struct Discord {
    application: Snowflake,
    key: ApplicationKey,
    /// The bot's: without it no channel can be told of a match.
    token: Option<BotToken>,
    rest: Rest,
    /// Held to write while Discord takes nothing from this application at all.
    gate: RwLock<()>,
    answered: Mutex<LruCache<Snowflake, Arc<OnceCell<Value>>>>,
}

/// Whether there is such an application, for the addresses below.
#[derive(Clone, Debug)]
struct Setting(Option<Arc<Discord>>);

/// The addresses of this part.
pub(crate) fn routes(discord: Option<Arc<Discord>>) -> Router<Arc<Book>> {
    Router::new()
        .route("/discord/interactions", post(endpoint::receive))
        .route("/umpire/discord", get(desk::show).post(desk::send))
        .layer(Extension(Setting(discord)))
}

impl Discord {
    /// An application, whose commands are signed with this key.
    #[must_use]
    pub fn new(application: Snowflake, key: ApplicationKey, token: Option<BotToken>, rest: Rest) -> Self {
        let answered = Mutex::new(LruCache::new(KEPT_ANSWERS));
        Self { application, key, token, rest, gate: RwLock::default(), answered }
    }

    /// Tells channels of the matches that they follow, for as long as the program runs.
    pub async fn post(self: Arc<Self>, book: Arc<Book>) {
        posting::post(book, self).await;
    }

    /// The answer to a command, once there is one.
    fn answered(&self, id: Snowflake) -> Arc<OnceCell<Value>> {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        answered.get_or_insert(id, Arc::default).clone()
    }

    /// A request whose answer somebody waits for: tried again where that may help.
    async fn patiently<'b>(
        &self,
        method: Method,
        path: &str,
        token: Option<&BotToken>,
        body: impl Fn() -> Body<'b>,
    ) -> Result<Answered, RestError> {
        patiently(&self.rest, method, path, token, body).await
    }
}

async fn patiently<'b>(
    rest: &Rest,
    method: Method,
    path: &str,
    token: Option<&BotToken>,
    body: impl Fn() -> Body<'b>,
) -> Result<Answered, RestError> {
    let mut tried = 0;
    loop {
        let error = match rest.ask(method.clone(), path, token, body()).await {
            Ok(answered) => return Ok(answered),
            Err(error) => error,
        };
        tried += 1;
        match error.again_after(tried).filter(|_| tried < TRIES) {
            Some(after) => tokio::time::sleep(after).await,
            None => return Err(error),
        }
    }
}

/// Registers the commands, in the place of all that were registered before; gives how many there are now.
///
/// # Errors
/// Discord does not take them.
pub async fn register(rest: &Rest, application: Snowflake, token: &BotToken) -> Result<usize, RestError> {
    let path = format!("/applications/{application}/commands");
    let answered = patiently(rest, Method::PUT, &path, Some(token), || Body::Json(commands())).await?;
    Ok(answered.body.as_array().map_or(0, Vec::len))
}
