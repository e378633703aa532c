//! The API: the contents of its page, the promises of its document, and its refusals.

mod away;
mod conforms;
mod desk;
mod given_up;
mod imports;
mod practice;
mod reads;
mod told;

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use app::account::{self, RateLimits, Role, Scope};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use tokio::process::Command;
use web::routes::DiscordApps;

pub(crate) use self::conforms::sample;
use crate::site::{Site, serve};

const RULESET: &str = "five-card-trick/dm-colosseum-2";

/// A program with a token.
pub(crate) struct Program {
    http: reqwest::Client,
    address: String,
    token: String,
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) kind: String,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    async fn read(response: Response) -> Result<Self> {
        let (status, headers) = (response.status(), response.headers().clone());
        let kind = headers.get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_owned();
        Ok(Self { status, kind, headers, text: response.text().await? })
    }

    pub(crate) fn json(&self) -> Result<Value> {
        serde_json::from_str(&self.text).with_context(|| format!("{}: {}", self.status, self.text))
    }

    pub(crate) fn is(self, status: StatusCode) -> Result<Value> {
        ensure!(self.status == status, "{} instead of {status}: {}", self.status, self.text);
        if status.is_client_error() || status.is_server_error() {
            ensure!(self.kind == "application/problem+json", "{}", self.kind);
        }
        self.json()
    }
}

impl Program {
    /// A program with an umpire's token of this scope.
    pub(crate) async fn of(site: &Site, scope: Scope) -> Result<Self> {
        let (pool, system) = (site.app.pool(), site.app.system());
        let mut umpire = match account::named(pool, "Ursula").await {
            Ok(umpire) => umpire,
            Err(_) => account::add(pool, system, &account::OPERATOR, "Ursula").await?,
        };
        if scope == Scope::Admin {
            account::set_role(pool, system, &account::OPERATOR, &umpire, Role::Admin).await?;
            umpire.role = Role::Admin;
        }
        let (token, _) = account::make_token(pool, system, &account::OPERATOR, &umpire, "a test", scope, None).await?;
        Ok(Self::with(site, account::reveal_token(&token)))
    }

    pub(crate) fn with(site: &Site, token: String) -> Self {
        Self { http: reqwest::Client::new(), address: site.address.clone(), token }
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Answer> {
        let request = self.http.get(format!("{}{path}", self.address)).bearer_auth(&self.token);
        Answer::read(request.send().await?).await
    }

    pub(crate) async fn post(&self, path: &str, key: &str, body: &Value) -> Result<Answer> {
        self.send(Method::POST, path, Some(key), "application/json", body.to_string()).await
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        key: Option<&str>,
        kind: &str,
        body: String,
    ) -> Result<Answer> {
        let mut request = self.http.request(method, format!("{}{path}", self.address)).bearer_auth(&self.token);
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        if !kind.is_empty() {
            request = request.header("content-type", kind);
        }
        Answer::read(request.body(body).send().await?).await
    }

    /// Opens a match, and returns the answer.
    async fn opens(&self, key: &str, mode: &str) -> Result<Value> {
        let body = json!({ "ruleset": RULESET, "players": { "p1": "Ada", "p2": "Bo" }, "mode": mode });
        self.post("/api/v1/matches", key, &body).await?.is(StatusCode::CREATED)
    }

    /// Opens a practice match, and returns the answer.
    async fn practises(&self, key: &str, mode: &str) -> Result<Value> {
        let players = json!({ "p1": "Ada", "p2": "Bo" });
        let body =
            json!({ "ruleset": RULESET, "players": players, "mode": mode, "event": "Rehearsal", "practice": true });
        self.post("/api/v1/matches", key, &body).await?.is(StatusCode::CREATED)
    }
}

fn slug(answer: &Value) -> Result<String> {
    Ok(format!("/api/v1/matches/{}", answer["match"].as_str().context("a match")?))
}

#[tokio::test]
async fn the_examples_of_its_page_do_what_the_page_says() -> Result<()> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/api.md"))?;
    let mut known = HashMap::from([("SITE", site.address.clone()), ("TOKEN", program.token.clone())]);
    let commands = page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut ran = 0;
    // A command continues while its quotes are open.
    for command in commands.flat_map(|block| block.trim().split("\ncurl ").collect::<Vec<_>>()) {
        let command = if command.starts_with("export") { continue } else { command.trim_start_matches("curl ") };
        let done = Command::new("bash").args(["-euc", &format!("curl {command}")]).envs(&known).output().await?;
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        ensure!(done.status.success(), "{command}\n{said}\n{}", String::from_utf8_lossy(&done.stderr));
        ran += 1;
        let Ok(answer) = serde_json::from_str::<Value>(&said) else { continue };
        if let Some(slug) = answer["match"].as_str().filter(|slug| slug.len() == 10) {
            known.insert("MATCH", slug.to_owned());
        }
        if answer["head"].is_object() {
            known.insert("HEAD", answer["head"].to_string());
        }
        if let Some(token) = answer["token"].as_str() {
            known.insert("SEAT", token.to_owned());
        }
    }
    ensure!(ran >= 15, "{ran} examples");
    Ok(())
}

#[tokio::test]
async fn the_same_key_acts_once_and_another_request_under_it_is_refused() -> Result<()> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    let body = json!({ "ruleset": RULESET, "players": { "p1": "Ada", "p2": "Bo" }, "mode": "live" });
    let (one, two) =
        (program.post("/api/v1/matches", "\"a\"", &body).await?, program.post("/api/v1/matches", "a", &body).await?);
    assert_eq!((one.status, &one.text), (two.status, &two.text));
    assert_eq!(one.headers.get("location"), two.headers.get("location"));
    assert_eq!(
        (one.headers.get("idempotency-replayed").is_some(), two.headers.get("idempotency-replayed").is_some()),
        (false, true)
    );
    let other = json!({ "ruleset": RULESET, "players": { "p1": "Ada", "p2": "Cy" } });
    let refused = program.post("/api/v1/matches", "a", &other).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    ensure!(refused["detail"].to_string().contains("Idempotency-Key"), "{refused}");
    // An unreadable request was not carried out, and its key can be used for the corrected one.
    let text = body.to_string();
    for (key, kind, broken) in [("kind", "text/plain", text.clone()), ("form", "application/json", "{".to_owned())] {
        let refused = program.send(Method::POST, "/api/v1/matches", Some(key), kind, broken).await?;
        ensure!(refused.status.is_client_error(), "{}", refused.text);
        let mended = program.post("/api/v1/matches", key, &body).await?;
        ensure!(!mended.headers.contains_key("idempotency-replayed"), "{}", mended.text);
        mended.is(StatusCode::CREATED)?;
    }
    // A link is shown once, and again to a client that lost the answer; the database never contains it in plain text.
    let at = slug(&one.json()?)?;
    let (to, seat) = (format!("{at}/links"), json!({ "seat": "p1" }));
    let made = program.post(&to, "l", &seat).await?.json()?;
    let again = program.post(&to, "l", &seat).await?.json()?;
    let new = program.post(&to, "m", &seat).await?.json()?;
    ensure!(made["token"] == again["token"] && made["token"] != new["token"], "{made} {again} {new}");
    let kept: Vec<Vec<u8>> = sqlx::query_scalar("select answer from api_answers").fetch_all(site.app.pool()).await?;
    let token = made["token"].as_str().context("a token")?;
    ensure!(
        !kept.iter().any(|kept| kept.windows(token.len()).any(|part| part == token.as_bytes())),
        "a token in the open"
    );
    // Many at once: only one acts.
    let all = (0..8).map(|_| program.post("/api/v1/matches", "many", &body));
    let mut slugs = std::collections::BTreeSet::new();
    for answer in futures(all).await {
        let answer = answer?;
        match answer.status {
            StatusCode::CREATED => drop(slugs.insert(answer.json()?["match"].to_string())),
            StatusCode::CONFLICT => ensure!(answer.headers.contains_key("retry-after"), "when to try again"),
            status => anyhow::bail!("{status}: {}", answer.text),
        }
    }
    assert_eq!(slugs.len(), 1);
    program
        .send(Method::POST, "/api/v1/matches", None, "application/json", body.to_string())
        .await?
        .is(StatusCode::BAD_REQUEST)?;
    Ok(())
}

async fn futures<T>(all: impl Iterator<Item = impl Future<Output = T>>) -> Vec<T> {
    let mut answers = Vec::new();
    let mut all: Vec<_> = all.map(Box::pin).collect();
    std::future::poll_fn(|context| {
        let mut n = 0;
        while n < all.len() {
            match all[n].as_mut().poll(context) {
                std::task::Poll::Ready(answer) => {
                    answers.push(answer);
                    drop(all.swap_remove(n));
                }
                std::task::Poll::Pending => n += 1,
            }
        }
        if all.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    answers
}

#[tokio::test]
async fn a_link_is_revoked_in_its_own_match() -> Result<()> {
    let site = Site::start().await?;
    let umpire = Program::of(&site, Scope::Umpire).await?;
    let [at, other] =
        [umpire.opens("one", "live").await?, umpire.opens("two", "live").await?].map(|opened| slug(&opened));
    let (at, other) = (at?, other?);
    let link = json!({ "seat": "p1" });
    let made = umpire.post(&format!("{at}/links"), "link", &link).await?.is(StatusCode::CREATED)?;
    let token: account::Token = made["token"].as_str().context("a token")?.parse()?;
    let (_, cookie) = account::player::follow(site.app.pool(), site.app.system(), &token).await?;
    let seated = async || {
        let chairs =
            account::player::of_cookies(site.app.pool(), site.app.system(), std::slice::from_ref(&cookie)).await?;
        Ok::<_, anyhow::Error>(chairs[0].is_some())
    };
    let links = umpire.get(&format!("{at}/links")).await?.is(StatusCode::OK)?;
    let id = links["links"][0]["id"].as_str().context("an id")?.to_owned();
    for (place, stays) in [(&other, true), (&at, false)] {
        let gone = umpire.send(Method::DELETE, &format!("{place}/links/{id}"), None, "", String::new()).await?;
        assert_eq!(gone.status, StatusCode::NO_CONTENT);
        assert_eq!(seated().await?, stays, "revoked under {place}");
    }
    Ok(())
}

#[tokio::test]
async fn scopes_hold_and_tokens_end() -> Result<()> {
    let site = Site::start().await?;
    let (reader, umpire) = (Program::of(&site, Scope::Read).await?, Program::of(&site, Scope::Umpire).await?);
    let admin = Program::of(&site, Scope::Admin).await?;
    let body = json!({ "ruleset": RULESET, "players": { "p1": "Ada", "p2": "Bo" } });
    reader.post("/api/v1/matches", "a", &body).await?.is(StatusCode::FORBIDDEN)?;
    umpire.get("/api/v1/umpires").await?.is(StatusCode::FORBIDDEN)?;
    let people = admin.get("/api/v1/umpires").await?.is(StatusCode::OK)?;
    assert_eq!(people["umpires"][0]["role"], "admin");
    assert_eq!(umpire.get("/api/v1/me").await?.is(StatusCode::OK)?["scope"], "umpire");
    reader.get("/api/v1/me").await?.is(StatusCode::OK)?;
    let all = admin.get("/api/v1/tokens").await?.is(StatusCode::OK)?;
    let id = all["tokens"].as_array().context("tokens")?.iter().find(|token| token["scope"] == "read");
    let path = format!("/api/v1/tokens/{}", id.context("the reader's")?["id"].as_str().context("an id")?);
    assert_eq!(admin.send(Method::DELETE, &path, None, "", String::new()).await?.status, StatusCode::NO_CONTENT);
    let gone = reader.get("/api/v1/me").await?;
    ensure!(gone.headers.contains_key("www-authenticate"), "RFC 6750");
    gone.is(StatusCode::UNAUTHORIZED)?;
    // An umpire who loses the admin role loses the scope of the token, too.
    let other = account::add(site.app.pool(), site.app.system(), &account::OPERATOR, "Linus").await?;
    account::set_role(site.app.pool(), site.app.system(), &account::OPERATOR, &other, Role::Admin).await?;
    let ursula = account::named(site.app.pool(), "Ursula").await?;
    account::set_role(site.app.pool(), site.app.system(), &account::OPERATOR, &ursula, Role::Umpire).await?;
    admin.get("/api/v1/umpires").await?.is(StatusCode::FORBIDDEN)?;
    // A cookie has no effect here.
    let browser = site.umpire().await?;
    assert_eq!(browser.get("/api/v1/me").await?.status, StatusCode::UNAUTHORIZED);
    Ok(())
}

#[tokio::test]
async fn readers_ask_again_for_nothing_and_pages_of_other_sites_may_read() -> Result<()> {
    let site = Site::start().await?;
    let umpire = Program::of(&site, Scope::Umpire).await?;
    let at = slug(&umpire.opens("open", "recorded").await?)?;
    let http = reqwest::Client::new();
    let first = http.get(format!("{}{at}/state", site.address)).send().await?;
    let head = |answer: &Response, name: &str| {
        answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
    };
    assert_eq!(head(&first, "access-control-allow-origin"), "*");
    let tag = head(&first, "etag");
    let again = http.get(format!("{}{at}/state", site.address)).header("if-none-match", &tag).send().await?;
    // Also by its id, as in lists and entries.
    let slug = at.rsplit('/').next().context("a match")?;
    let id = site.app.matches.match_of(slug).await?;
    let by_id =
        http.get(format!("{}/state", format!("{}{at}", site.address).replace(slug, &id.to_string()))).send().await?;
    ensure!(by_id.headers().get("etag").is_some_and(|named| *named == tag), "{:?}", by_id.headers());
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    let asked = http
        .request(Method::OPTIONS, format!("{}/api/v1/matches", site.address))
        .header("origin", "https://elsewhere.example");
    let asked = asked.header("access-control-request-method", "POST").send().await?;
    assert_eq!((asked.status(), head(&asked, "access-control-allow-origin").as_str()), (StatusCode::NO_CONTENT, "*"));
    ensure!(head(&asked, "access-control-allow-headers").contains("idempotency-key"), "the key may be sent");
    // Files of the list can also be read from elsewhere, and nothing can be sent there.
    for (method, status) in [("GET", StatusCode::NO_CONTENT), ("POST", StatusCode::FORBIDDEN)] {
        let asked = http.request(Method::OPTIONS, format!("{}/archive.ndjson", site.address));
        let asked = asked.header("origin", "https://elsewhere.example").header("access-control-request-method", method);
        let asked = asked.header("access-control-request-headers", "if-none-match").send().await?;
        assert_eq!(asked.status(), status, "{method}");
    }
    let file = http.get(format!("{}/archive.ndjson", site.address)).send().await?;
    ensure!(head(&file, "access-control-expose-headers").contains("etag"), "its tag may be read");
    let untaken = http.put(format!("{}/archive.json", site.address)).send().await?;
    assert_eq!(untaken.status(), StatusCode::METHOD_NOT_ALLOWED);
    ensure!(untaken.text().await?.contains("This address takes GET and HEAD, and not PUT."), "says what it takes");
    let lines = http.get(format!("{}/api/v1/matches.ndjson", site.address)).send().await?.text().await?;
    assert_eq!(lines.lines().count(), 1);
    let entries = http.get(format!("{}{at}/entries?from=1", site.address)).send().await?.text().await?;
    ensure!(entries.lines().all(|line| line.contains("\"seq\":")) && !entries.is_empty(), "{entries}");
    Ok(())
}

#[tokio::test]
async fn too_many_requests_are_told_when_to_come_again() -> Result<()> {
    let site = Site::start().await?;
    let limits = Arc::new(RateLimits::new(1));
    let (address, _) = serve(web::routes::site(site.app.clone(), limits, DiscordApps::default())).await?;
    let program = Program { address, ..Program::of(&site, Scope::Read).await? };
    // Ten at once, and one more for each second that these take.
    for _ in 0..100 {
        let answer = program.get("/api/v1/me").await?;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            ensure!(answer.headers.contains_key("retry-after"), "when to try again");
            answer.is(StatusCode::TOO_MANY_REQUESTS)?;
            return Ok(());
        }
        answer.is(StatusCode::OK)?;
    }
    bail!("a hundred requests were let in")
}
