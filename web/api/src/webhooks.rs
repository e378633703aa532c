//! Webhooks for programs: the same functions as on an umpire's pages.

use std::sync::Arc;

use app::webhooks::{self, DeliveryRow, EventKind, Hook, MadeHook, NewHook, Secret, wrong_address};
use app::{App, slug};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, SecondsFormat, Utc};
use ledger::MatchId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::{at, json};
use super::caller::Umpire;
use super::idempotency::Key;
use super::request::{Body, form};
use web_http::{Problem, site};

/// A webhook to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewWebhook {
    /// Where it sends.
    #[schema(
        min_length = 1,
        max_length = 500,
        pattern = "^https?://[^@]+$",
        example = "https://example.com/matchbook"
    )]
    address: String,
    /// Events of; everything, where it is left out.
    #[serde(default = "every_kind")]
    #[schema(min_items = 1, max_items = 9)]
    kinds: Vec<EventKind>,
}

fn every_kind() -> Vec<EventKind> {
    EventKind::ALL.to_vec()
}

/// A message that is to be sent once more.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Redelivery {
    /// Its id, as the list has it.
    #[schema(
        min_length = 1,
        max_length = 100,
        pattern = "^[A-Za-z0-9_-]+$",
        example = "msg_0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    )]
    message: String,
}

/// Webhooks, oldest first: your own; for an admin everybody's.
#[derive(Serialize, ToSchema)]
struct WebhookList {
    webhooks: Vec<Webhook>,
}

/// A webhook. Its secret is never in here.
#[derive(Serialize, ToSchema)]
struct Webhook {
    /// Its id, a UUID.
    #[schema(example = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")]
    id: String,
    /// Whose it is, by pseudonym.
    #[schema(example = "3f9a1c0b7d2e")]
    umpire: String,
    address: String,
    kinds: Vec<String>,
    created_at: String,
    /// Until when the secret of before signs, too.
    old_secret_until: Option<String>,
    /// Since when nothing is sent, and why.
    stopped_at: Option<String>,
    stopped_why: Option<String>,
    /// Until when nothing is sent because the receiver does not answer.
    held_until: Option<String>,
}

/// A webhook with its secret. This is the only time that it is told.
#[derive(Serialize, ToSchema)]
struct WebhookSecret {
    webhook: Webhook,
    /// What messages are signed with; null where an answer with it was lost long ago: ask for a new one then.
    #[schema(example = "whsec_…")]
    secret: Option<String>,
}

/// What was sent last and what waits, newest first: one for each attempt.
#[derive(Serialize, ToSchema)]
struct DeliveryList {
    deliveries: Vec<Delivery>,
}

/// An attempt, or what waits for its first.
#[derive(Serialize, ToSchema)]
struct Delivery {
    /// The message; the same at every attempt.
    message: String,
    #[schema(example = "round.resolved")]
    kind: String,
    /// The match and the entry that it tells of; null for a test.
    #[serde(rename = "match")]
    slug: Option<String>,
    entry: Option<i32>,
    /// When it was tried; null where it was not yet.
    at: Option<String>,
    /// What was answered, if anything was.
    status: Option<i16>,
    took_ms: Option<i32>,
    /// Why the attempt failed; null where it did not.
    failure: Option<String>,
    /// Whether the message was received since.
    received: bool,
    /// When it is due next; null where it was received.
    due_at: Option<String>,
}

fn millis(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

impl Webhook {
    fn of(hook: Hook, now: DateTime<Utc>) -> Self {
        let coming = |at: Option<DateTime<Utc>>| at.filter(|at| *at > now).map(millis);
        Self {
            id: hook.id.to_string(),
            umpire: hook.umpire_id,
            address: hook.address,
            kinds: hook.kinds,
            created_at: millis(hook.created_at),
            old_secret_until: coming(hook.old_until),
            stopped_at: hook.stopped_at.map(millis),
            stopped_why: hook.stopped_why,
            held_until: coming(hook.held_until),
        }
    }
}

impl From<DeliveryRow> for Delivery {
    fn from(sent: DeliveryRow) -> Self {
        let failure = sent.said.filter(|said| !said.is_empty());
        Self {
            message: sent.id,
            kind: sent.kind,
            slug: sent.match_id.map(|id| slug(MatchId(id))),
            entry: sent.seq,
            at: sent.at.map(millis),
            status: sent.status,
            took_ms: sent.took_ms,
            failure,
            received: sent.done_at.is_some(),
            due_at: sent.done_at.is_none().then(|| millis(sent.due_at)),
        }
    }
}

pub(super) struct HookRequest {
    umpire: Umpire,
    hook: Hook,
}

impl FromRequestParts<Arc<App>> for HookRequest {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Response> {
        let umpire = Umpire::from_request_parts(parts, app).await.map_err(IntoResponse::into_response)?;
        let Path(id) = Path::<String>::from_request_parts(parts, app).await.map_err(IntoResponse::into_response)?;
        let hook = own_hook(&umpire, &id).await.map_err(IntoResponse::into_response)?;
        Ok(Self { umpire, hook })
    }
}

impl HookRequest {
    const fn app(&self) -> &Arc<App> {
        &self.umpire.app
    }

    async fn changed(&self) -> Result<Hook, Problem> {
        own_hook(&self.umpire, &self.hook.id.to_string()).await
    }

    async fn answer(&self) -> Result<Response, Problem> {
        json(StatusCode::OK, &Webhook::of(self.changed().await?, self.app().system().now().to_utc()))
    }
}

async fn own_hook(Umpire { app, account }: &Umpire, id: &str) -> Result<Hook, Problem> {
    let hook = webhooks::find_for(app.pool(), account, id).await?;
    hook.ok_or_else(|| Problem::not_found("There is no webhook of yours of this id. It may have been removed."))
}

fn with_secret(app: &App, hook: Hook, secret: Option<&Secret>, status: StatusCode) -> Result<Response, Problem> {
    let webhook = Webhook::of(hook, app.system().now().to_utc());
    json(status, &WebhookSecret { webhook, secret: secret.map(Secret::reveal) })
}

/// Your webhooks; for an admin everybody's
#[utoipa::path(get, path = "/api/v1/webhooks", tag = "webhooks", operation_id = "listWebhooks",
    responses((status = 200, description = "Oldest first.", body = WebhookList)))]
pub(super) async fn list(Umpire { app, account }: Umpire) -> Result<Response, Problem> {
    let now = app.system().now().to_utc();
    let webhooks =
        webhooks::list_for(app.pool(), &account).await?.into_iter().map(|hook| Webhook::of(hook, now)).collect();
    json(StatusCode::OK, &WebhookList { webhooks })
}

/// Make a webhook
///
/// It is told of what is entered from now on. Its secret is told this once; the standard tells how a
/// receiver checks a signature.
#[utoipa::path(post, path = "/api/v1/webhooks", tag = "webhooks", operation_id = "makeWebhook", request_body = NewWebhook,
    responses((status = 201, description = "Made: with its secret.", body = WebhookSecret)))]
pub(super) async fn make(
    umpire: Umpire,
    key: Key,
    headers: HeaderMap,
    Body(new): Body<NewWebhook>,
) -> Result<Response, Problem> {
    let id = Uuid::from_bytes(form(&key).0);
    let kinds: Vec<EventKind> = EventKind::ALL.into_iter().filter(|kind| new.kinds.contains(kind)).collect();
    let address = new.address.trim();
    let Umpire { app, account } = &umpire;
    let wrong = wrong_address(address).or_else(|| kinds.is_empty().then_some("Name at least one kind of event."));
    if let Some(wrong) = wrong {
        return Err(Problem::refused(wrong));
    }
    let site = site(&headers);
    let new = NewHook { id, umpire_id: &account.id, address, site: &site, kinds: &kinds };
    let secret = match webhooks::add(app, &new).await? {
        MadeHook::New(secret) => Some(secret),
        MadeHook::Before => None,
        MadeHook::Full(why) => return Err(Problem::refused(why)),
    };
    let hook = own_hook(&umpire, &id.to_string()).await?;
    let made = with_secret(app, hook, secret.as_ref(), StatusCode::CREATED)?;
    Ok(at(made, &format!("/api/v1/webhooks/{id}")))
}

/// A webhook
#[utoipa::path(get, path = "/api/v1/webhooks/{id}", tag = "webhooks", operation_id = "readWebhook",
    responses((status = 200, description = "How it does.", body = Webhook)))]
pub(super) async fn show(HookRequest { umpire, hook }: HookRequest) -> Result<Response, Problem> {
    json(StatusCode::OK, &Webhook::of(hook, umpire.app.system().now().to_utc()))
}

/// Remove a webhook, and forget what it was and was not told
#[utoipa::path(delete, path = "/api/v1/webhooks/{id}", tag = "webhooks", operation_id = "removeWebhook",
    responses((status = 204, description = "Removed.")))]
pub(super) async fn remove(request: HookRequest) -> Result<Response, Problem> {
    webhooks::remove(request.app().pool(), request.hook.id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Give a webhook a new secret
///
/// The old one signs beside it for a day.
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/secret", tag = "webhooks", operation_id = "rotateWebhookSecret",
    responses((status = 200, description = "With its new secret, which is shown only this once.", body = WebhookSecret)))]
pub(super) async fn rotate(request: HookRequest, key: Key) -> Result<Response, Problem> {
    let secret = webhooks::rotate(request.app(), request.hook.id, Uuid::from_bytes(form(&key).0)).await?;
    with_secret(request.app(), request.changed().await?, secret.as_ref(), StatusCode::OK)
}

/// Stop a webhook: nothing is sent until it is started
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/stop", tag = "webhooks", operation_id = "stopWebhook",
    responses((status = 200, description = "Stopped. What waits stays.", body = Webhook)))]
pub(super) async fn stop(request: HookRequest, _: Key) -> Result<Response, Problem> {
    let why = format!("{} stopped it.", request.umpire.account.name);
    webhooks::stop(request.app().pool(), request.hook.id, &why, request.app().system().now()).await?;
    request.answer().await
}

/// Start a webhook again
///
/// What waits is sent first; of the log it is told what comes from now on.
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/start", tag = "webhooks", operation_id = "startWebhook",
    responses((status = 200, description = "It sends.", body = Webhook)))]
pub(super) async fn start(request: HookRequest, _: Key) -> Result<Response, Problem> {
    webhooks::start(request.app().logs.record(), request.hook.id, request.app().system().now()).await?;
    request.answer().await
}

/// What was sent to a webhook last, and what waits
#[utoipa::path(get, path = "/api/v1/webhooks/{id}/deliveries", tag = "webhooks", operation_id = "listDeliveries",
    responses((status = 200, description = "The newest hundred attempts.", body = DeliveryList)))]
pub(super) async fn deliveries(request: HookRequest) -> Result<Response, Problem> {
    all(request.app(), request.hook.id).await
}

async fn all(app: &App, id: Uuid) -> Result<Response, Problem> {
    let deliveries = webhooks::newest(app.pool(), id).await?.into_iter().map(Into::into).collect();
    json(StatusCode::OK, &DeliveryList { deliveries })
}

/// Send a webhook a test
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/tests", tag = "webhooks", operation_id = "testWebhook",
    responses((status = 200, description = "It waits to be sent.", body = DeliveryList)))]
pub(super) async fn test(request: HookRequest, key: Key) -> Result<Response, Problem> {
    let (app, id) = (request.app(), request.hook.id);
    webhooks::test(app.pool(), id, Uuid::from_bytes(form(&key).0), app.system().now()).await?;
    all(app, id).await
}

/// Send a message once more, under the same id
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/redeliveries", tag = "webhooks", operation_id = "redeliver", request_body = Redelivery,
    responses((status = 200, description = "It waits to be sent.", body = DeliveryList)))]
pub(super) async fn again(request: HookRequest, _: Key, Body(sent): Body<Redelivery>) -> Result<Response, Problem> {
    let (app, id) = (request.app(), request.hook.id);
    if !webhooks::again(app.pool(), id, &sent.message, app.system().now()).await? {
        return Err(Problem::refused("There is no such message: the list of deliveries has their ids."));
    }
    all(app, id).await
}
