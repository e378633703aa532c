//! Discord's commands, which arrive as signed HTTP requests, and the umpire's page about it. There is no permanent
//! connection, and of a channel only the message of a command is read.
//!
//! A player's submission is seen only by the player and by Discord, whose clock decides its time.

mod account_page;
mod autocomplete;
mod command_context;
mod commands;
mod endpoint;
mod interaction;
mod invitation;
mod link;
mod match_commands;
mod record_message;
mod refusal;
mod signature;
mod state;
mod submit;

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use app::App;
use app::account::Snowflake;
use app::discord::{Body, BotToken, Rest, RestError};
use axum::http::Method;
use axum::routing::{get, post};
use axum::{Extension, Router};
use lru::LruCache;
use serde_json::Value;
use tokio::sync::OnceCell;

pub use commands::all as commands;
pub use signature::{ApplicationKey, ApplicationKeyError};

/// The answers stored for commands that are delivered twice: about a kilobyte each.
const KEPT_ANSWERS: NonZeroUsize = NonZeroUsize::new(2_000).unwrap();

#[derive(Debug)]
pub struct Discord {
    application: Snowflake,
    key: ApplicationKey,
    /// The bot's token. Without it no channel can follow a match.
    token: Option<BotToken>,
    rest: Rest,
    answered: Mutex<LruCache<Snowflake, Arc<OnceCell<Value>>>>,
}

#[derive(Clone, Debug)]
struct Application(Option<Arc<Discord>>);

pub fn routes(discord: Option<Arc<Discord>>) -> Router<Arc<App>> {
    Router::new()
        .route("/discord/interactions", post(endpoint::receive))
        .route("/umpire/discord", get(account_page::show).post(account_page::send))
        .layer(Extension(Application(discord)))
}

impl Discord {
    #[must_use]
    pub fn new(application: Snowflake, key: ApplicationKey, token: Option<BotToken>, rest: Rest) -> Self {
        let answered = Mutex::new(LruCache::new(KEPT_ANSWERS));
        Self { application, key, token, rest, answered }
    }

    #[must_use]
    pub const fn rest(&self) -> &Rest {
        &self.rest
    }

    fn answered(&self, id: Snowflake) -> Arc<OnceCell<Value>> {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        answered.get_or_insert(id, Arc::default).clone()
    }
}

pub async fn register(rest: &Rest, application: Snowflake, token: &BotToken) -> Result<usize, RestError> {
    let path = format!("/applications/{application}/commands");
    let answer = rest.ask_patiently(Method::PUT, &path, Some(token), || Body::Json(commands())).await?;
    Ok(answer.body.as_array().map_or(0, Vec::len))
}
