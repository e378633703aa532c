//! A stand-in for Discord, as far as this program uses it: it signs commands with its own key, accepts posts, checks
//! everything against the published limits, and gives planned answers.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, ensure};
use app::discord::{BotToken, Rest};
use axum::extract::{FromRequest, Multipart, Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{patch, post, put};
use axum::{Json, Router};
use ledger::Moment;
use ledger::ed25519::SecretKey;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use web::discord::Discord;

use super::limits::Faults;
use crate::wait::until;

pub(crate) const APPLICATION: i64 = 1_304_923_829_184_729_138;
pub(crate) const TOKEN: &str = "bot-token-that-nobody-may-see";
const EPOCH_MS: i64 = 1_420_070_400_000;

/// A message that was posted, or that replaced a deferred answer.
#[derive(Clone)]
pub(crate) struct Posted {
    /// The path, with the token of the webhook or of the command.
    pub(crate) path: String,
    pub(crate) content: String,
    pub(crate) payload: Value,
    /// The name and bytes of each file.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

impl fmt::Debug for Posted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).collect();
        write!(f, "{} {files:?}: {:?}", self.path, self.content)
    }
}

/// A planned answer.
#[derive(Clone, Debug)]
pub(crate) enum Mood {
    /// 429, for this many milliseconds; true if it holds for all requests.
    Limited(u64, bool),
    /// This status, with a sentence.
    Status(StatusCode),
    /// It is posted, and nothing more is accepted for this many milliseconds.
    LastOne(u64),
}

#[derive(Debug, Default)]
struct Inner {
    faults: Faults,
    posts: Vec<Posted>,
    /// The messages that replaced deferred answers, by the command's token.
    kept: HashMap<String, Posted>,
    /// The tokens of commands with a deferred answer.
    promised: Vec<String>,
    moods: VecDeque<Mood>,
    commands: Value,
    webhooks: HashMap<String, String>,
    /// The end of a pause for posting, by the real clock.
    closed_until: Option<tokio::time::Instant>,
}

#[derive(Clone, Debug)]
pub(crate) struct StandIn {
    pub(crate) address: String,
    key: Arc<SecretKey>,
    increment: Arc<AtomicI64>,
    inner: Arc<Mutex<Inner>>,
}

/// A user's command.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub(crate) body: Value,
}

impl StandIn {
    pub(crate) async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}", listener.local_addr()?);
        let key = Arc::new(SecretKey::from_seed(&[42; 32]));
        let stand_in = Self { address, key, increment: Arc::default(), inner: Arc::default() };
        let routes = Router::new()
            .route("/applications/{application}/commands", put(commands))
            .route("/channels/{channel}/webhooks", post(webhook))
            .route("/webhooks/{id}/{token}", post(posted))
            .route("/webhooks/{id}/{token}/messages/@original", patch(kept))
            .with_state(stand_in.clone());
        tokio::spawn(async move { drop(axum::serve(listener, routes).await) });
        Ok(stand_in)
    }

    /// This program as an application of it.
    pub(crate) fn application(&self) -> Result<Arc<Discord>> {
        let id = APPLICATION.to_string().parse()?;
        let token = BotToken::of(TOKEN).context("a token")?;
        Ok(Arc::new(Discord::new(id, self.public_key().parse()?, Some(token), Rest::new(&self.address))))
    }

    /// The public key, as the application's page shows it.
    pub(crate) fn public_key(&self) -> String {
        self.key.public().bytes().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// A new id made at this moment.
    pub(crate) fn id(&self, at: Moment) -> i64 {
        let ms = at.micros() / 1000 - EPOCH_MS;
        (ms << 22) | (self.increment.fetch_add(1, Ordering::Relaxed) & 0xfff)
    }

    /// Plans the answers to the next posts.
    pub(crate) fn moods(&self, moods: impl IntoIterator<Item = Mood>) {
        self.inner.lock().expect("a lock").moods.extend(moods);
    }

    /// The posts so far; an error if any request had a fault.
    pub(crate) fn posts(&self) -> Result<Vec<Posted>> {
        let inner = self.inner.lock().expect("a lock");
        ensure!(inner.faults.0.is_empty(), "{:#?}", inner.faults.0);
        Ok(inner.posts.clone())
    }

    pub(crate) fn commands(&self) -> Value {
        self.inner.lock().expect("a lock").commands.clone()
    }

    /// Waits until there are this many posts.
    pub(crate) async fn until(&self, count: usize) -> Result<Vec<Posted>> {
        until(async || {
            let posts = self.posts()?;
            ensure!(posts.len() >= count, "{} of {count} posts: {posts:#?}", posts.len());
            Ok(posts)
        })
        .await
    }

    /// A command given at this moment.
    pub(crate) fn command(&self, user: i64, channel: i64, at: Moment, data: Value) -> Command {
        let id = self.id(at);
        let mut body = json!({
            "id": id.to_string(), "application_id": APPLICATION.to_string(), "type": 2, "version": 1,
            "token": format!("command-token-{id}"), "channel_id": channel.to_string(), "guild_id": "77",
            "channel": { "id": channel.to_string(), "type": 0, "name": "arena" },
            "member": { "user": account(user), "nick": null, "roles": [], "permissions": "0" },
            "locale": "en-GB", "entitlements": [], "app_permissions": "0",
        });
        body["data"] = data;
        Command { body }
    }

    /// Delivers a signed request, as Discord does.
    pub(crate) async fn signed(&self, site: &str, at: Moment, body: &str, spoil: Spoil) -> Result<reqwest::Response> {
        let timestamp = match spoil {
            Spoil::Old => (at.micros() / 1_000_000 - 3600).to_string(),
            _ => (at.micros() / 1_000_000).to_string(),
        };
        let mut signature = self.key.sign(format!("{timestamp}{body}").as_bytes());
        if spoil == Spoil::Signature {
            signature[3] ^= 1;
        }
        let signature: String = signature.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut request = reqwest::Client::new()
            .post(format!("{site}/discord/interactions"))
            .header("content-type", "application/json")
            .header("user-agent", "Discord-Interactions/1.0 (+https://discord.com)");
        if spoil != Spoil::Headers {
            request = request.header("x-signature-ed25519", signature).header("x-signature-timestamp", timestamp);
        }
        let body = if spoil == Spoil::Body { format!("{body} ") } else { body.to_owned() };
        Ok(request.body(body).send().await?)
    }

    /// Delivers a command, and returns the first answer.
    pub(crate) async fn first_answer(&self, site: &str, at: Moment, command: &Command) -> Result<Value> {
        let response = self.signed(site, at, &command.body.to_string(), Spoil::Nothing).await?;
        ensure!(response.status() == StatusCode::OK, "{}: {}", response.status(), response.text().await?);
        ensure!(response.headers()[header::CONTENT_TYPE] == "application/json", "its type");
        let answer: Value = serde_json::from_str(&response.text().await?)?;
        let mut inner = self.inner.lock().expect("a lock");
        inner.faults.answer(command.body["type"].as_u64().unwrap_or_default(), &answer);
        if answer["type"] == 5 {
            inner.promised.push(command.body["token"].as_str().unwrap_or_default().to_owned());
        }
        Ok(answer)
    }

    /// Delivers a command, and returns the final answer for its user, and true if others see it.
    pub(crate) async fn gives(&self, site: &str, at: Moment, command: &Command) -> Result<(Posted, bool)> {
        let answer = self.first_answer(site, at, command).await?;
        let open = answer["data"]["flags"] != 64;
        let path = command.body["token"].as_str().unwrap_or_default().to_owned();
        if answer["type"] == 4 {
            let payload = answer["data"].clone();
            let content = payload["content"].as_str().unwrap_or_default().to_owned();
            return Ok((Posted { path, content, payload, files: Vec::new() }, open));
        }
        until(async || {
            let posts = self.posts()?;
            let kept = self.inner.lock().expect("a lock").kept.get(&path).cloned();
            Ok((kept.with_context(|| format!("a promise was not kept: {posts:?}"))?, open))
        })
        .await
    }
}

/// A deliberate fault in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spoil {
    Nothing,
    Signature,
    Body,
    Headers,
    Old,
}

pub(crate) fn account(user: i64) -> Value {
    json!({ "id": user.to_string(), "username": format!("user{user}"), "global_name": null, "discriminator": "0" })
}

fn error(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({ "message": message, "code": 0 }))).into_response()
}

impl Inner {
    fn headers(&mut self, headers: &HeaderMap, bot: bool) {
        let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        // reference#user-agent
        if !text(header::USER_AGENT).is_some_and(|agent| agent.starts_with("DiscordBot (") && agent.contains(", ")) {
            self.faults.0.push(format!("a user agent that Discord blocks: {headers:?}"));
        }
        if text(header::AUTHORIZATION) != bot.then_some(format!("Bot {TOKEN}")).as_deref() {
            self.faults.0.push("the bot's token where it belongs, and nowhere else".to_owned());
        }
    }
}

async fn commands(
    State(stand_in): State<StandIn>,
    Path(application): Path<i64>,
    headers: HeaderMap,
    Json(commands): Json<Value>,
) -> Response {
    let mut inner = stand_in.inner.lock().expect("a lock");
    inner.headers(&headers, true);
    if application != APPLICATION {
        return error(StatusCode::NOT_FOUND, "Unknown Application");
    }
    if let Some(Mood::Limited(ms, global)) = inner.moods.pop_front() {
        return limited(ms, global);
    }
    inner.faults.commands(&commands);
    inner.commands = commands.clone();
    Json(commands).into_response()
}

async fn webhook(
    State(stand_in): State<StandIn>,
    Path(channel): Path<i64>,
    headers: HeaderMap,
    Json(asked): Json<Value>,
) -> Response {
    let mut inner = stand_in.inner.lock().expect("a lock");
    inner.headers(&headers, true);
    let name = asked["name"].as_str().unwrap_or_default();
    let forbidden = ["clyde", "discord"].iter().any(|word| name.to_lowercase().contains(word));
    if name.is_empty() || name.chars().count() > 80 || forbidden {
        inner.faults.0.push(format!("{name:?} is no name of a webhook (resources/webhook#create-webhook)"));
    }
    let (id, token) = ((9_000_000 + channel).to_string(), format!("webhook-token-{channel}"));
    inner.webhooks.insert(id.clone(), token.clone());
    Json(json!({ "id": id, "type": 1, "token": token, "channel_id": channel.to_string(), "name": name }))
        .into_response()
}

/// The message in a request, in either encoding.
async fn message(request: Request) -> Result<(Value, Vec<(String, Vec<u8>)>), String> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind == "application/json" {
        let Json(payload) = Json::<Value>::from_request(request, &()).await.map_err(|error| error.to_string())?;
        return Ok((payload, Vec::new()));
    }
    let mut parts = Multipart::from_request(request, &()).await.map_err(|error| error.to_string())?;
    let (mut payload, mut files) = (None, Vec::new());
    while let Some(part) = parts.next_field().await.map_err(|error| error.to_string())? {
        let (name, file) = (part.name().unwrap_or_default().to_owned(), part.file_name().map(str::to_owned));
        let bytes = part.bytes().await.map_err(|error| error.to_string())?;
        match (name.as_str(), file) {
            ("payload_json", None) => payload = serde_json::from_slice(&bytes).ok(),
            (name, Some(file)) if name == format!("files[{}]", files.len()) => files.push((file, bytes.to_vec())),
            (name, _) => return Err(format!("the part {name} has no place in a message")),
        }
    }
    Ok((payload.ok_or("payload_json is missing")?, files))
}

fn limited(ms: u64, global: bool) -> Response {
    let seconds = ms as f64 / 1000.0;
    let body = json!({ "message": "You are being rate limited.", "retry_after": seconds, "global": global });
    let headers = [("retry-after", "1"), ("x-ratelimit-scope", if global { "global" } else { "user" })];
    // The header has whole seconds, so it is left out for shorter pauses in tests.
    let headers = headers.into_iter().filter(|(name, _)| *name != "retry-after" || ms >= 1000);
    let mut response = (StatusCode::TOO_MANY_REQUESTS, Json(body)).into_response();
    for (name, value) in headers {
        response.headers_mut().insert(name, value.parse().expect("a header"));
    }
    response
}

async fn posted(
    State(stand_in): State<StandIn>,
    Path((id, token)): Path<(String, String)>,
    Query(query): Query<HashMap<String, String>>,
    request: Request,
) -> Response {
    let headers = request.headers().clone();
    let read = message(request).await;
    let mut inner = stand_in.inner.lock().expect("a lock");
    inner.headers(&headers, false);
    if inner.webhooks.get(&id) != Some(&token) {
        return error(StatusCode::NOT_FOUND, "Unknown Webhook");
    }
    if query.get("wait").map(String::as_str) != Some("true") {
        inner.faults.0.push("without wait=true nobody knows whether it is there".to_owned());
    }
    if inner.closed_until.is_some_and(|until| tokio::time::Instant::now() < until) {
        inner.faults.0.push("it was posted while nothing was taken".to_owned());
    }
    let after = |ms: u64| Some(tokio::time::Instant::now() + std::time::Duration::from_millis(ms));
    let mut last_one = None;
    match inner.moods.pop_front() {
        Some(Mood::Limited(ms, global)) => {
            inner.closed_until = after(ms);
            return limited(ms, global);
        }
        Some(Mood::Status(status)) => return error(status, "as planned"),
        Some(Mood::LastOne(ms)) => {
            inner.closed_until = after(ms);
            last_one = Some(ms);
        }
        None => {}
    }
    let (payload, files) = match read {
        Ok(read) => read,
        Err(fault) => {
            inner.faults.0.push(fault);
            return error(StatusCode::BAD_REQUEST, "Invalid Form Body");
        }
    };
    let sizes: Vec<(String, usize)> = files.iter().map(|(name, bytes)| (name.clone(), bytes.len())).collect();
    inner.faults.message(&payload, &sizes, 4);
    let content = payload["content"].as_str().unwrap_or_default().to_owned();
    let thread = query.get("thread_id").map(|thread| format!(" in {thread}")).unwrap_or_default();
    inner.posts.push(Posted { path: format!("{id}{thread}"), content, payload, files });
    let mut response = Json(json!({ "id": "1", "type": 0 })).into_response();
    if let Some(ms) = last_one {
        let reset = format!("{}", ms as f64 / 1000.0);
        for (name, value) in [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset-after", &reset)] {
            response.headers_mut().insert(name, value.parse().expect("a header"));
        }
    }
    response
}

async fn kept(
    State(stand_in): State<StandIn>,
    Path((application, token)): Path<(i64, String)>,
    request: Request,
) -> Response {
    let headers = request.headers().clone();
    let read = message(request).await;
    let mut inner = stand_in.inner.lock().expect("a lock");
    inner.headers(&headers, false);
    // A deferral that Discord does not know yet cannot be replaced.
    if application != APPLICATION || !inner.promised.contains(&token) {
        return error(StatusCode::NOT_FOUND, "Unknown Webhook");
    }
    let (payload, files) = match read {
        Ok(read) => read,
        Err(fault) => {
            inner.faults.0.push(fault);
            return error(StatusCode::BAD_REQUEST, "Invalid Form Body");
        }
    };
    let sizes: Vec<(String, usize)> = files.iter().map(|(name, bytes)| (name.clone(), bytes.len())).collect();
    inner.faults.message(&payload, &sizes, 0);
    let content = payload["content"].as_str().unwrap_or_default().to_owned();
    inner.kept.insert(token.clone(), Posted { path: token, content, payload, files });
    Json(json!({ "id": "2", "type": 0 })).into_response()
}
