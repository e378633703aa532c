//! The endpoint for Discord's interactions. Each is answered within three seconds: with the result, or with a promise
//! that is replaced by the result later.
//!
//! The signature over timestamp and raw body is checked before anything else is read.

use std::sync::Arc;
use std::time::Duration;

use app::App;
use app::discord::{Body, EPHEMERAL, Message, RestError};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use ledger::Moment;
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;

use super::command_context::CommandContext;
use super::interaction::{AUTOCOMPLETE, COMMAND, Interaction, Kind, Object, PING, PRESS, Token};
use super::refusal::Refusal;
use super::{
    Application, Discord, autocomplete, commands, invitation, link, match_commands, record_message, state, submit,
};
use web_http::{Problem, Waited, site};

/// After this time the answer is deferred. Discord waits three seconds, and the network takes part of them.
const ANSWER_TIME: Duration = Duration::from_millis(1500);
/// Types of answers.
const PONG: u8 = 1;
const MESSAGE: u8 = 4;
const LATER: u8 = 5;
const CHOICES: u8 = 8;
/// The number of attempts to replace a deferred answer that Discord does not know yet: its request and ours may cross.
const CROSSINGS: u32 = 10;
const CROSSING: Duration = Duration::from_millis(300);
/// The attempts for a submission while the database is unreachable, and their interval: about twelve seconds in all.
const TRIES_WHILE_AWAY: u32 = 48;
const WHILE_AWAY: Duration = Duration::from_millis(250);

pub(super) async fn receive(
    State(app): State<Arc<App>>,
    Extension(Application(discord)): Extension<Application>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some(discord) = discord else {
        return Problem::not_found("This server is not set up for Discord.").into_response();
    };
    let arrived = app.system().now();
    if let Err(refused) = discord.key.check(&headers, &body, arrived) {
        if refused == super::signature::NotDiscord::Stale {
            tracing::warn!("an interaction was signed long ago: it was sent again by somebody, or a clock is wrong");
        }
        return (StatusCode::UNAUTHORIZED, refused.to_string()).into_response();
    }
    let unreadable = || (StatusCode::BAD_REQUEST, "this interaction cannot be read").into_response();
    let kind = match serde_json::from_slice::<Object<Kind>>(&body) {
        Ok(read) if read.kind == PING => return Json(json!({ "type": PONG })).into_response(),
        Ok(read) => read.kind,
        Err(_) => return unreadable(),
    };
    // The body may contain a move and its token, so neither is logged.
    let Ok(interaction) = serde_json::from_slice::<Object<Interaction>>(&body) else { return unreadable() };
    let context = Arc::new(CommandContext { app, discord, interaction, site: site(&headers), arrived });
    match kind {
        // A promise acknowledges nothing, and everything else has waited.
        COMMAND | PRESS => Waited::mark(Json(run_once(context).await).into_response()),
        AUTOCOMPLETE => {
            let suggestions =
                tokio::time::timeout(ANSWER_TIME, autocomplete::choices(&context)).await.unwrap_or_else(|_| json!([]));
            Json(json!({ "type": CHOICES, "data": { "choices": suggestions } })).into_response()
        }
        _ => Json(answer(&Message::private(Refusal::Unknown.to_string()))).into_response(),
    }
}

/// A command that is delivered twice is answered twice and carried out once.
async fn run_once(context: Arc<CommandContext>) -> Value {
    let discord = context.discord.clone();
    let cell: Arc<OnceCell<Value>> = discord.answered(context.interaction.id);
    cell.get_or_init(|| respond(context)).await.clone()
}

fn answer(message: &Message) -> Value {
    json!({ "type": MESSAGE, "data": message.answer() })
}

/// True if everybody will see the answer. That is fixed together with the deferral.
fn open(context: &CommandContext) -> bool {
    match context.interaction.words() {
        ("state", _) => context.interaction.flag("show") == Some(true),
        ("match", "here" | "invite" | "ready") => true,
        _ => false,
    }
}

async fn respond(context: Arc<CommandContext>) -> Value {
    let working = context.clone();
    // A task of its own, so it waits for the standbys by itself.
    let mut work: JoinHandle<Message> =
        tokio::spawn(async move { working.app.kept(run(&working), |_| true).await.unwrap_or_else(|_| broken()) });
    let files = matches!(context.interaction.words().0, "state" | "receipt");
    if !files && let Ok(done) = tokio::time::timeout(ANSWER_TIME, &mut work).await {
        return answer(&done.unwrap_or_else(|_| broken()));
    }
    let flags = if open(&context) { 0 } else { EPHEMERAL };
    // The task must not hold the app, which may close meanwhile.
    let (discord, token) = (context.discord.clone(), context.interaction.token.clone());
    tokio::spawn(async move {
        let message = work.await.unwrap_or_else(|_| broken());
        send_deferred(&discord, &token, &message).await;
    });
    json!({ "type": LATER, "data": { "flags": flags } })
}

fn broken() -> Message {
    Message::private("Something broke here. Nothing that was acknowledged is lost. Give the command again in a moment.")
}

async fn send_deferred(discord: &Discord, token: &Token, message: &Message) {
    let path = format!("/webhooks/{}/{}/messages/@original", discord.application, token.reveal());
    let send = async |message: &Message| {
        for _ in 0..CROSSINGS {
            match discord.rest.ask_patiently(Method::PATCH, &path, None, || Body::Message(message)).await {
                Err(RestError::Gone { status: StatusCode::NOT_FOUND, .. }) => tokio::time::sleep(CROSSING).await,
                done => return done.map(|_| ()),
            }
        }
        Err(RestError::Failing(StatusCode::NOT_FOUND))
    };
    let mut sent = send(message).await;
    if matches!(sent, Err(RestError::Refused { .. })) && !message.files().is_empty() {
        sent = send(&message.bare()).await;
    }
    if let Err(error) = sent {
        tracing::warn!(%error, "the answer to a command could not be given; what it did counts");
    }
}

/// Runs a command that answers a question. Due decisions wait for it, and it is retried while the database is
/// unreachable. It acts once, however often it is tried.
async fn patiently<F: Future<Output = Result<Message, Refusal>>>(
    context: &CommandContext,
    sent: Moment,
    work: impl Fn() -> F,
) -> Result<Message, Refusal> {
    let _underway = context.app.arrivals.note_for_any_match(sent);
    let mut done = work().await;
    for _ in 0..TRIES_WHILE_AWAY {
        if !done.as_ref().is_err_and(Refusal::is_away) {
            break;
        }
        tokio::time::sleep(WHILE_AWAY).await;
        done = work().await;
    }
    done
}

async fn run(context: &CommandContext) -> Message {
    if let Some(button) = context.interaction.pressed() {
        let done = invitation::press(context, button).await;
        return done.unwrap_or_else(|refused| Message::private(refused.sentence(None)));
    }
    let done = match context.interaction.words() {
        ("submit", _) => patiently(context, context.sent(), || submit::submit(context)).await,
        ("receipt", _) => submit::receipt(context).await,
        ("state", _) => state::state(context).await,
        ("rules", _) => state::rules(context).await,
        ("link", _) => link::link(context).await,
        ("match", what) => match_commands::run(context, what).await,
        (commands::RECORD, _) => {
            patiently(context, record_message::sent(context), || record_message::record(context)).await
        }
        _ => Err(Refusal::Unknown),
    };
    done.unwrap_or_else(|refused| Message::private(refused.sentence(None)))
}
