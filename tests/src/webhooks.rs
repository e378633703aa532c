//! Webhooks: their setup, their messages, and failed deliveries.

mod clocks;
mod comes_back;

use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, ensure};
use app::fetch::Reach;
use app::webhooks::{WebhookSender, deliver};
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::task::JoinHandle;

use crate::browser::Browser;
use crate::page::Page;
use crate::play::table::{RULESET, Table};
use crate::site::{Guest, serve};
use crate::umpire_acts::perform;
use crate::wait::until;

/// A receiver, with its messages and its planned answers.
#[derive(Clone, Default)]
pub(crate) struct Receiver {
    sent: Arc<Mutex<Vec<Message>>>,
    answers: Arc<Mutex<Vec<Response>>>,
}

/// A received message.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    id: String,
    time: String,
    signatures: Vec<String>,
    body: String,
}

impl Message {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    fn kind(&self) -> String {
        self.json()["type"].as_str().unwrap_or_default().to_owned()
    }

    /// HMAC-SHA256 (RFC 2104) by hand, as a receiver in any language would.
    fn is_signed_with(&self, secret: &str) -> bool {
        let key = base64(secret.trim_start_matches("whsec_"));
        let pad = |with: u8| (0..64).map(|at| key.get(at).copied().unwrap_or(0) ^ with).collect::<Vec<u8>>();
        let text = format!("{}.{}.{}", self.id, self.time, self.body);
        let inner = Sha256::new().chain_update(pad(0x36)).chain_update(text).finalize();
        let mac = Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize();
        self.signatures.iter().any(|signature| base64(signature.trim_start_matches("v1,")) == mac.as_slice())
    }
}

fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let values = text.chars().filter_map(|c| DIGITS.find(c)).collect::<Vec<_>>();
    let bytes = values.chunks(4).flat_map(|four| {
        let bits = four.iter().fold(0, |bits, value| bits << 6 | value) << (6 * (4 - four.len()));
        [bits >> 16, bits >> 8, bits]
            .into_iter()
            .take(four.len() - 1)
            .map(|byte| (byte & 255) as u8)
            .collect::<Vec<_>>()
    });
    bytes.collect()
}

async fn receive(State(receiver): State<Receiver>, headers: HeaderMap, body: String) -> Response {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let signatures = text("webhook-signature").split(' ').map(str::to_owned).collect();
    let message = Message { id: text("webhook-id"), time: text("webhook-timestamp"), signatures, body };
    receiver.sent.lock().expect("a lock").push(message);
    receiver.answers.lock().expect("a lock").pop().unwrap_or_else(|| StatusCode::NO_CONTENT.into_response())
}

impl Receiver {
    /// A receiver with its own address.
    pub(crate) async fn open() -> Result<(Self, String)> {
        let receiver = Self::default();
        let (address, _) = serve(Router::new().route("/hook", post(receive)).with_state(receiver.clone())).await?;
        Ok((receiver, format!("{address}/hook")))
    }

    pub(crate) fn will_answer(&self, answer: impl IntoResponse) {
        self.answers.lock().expect("a lock").push(answer.into_response());
    }

    pub(crate) fn sent(&self) -> Vec<Message> {
        self.sent.lock().expect("a lock").clone()
    }

    /// Waits until this many messages have arrived.
    async fn came(&self, count: usize) -> Result<Vec<Message>> {
        until(async || {
            let sent = self.sent();
            ensure!(sent.len() >= count, "{count} messages never come: {sent:#?}");
            Ok(sent)
        })
        .await
    }
}

/// A node that sends.
fn node(table: &Table, reach: Reach) -> JoinHandle<()> {
    tokio::spawn(deliver(WebhookSender::new(table.site.app.clone(), reach)))
}

/// Creates a webhook, and returns its page and its secret.
async fn make(umpire: &Guest, address: &str) -> Result<(String, String)> {
    let all = ["match.opened", "decision.asked", "round.resolved", "match.ruled", "match.struck", "match.ended"];
    make_for(umpire, address, &all).await
}

/// Creates a webhook for these kinds.
async fn make_for(umpire: &Guest, address: &str, kinds: &[&str]) -> Result<(String, String)> {
    let kinds: Vec<_> = kinds.iter().map(|kind| (*kind, "on")).collect();
    let form = umpire.get("/umpire/webhooks").await?.fields(&["form"])?.with("address", address).with_all(&kinds);
    let made = umpire.sends("/umpire/webhooks", &form).await?;
    let again = umpire.sends("/umpire/webhooks", &form).await?;
    ensure!(!again.text.contains("whsec_"), "a secret is shown once");
    Ok((format!("/umpire/webhooks/{}", form.value("form")?), secret(&made)?))
}

fn secret(page: &Page) -> Result<String> {
    page.content("#secret")
}

async fn press(umpire: &Guest, page: &str, what: &str) -> Result<Page> {
    let form = umpire.get(page).await?.fields(&["form"])?.with("do", what);
    umpire.sends(page, &form).await
}

async fn round(table: &Table, moves: [&str; 2]) -> Result<()> {
    table.p1.submits(moves[0]).await?.says("move received.")?;
    table.p2.submits(moves[1]).await?.says("move received.")?;
    table.closes().await?;
    Ok(())
}

#[tokio::test]
async fn what_happens_is_sent_in_order_signed_and_once() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let (receiver, address) = Receiver::open().await?;
    let (page, secret) = make(&table.umpire, &address).await?;
    // Two nodes: one of them sends.
    let nodes = [node(&table, Reach::Anywhere), node(&table, Reach::Anywhere)];
    round(&table, ["grow", "claim"]).await?;
    let history = table.history().await?;
    perform(&table.site.app, &history, "rule", json!({ "text": "Go on" })).await?;
    let sent = receiver.came(3).await?;
    let kinds: Vec<String> = sent.iter().map(Message::kind).collect();
    assert_eq!(kinds, ["round.resolved", "decision.asked", "match.ruled"]);
    ensure!(sent.iter().all(|message| message.is_signed_with(&secret)), "{sent:#?}");
    ensure!(!sent[0].is_signed_with("whsec_AAAA"), "any secret fits");
    let (resolved, ruled) = (sent[0].json(), sent[2].json());
    assert_eq!(resolved["data"]["dmn"], "1. grow / claim");
    assert_eq!(resolved["data"]["round"], "1");
    assert_eq!(resolved["data"]["players"]["p1"], "Ada");
    let moment = format!("{}{}/r/1/after", table.site.address, table.public());
    assert_eq!(resolved["data"]["moment"], moment);
    assert_eq!(ruled["data"]["says"], "Go on");
    table.umpire.until(&page, "received: 204").await?;

    // A test and a repeated message: the same id, and nothing else twice.
    press(&table.umpire, &page, "test").await?;
    let sent = receiver.came(4).await?;
    assert_eq!(sent[3].kind(), "matchbook.test");
    table.umpire.post(&page, &[("do", "again"), ("message", &sent[0].id)]).await?;
    let sent = receiver.came(5).await?;
    assert_eq!((&sent[4].id, &sent[4].body), (&sent[0].id, &sent[0].body));

    // A new secret signs beside the old one for a day.
    let rotated = press(&table.umpire, &page, "rotate").await?;
    let newer = self::secret(&rotated)?;
    press(&table.umpire, &page, "test").await?;
    let last = receiver.came(6).await?.pop().context("a message")?;
    ensure!(last.is_signed_with(&secret) && last.is_signed_with(&newer));
    table.passes(24 * 3600 + 1);
    press(&table.umpire, &page, "test").await?;
    let last = receiver.came(7).await?.pop().context("a message")?;
    ensure!(!last.is_signed_with(&secret) && last.is_signed_with(&newer));
    nodes.iter().for_each(JoinHandle::abort);
    Ok(())
}

#[tokio::test]
async fn what_is_not_received_is_sent_again_and_in_its_order() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let (receiver, address) = Receiver::open().await?;
    let (page, _) = make(&table.umpire, &address).await?;
    receiver.will_answer(StatusCode::INTERNAL_SERVER_ERROR);
    let node = node(&table, Reach::Anywhere);
    round(&table, ["grow", "claim"]).await?;
    receiver.came(1).await?;
    table.umpire.until(&page, "it answered 500").await?;
    // The clock does not move, and later messages wait.
    round(&table, ["score", "grow"]).await?;
    assert_eq!(receiver.sent().len(), 1);
    table.passes(7);
    let sent = receiver.came(5).await?;
    assert_eq!((&sent[0].id, &sent[0].body), (&sent[1].id, &sent[1].body));
    let kinds: Vec<String> = sent.iter().skip(1).map(Message::kind).collect();
    assert_eq!(kinds, ["round.resolved", "decision.asked", "round.resolved", "decision.asked"]);

    // A redirect is a failure, and 410 is the end.
    receiver.will_answer((StatusCode::GONE, ""));
    receiver.will_answer((StatusCode::FOUND, [("location", "/elsewhere")]));
    press(&table.umpire, &page, "test").await?;
    table.umpire.until(&page, "redirects are not followed").await?;
    table.passes(7);
    table.umpire.until(&page, "it wants nothing more").await?;
    press(&table.umpire, &page, "start").await?;
    receiver.came(8).await?;
    table.umpire.until(&page, "received: 204").await?;
    node.abort();
    Ok(())
}

#[tokio::test]
async fn a_receiver_that_never_answers_is_given_up_after_three_days() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    // Nothing listens there.
    let (page, _) = make(&table.umpire, "http://127.0.0.1:1/").await?;
    let node = node(&table, Reach::Anywhere);
    press(&table.umpire, &page, "test").await?;
    table.umpire.until(&page, "cannot be reached").await?;
    table.umpire.until(&page, "The receiver does not answer").await?;
    let failures = async || anyhow::Ok(table.umpire.get(&page).await?.text.matches("cannot be reached").count());
    for _ in 0..9 {
        let before = failures().await?;
        table.passes(30 * 3600);
        until(async || {
            ensure!(failures().await? > before, "no more than {before} attempts failed");
            Ok(())
        })
        .await?;
    }
    table.umpire.until(&page, "10 attempts over three days failed").await?;
    node.abort();
    Ok(())
}

#[tokio::test]
async fn an_address_that_is_not_everybodys_is_refused() -> Result<()> {
    let table = Table::with_links(RULESET, false, &[]).await?;
    let (receiver, address) = Receiver::open().await?;
    let node = node(&table, Reach::Public);
    for (address, why) in [
        (address.clone(), "127.0.0.1 is a private address"),
        (address.replace("127.0.0.1", "localhost"), "its name leads to no public address"),
    ] {
        let (page, _) = make(&table.umpire, &address).await?;
        press(&table.umpire, &page, "test").await?;
        table.umpire.until(&page, why).await?;
        press(&table.umpire, &page, "remove").await?;
        table.umpire.get(&page).await?.is(StatusCode::NOT_FOUND)?;
    }
    ensure!(receiver.sent().is_empty());
    let form = table.umpire.get("/umpire/webhooks").await?.field("form")?;
    for (address, kind, why) in [
        ("https://u:p@example.com/", "match.ended", "must not hold a name or a password"),
        ("example.com", "match.ended", "Give the whole address"),
        ("https://example.com/", "nothing", "Choose at least one"),
    ] {
        let fields = [("form", form.as_str()), ("address", address), (kind, "on")];
        table.umpire.post("/umpire/webhooks", &fields).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?.says(why)?;
    }
    // Other users have no access.
    let (page, _) = make(&table.umpire, "https://example.com/").await?;
    let stranger = table.site.visitor()?;
    stranger.get(&page).await?.is(StatusCode::UNAUTHORIZED)?;
    let kept = table.umpire.http.get(format!("{}{page}", table.site.address)).send().await?;
    assert_eq!(kept.headers()["cache-control"], "no-store");
    node.abort();
    Ok(())
}

#[tokio::test]
async fn the_pages_fit_a_phone() -> Result<()> {
    let table = Table::with_links(RULESET, false, &[]).await?;
    let (_, address) = Receiver::open().await?;
    let (page, _) = make(&table.umpire, &address).await?;
    let node = node(&table, Reach::Anywhere);
    press(&table.umpire, &page, "test").await?;
    table.umpire.until(&page, "received: 204").await?;
    for (width, dark) in [(320, true), (1100, false)] {
        let browser = Browser::open(width, dark, true).await?;
        browser.client.goto(&table.site.sign_in_link().await?).await?;
        browser.press("main form button").await?;
        browser.until("Umpire’s desk").await?;
        for (path, name) in [("/umpire/webhooks", "list"), (page.as_str(), "one")] {
            browser.client.goto(&format!("{}{path}", table.site.address)).await?;
            browser.fits(path).await?;
            browser.picture(&format!("webhooks-{name}-{width}")).await?;
        }
        browser.close().await?;
    }
    node.abort();
    Ok(())
}
