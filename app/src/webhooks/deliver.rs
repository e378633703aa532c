//! Sends due messages for as long as the program runs: one node at a time, and each webhook in its own task, so that a
//! slow receiver delays nobody else.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chrono::TimeDelta;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use ledger::{MatchId, Moment, Seq};
use store::webhooks::messages::{self, Attempt, DueMessage};
use store::webhooks::{hooks, sending};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::hooks::{find, secrets, stop};
use super::recent_deliveries::forget_old;
use super::{outbox, payload, schedule};
use crate::fetch::{Fetch, FetchError, Fetched, Limits, Reach};
use crate::{App, AppError, LOG};

const INTERVAL: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_secs(5);
const CLEANUP_INTERVAL: Duration = Duration::from_secs(3600);
const AT_ONCE: usize = 32;
/// The time limit for a receiver, and the part of its answer that is read.
const LIMITS: Limits = Limits { time: Duration::from_secs(20), bytes: 256 * 1024 };

#[derive(Clone, Debug)]
pub struct WebhookSender {
    app: Arc<App>,
    fetch: Fetch,
    node: Uuid,
    has_lease: Arc<AtomicBool>,
}

pub async fn deliver(sender: WebhookSender) {
    let mut busy: HashMap<Uuid, AbortHandle> = HashMap::new();
    let mut tasks = JoinSet::new();
    let mut cleaned_up: Option<Instant> = None;
    loop {
        if cleaned_up.is_none_or(|at| at.elapsed() >= CLEANUP_INTERVAL) {
            cleaned_up = Some(Instant::now());
            if let Err(error) = forget_old(sender.app.pool(), sender.app.system().now()).await {
                tracing::warn!(%error, "what webhooks sent long ago could not be forgotten; it is tried again");
            }
        }
        while tasks.try_join_next().is_some() {}
        busy.retain(|_, task| !task.is_finished());
        match sender.find_due().await {
            Ok(due) => {
                for id in due {
                    if busy.len() < AT_ONCE && !busy.contains_key(&id) {
                        let sender = sender.clone();
                        busy.insert(id, tasks.spawn(async move { sender.send_all(id).await }));
                    }
                }
                sleep(INTERVAL).await;
            }
            Err(error) => {
                tracing::warn!(%error, "webhooks cannot be looked for; it is tried again");
                sleep(PAUSE).await;
            }
        }
    }
}

impl WebhookSender {
    #[must_use]
    pub fn new(app: Arc<App>, reach: Reach) -> Self {
        let (node, has_lease) = (app.system().uuid(), Arc::new(AtomicBool::new(false)));
        Self { app, fetch: Fetch::reaching(reach, LIMITS), node, has_lease }
    }

    async fn find_due(&self) -> Result<Vec<Uuid>, AppError> {
        let held = sending::lease(self.app.pool(), LOG, self.node).await;
        self.has_lease.store(matches!(held, Ok(Some(_))), Ordering::Relaxed);
        let Some(from) = held? else { return Ok(Vec::new()) };
        let system = self.app.system();
        if !outbox::follow(self.app.logs.record(), self.node, from, || system.now()).await? {
            // Another node took over in between.
            return Ok(Vec::new());
        }
        Ok(messages::hooks_with_due(self.app.pool(), system.now().to_utc()).await?)
    }

    pub async fn release(&self) -> Result<(), AppError> {
        Ok(sending::release(self.app.pool(), LOG, self.node).await?)
    }

    async fn send_all(self, id: Uuid) {
        loop {
            let due = match messages::due(self.app.pool(), id, self.app.system().now().to_utc()).await {
                Ok(due) if due.is_empty() => return,
                Ok(due) => due,
                Err(error) => return tracing::warn!(%id, %error, "a webhook cannot be sent to; it is tried again"),
            };
            for due in due {
                if !self.has_lease.load(Ordering::Relaxed) {
                    return;
                }
                match self.send(id, &due).await {
                    Ok(true) => {}
                    // The receiver gets a pause.
                    Ok(false) => return,
                    Err(error) => return tracing::warn!(%id, %error, "a webhook cannot be sent to; it is tried again"),
                }
            }
        }
    }

    async fn send(&self, id: Uuid, due: &DueMessage) -> Result<bool, AppError> {
        let app = &self.app;
        let Some(hook) = find(app.pool(), id).await? else { return Ok(false) };
        let body = match (due.match_id, due.seq.and_then(|seq| u32::try_from(seq).ok())) {
            (Some(match_id), Some(seq)) => {
                payload::of_entry(app, &hook.site, &due.kind, MatchId(match_id), Seq(seq)).await?
            }
            _ => payload::of_test(Moment::from_micros(due.created_at.timestamp_micros()).unwrap_or(Moment::MIN)),
        };
        let seconds = app.system().now().to_utc().timestamp();
        let signatures: Vec<String> =
            secrets(app, id).await?.iter().map(|secret| secret.sign(&due.id, seconds, &body)).collect();
        let headers = headers(&due.id, seconds, &signatures.join(" "));
        let start = Instant::now();
        let answer = self.fetch.send(Method::POST, &hook.address, headers, body).await;
        let took_ms = i32::try_from(start.elapsed().as_millis()).unwrap_or(i32::MAX);
        let failure = Failure::of(&answer);
        let failed = due.attempts.saturating_add(1);
        let chance = app.system().bytes32().first().copied().unwrap_or(0);
        let wait = failure.as_ref().and_then(|failure| schedule::wait(failed, chance, failure.retry_after));
        let now = app.system().now().to_utc();
        let after = |wait: Duration| now + TimeDelta::from_std(wait).unwrap_or(TimeDelta::days(1));
        let attempt = Attempt {
            status: answer.as_ref().ok().map(|answer| answer.status.as_u16()),
            took_ms,
            said: failure.as_ref().map(|failure| failure.text.clone()).unwrap_or_default(),
            again: wait.map(after),
        };
        messages::attempted(app.pool(), id, &due.id, &attempt, now).await?;
        let Some(failure) = failure else { return Ok(true) };
        if failure.gone {
            stop(app.pool(), id, "The receiver answered 410 Gone: it wants nothing more.", app.system().now()).await?;
        } else if let Some(wait) = wait {
            if failure.affects_all {
                hooks::hold(app.pool(), id, after(schedule::hold(wait, failure.retry_after))).await?;
            }
        } else {
            let why = format!("{failed} attempts over three days failed. The last: {}", failure.text);
            stop(app.pool(), id, &why, app.system().now()).await?;
        }
        Ok(!failure.gone && !failure.affects_all)
    }
}

#[derive(Debug)]
struct Failure {
    text: String,
    gone: bool,
    affects_all: bool,
    retry_after: Option<Duration>,
}

impl Failure {
    /// Every status outside 200 to 299 is a failure; redirects are not followed.
    fn of(answer: &Result<Fetched, FetchError>) -> Option<Self> {
        let answer = match answer {
            Ok(answer) if answer.status.is_success() => return None,
            Ok(answer) => answer,
            Err(error) => {
                return Some(Self { text: error.to_string(), gone: false, affects_all: true, retry_after: None });
            }
        };
        let status = answer.status;
        let rest = [
            StatusCode::TOO_MANY_REQUESTS,
            StatusCode::BAD_GATEWAY,
            StatusCode::SERVICE_UNAVAILABLE,
            StatusCode::GATEWAY_TIMEOUT,
        ];
        let retry_after =
            answer.headers.get(header::RETRY_AFTER).and_then(|after| after.to_str().ok()?.trim().parse().ok());
        let redirect =
            if status.is_redirection() { ": redirects are not followed, so give the new address" } else { "" };
        Some(Self {
            text: format!("it answered {status}{redirect}"),
            gone: status == StatusCode::GONE,
            affects_all: rest.contains(&status),
            retry_after: retry_after.map(Duration::from_secs),
        })
    }
}

fn headers(id: &str, seconds: i64, signatures: &str) -> HeaderMap {
    let pairs = [
        ("content-type", "application/json".to_owned()),
        ("webhook-id", id.to_owned()),
        ("webhook-timestamp", seconds.to_string()),
        ("webhook-signature", signatures.to_owned()),
    ];
    // Digits, hex and base64 are all valid in a header.
    let header = |(name, value): (&'static str, String)| {
        HeaderValue::try_from(value).ok().map(|value| (HeaderName::from_static(name), value))
    };
    pairs.into_iter().filter_map(header).collect()
}
