//! Discord, over HTTP only: commands arrive as signed requests, and posts are sent through webhooks. There is no
//! permanent connection, and of a channel only the message of a command is read.
//!
//! A player's submission is seen only by the player and by Discord, whose clock decides its time. Everything posted in
//! a channel is public.

mod account_page;
mod autocomplete;
mod channels;
mod command_context;
mod commands;
mod endpoint;
mod interaction;
mod link;
mod match_commands;
mod message;
mod multipart;
mod post;
mod posting;
mod record_message;
mod refusal;
mod rest;
mod signature;
mod state;
mod submit;

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use app::App;
use app::account::Snowflake;
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

/// The answers stored for commands that are delivered twice: about a kilobyte each.
const KEPT_ANSWERS: NonZeroUsize = NonZeroUsize::new(2_000).unwrap();
/// The number of attempts for a request whose answer somebody waits for.
const TRIES: u32 = 6;

/// This program as an application at Discord.
#[derive(Debug)]
pub struct Discord {
    application: Snowflake,
    key: ApplicationKey,
    /// The bot's token. Without it no channel can follow a match.
    token: Option<BotToken>,
    rest: Rest,
    /// Locked for writing while Discord refuses all requests of this application.
    gate: RwLock<()>,
    answered: Mutex<LruCache<Snowflake, Arc<OnceCell<Value>>>>,
}

/// The application for the addresses below, if any.
#[derive(Clone, Debug)]
struct Setting(Option<Arc<Discord>>);

pub(crate) fn routes(discord: Option<Arc<Discord>>) -> Router<Arc<App>> {
    Router::new()
        .route("/discord/interactions", post(endpoint::receive))
        .route("/umpire/discord", get(account_page::show).post(account_page::send))
        .layer(Extension(Setting(discord)))
}

impl Discord {
    /// An application, whose commands are signed with this key.
    #[must_use]
    pub fn new(application: Snowflake, key: ApplicationKey, token: Option<BotToken>, rest: Rest) -> Self {
        let answered = Mutex::new(LruCache::new(KEPT_ANSWERS));
        Self { application, key, token, rest, gate: RwLock::default(), answered }
    }

    /// Posts in the channels that follow matches, for as long as the program runs.
    pub async fn post(self: Arc<Self>, app: Arc<App>) {
        posting::post(app, self).await;
    }

    /// The answer to a command, once there is one.
    fn answered(&self, id: Snowflake) -> Arc<OnceCell<Value>> {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        answered.get_or_insert(id, Arc::default).clone()
    }

    /// A request whose answer somebody waits for, retried if that may help.
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

/// Registers the commands, replacing all commands registered before. Returns their number.
///
/// # Errors
/// Discord refuses them.
pub async fn register(rest: &Rest, application: Snowflake, token: &BotToken) -> Result<usize, RestError> {
    let path = format!("/applications/{application}/commands");
    let answered = patiently(rest, Method::PUT, &path, Some(token), || Body::Json(commands())).await?;
    Ok(answered.body.as_array().map_or(0, Vec::len))
}
