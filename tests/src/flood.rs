//! Readers who ask for all that a site can answer, while players send moves: no clock and no move waits for them.

use std::env;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use app::{Act, form_of};
use ledger::Kind;
use reqwest::header::ACCEPT_ENCODING;
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout, timeout_at};

use crate::play::table::{RULESET, Table};
use crate::program::{command, started};
use crate::site::Site;
use crate::wait::until;

/// More than there are threads of readers on any machine that tests run on.
const HELD: usize = 256;

/// Idempotency keys so far.
static KEYS: AtomicU64 = AtomicU64::new(0);

/// A program that acts with a token.
struct Caller {
    http: Client,
    address: String,
    token: String,
}

impl Caller {
    async fn sends(&self, path: &str, body: &Value) -> Result<Response> {
        let key = format!("flood-{}", KEYS.fetch_add(1, Ordering::Relaxed));
        let request = self.http.post(format!("{}{path}", self.address)).bearer_auth(&self.token);
        let request = request.header("idempotency-key", key).header("content-type", "application/json");
        Ok(request.body(body.to_string()).send().await?)
    }

    async fn acts(&self, path: &str, body: &Value) -> Result<Value> {
        let answer = self.sends(path, body).await?;
        let (status, text) = (answer.status(), answer.text().await?);
        ensure!(status.is_success(), "{path}: {status}: {text}");
        Ok(serde_json::from_str(&text)?)
    }

    async fn submits(&self, decision: &str, text: &str) -> Result<()> {
        self.acts("/api/v1/seat/submissions", &json!({ "decision": decision, "text": text })).await.map(drop)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_readers_hold_every_thread_moves_are_received_a_round_closes_and_the_heart_beats() -> Result<()> {
    let site = Site::start().await?;
    let beating = tokio::spawn(site.app.recorder.clone().beats());
    let table = Table::on(site, RULESET, true, &[]).await?;
    let app = &table.site.app;
    let (mut seats, history) = (Vec::new(), table.history().await?);
    for seat in ["p1", "p2"] {
        let token = table.link(seat).await?.rsplit('/').next().context("a token")?.to_owned();
        seats.push(Caller { http: Client::new(), address: table.site.address.clone(), token });
    }
    let decision = &history.open.first().context("a question")?.asked.decision;
    let beat = async || -> Result<Option<String>> {
        let at = sqlx::query_scalar("select max(at)::text from heartbeat");
        Ok(at.fetch_one(&mut table.site.owner().await?).await?)
    };

    let (gate, held) = mpsc::channel::<()>();
    let held = Arc::new(Mutex::new(held));
    let hold = |_| {
        let held = held.clone();
        app.readers().begin(async move { drop(held.lock().map(|held| held.recv())) })
    };
    let mut readers: Vec<_> = (0..HELD).map(hold).collect();
    let guest = table.site.visitor()?;
    let mut page = Box::pin(guest.get("/style"));
    let mut is_drawn = async || timeout(Duration::ZERO, &mut page).await.is_ok();
    let before = beat().await?;
    ensure!(!is_drawn().await, "a reader\u{2019}s thread is free");
    for (seat, text) in seats.iter().zip(["grow", "claim"]) {
        seat.submits(decision.as_str(), text).await?;
    }
    let act = Act { by: history.umpire_now().clone(), form: form_of(&["close", "while readers hold every thread"]) };
    app.recorder.close_now(&act, history.match_id, decision).await?;
    until(async || (beat().await? > before).then_some(()).context("its heart stands still")).await?;
    ensure!(!is_drawn().await, "a reader\u{2019}s thread is free");
    drop(gate);
    page.await?.is(StatusCode::OK)?;
    for reader in &mut readers {
        reader.join_next().await;
    }
    assert_eq!((table.of_kind(Kind::Resolved).await?, table.of_kind(Kind::Extended).await?), (1, 0));
    beating.abort();
    Ok(())
}

/// The connections of the flood, all from one address.
const CONNECTIONS: usize = 150;
const FLOOD: Duration = Duration::from_secs(8);
/// The time between two submissions.
const BETWEEN: Duration = Duration::from_millis(150);
/// Addresses of every kind. `{m}` is the running match.
const ADDRESSES: [&str; 15] = [
    "/openapi.json",
    "/style",
    "/assets/matchbook.css",
    "/tile/entries/000.p/{entries}",
    "/suggest.json?q=kestral",
    "/",
    "/archive?q={n}",
    "/m/{m}",
    "/m/{m}/live",
    "/m/{m}/verify",
    "/m/{m}/r/1/before.png?{n}",
    "/play/m/{m}/p1",
    "/api/v1/matches",
    "/nowhere",
    // Forms of a seat that nobody has.
    "POST /play/m/{m}/p1/submit",
];

/// Asks again and again until the time is over. Gives the number of answers, and of those that were refused.
async fn floods(site: &str, address: &str, until: Instant) -> (u64, u64) {
    let mut asking = JoinSet::new();
    for connection in 0..CONNECTIONS {
        let (method, address) = match address.strip_prefix("POST ") {
            Some(address) => (Method::POST, address),
            None => (Method::GET, address),
        };
        let (http, address) = (Client::new(), format!("{site}{address}"));
        asking.spawn(async move {
            let (mut answered, mut refused) = (0, 0);
            while Instant::now() < until {
                let address = address.replace("{n}", &format!("{connection}x{answered}"));
                let asked = http.request(method.clone(), address).header(ACCEPT_ENCODING, "gzip");
                let form = [("decision", "d1"), ("submit", "0"), ("move", "grow")];
                let asked = if method == Method::POST { asked.form(&form) } else { asked };
                let Ok(Ok(answer)) = timeout_at(until, asked.send()).await else { continue };
                answered += 1;
                refused += u64::from(answer.status() == StatusCode::TOO_MANY_REQUESTS);
                drop(timeout_at(until, answer.bytes()).await);
            }
            (answered, refused)
        });
    }
    asking.join_all().await.into_iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a benchmark: MATCHBOOK_PROGRAM=... says of which program"]
#[expect(clippy::too_many_lines, reason = "one row for each address")]
async fn submissions_under_a_flood_of_one_address() -> Result<()> {
    let (folder, program, _) = started().await?;
    let mut made = command(&folder.path().join("data"), &["token", "add", "Ursula", "flood", "--scope", "umpire"])?;
    let made = String::from_utf8(made.output().await?.stdout)?;
    let token = made.split_whitespace().last().context("a token")?.to_owned();
    let caller = |token: String| Caller { http: Client::new(), address: program.address.clone(), token };
    let umpire = caller(token);
    println!("| address | answers/s | 429 | submissions | p50 ms | p99 ms | longest ms | extended | seconds given |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let only = env::var("MATCHBOOK_FLOOD").ok();
    for address in ADDRESSES.into_iter().filter(|address| only.as_deref().is_none_or(|only| address.contains(only))) {
        let new =
            json!({ "ruleset": RULESET, "players": { "p1": "Ada", "p2": "Bo" }, "mode": "live", "clocks": "at-once" });
        let opened = umpire.acts("/api/v1/matches", &new).await?;
        let path = format!("/api/v1/matches/{}", opened["match"].as_str().context("a match")?);
        let mut seats = Vec::new();
        for seat in ["p1", "p2"] {
            let link = umpire.acts(&format!("{path}/links"), &json!({ "seat": seat })).await?;
            seats.push(caller(link["token"].as_str().context("a token")?.to_owned()));
        }
        let state = async || -> Result<Value> {
            let answer = umpire.http.get(format!("{}{path}/state", program.address)).bearer_auth(&umpire.token).send();
            Ok(serde_json::from_str(&answer.await?.text().await?)?)
        };
        umpire.acts(&format!("{path}/clock/run"), &json!({ "head": state().await?["head"] })).await?;
        let decision = state().await?["decisions"][0]["decision"].as_str().context("a question")?.to_owned();

        let slug = path.rsplit('/').next().context("a match")?;
        let checkpoint = umpire.http.get(format!("{}/checkpoint", program.address)).send().await?.text().await?;
        let entries = checkpoint.lines().nth(1).context("a size")?.to_owned();
        let flooded = address.replace("{m}", slug).replace("{entries}", &entries);
        let until = Instant::now() + FLOOD;
        let site = program.address.clone();
        let flood = tokio::spawn(async move { floods(&site, &flooded, until).await });
        let (mut took, mut ticks) = (Vec::new(), interval(BETWEEN));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks.tick().await;
        while Instant::now() < until {
            ticks.tick().await;
            let (seat, sent) = (&seats[took.len() % 2], Instant::now());
            seat.submits(&decision, ["grow", "claim"][took.len() / 2 % 2]).await?;
            took.push(sent.elapsed().as_secs_f64() * 1e3);
        }
        let (answered, refused) = flood.await?;
        // What an outage took is given back before anything closes.
        umpire.acts(&format!("{path}/close"), &json!({ "decision": decision })).await?;
        let entries = umpire.http.get(format!("{}/m/{slug}.ndjson", program.address)).send().await?.text().await?;
        let given = entries.lines().filter(|line| line.contains("\"outage\":{"));
        let given: Vec<u64> = given
            .filter_map(|line| {
                line.split_once("\"seconds\":")?.1.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
            })
            .collect();
        took.sort_by(f64::total_cmp);
        let percentile = |of_a_hundred: usize| took[(took.len() * of_a_hundred / 100).min(took.len() - 1)];
        println!(
            "| {address} | {:.0} | {refused} | {} | {:.0} | {:.0} | {:.0} | {} | {} |",
            answered as f64 / FLOOD.as_secs_f64(),
            took.len(),
            percentile(50),
            percentile(99),
            percentile(100),
            given.len(),
            given.iter().sum::<u64>(),
        );
    }
    program.kill().await
}
