//! Two players and an umpire who send everything again until it is acknowledged, while somebody else breaks the site; and all
//! that they were told, for the comparison with the record.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use ledger::{SignedReceipt, Tree};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use crate::comparison::{Request, Served, Told, Wrong, checkpoint};
use crate::play::table::RULESET;

/// How long anything may take that is tried again.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);
const BETWEEN: Duration = Duration::from_millis(10);
/// Of so many requests one is given up, after 1 to 50 ms, and sent again.
const HANGS_UP: u64 = 4;
/// The number of Idempotency-Keys so far: umpires have the same token in all duels of a process.
static KEYS: AtomicU64 = AtomicU64::new(0);
const MOVES: [&str; 4] = ["grow", "claim", "score grow", "steal"];

/// An act that was acknowledged: when it was sent, and when its answer came.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answered {
    sent: Instant,
    at: Instant,
}

/// The duels on a site.
pub(crate) struct Duels {
    http: Client,
    address: String,
    finished: AtomicBool,
    broken_off: AtomicBool,
    answered: Mutex<Vec<Answered>>,
    /// The one that was sent last.
    latest: watch::Sender<Option<Answered>>,
    told: Mutex<BTreeMap<String, Told>>,
    checkpoints: Mutex<Vec<Tree>>,
}

/// A client with a token.
struct Caller<'d> {
    duels: &'d Duels,
    token: String,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Duels {
    /// No duels yet, on the site at this address.
    pub(crate) fn on(address: &str) -> Result<Arc<Self>> {
        // It gives up soon, and tries again.
        let http = Client::builder().timeout(Duration::from_secs(4)).build()?;
        Ok(Arc::new(Self {
            http,
            address: address.to_owned(),
            finished: AtomicBool::new(false),
            broken_off: AtomicBool::new(false),
            answered: Mutex::default(),
            latest: watch::Sender::new(None),
            told: Mutex::default(),
            checkpoints: Mutex::default(),
        }))
    }

    fn acknowledged(&self, answered: Answered) {
        lock(&self.answered).push(answered);
        self.latest.send_modify(|latest| {
            if latest.is_none_or(|latest| latest.sent < answered.sent) {
                *latest = Some(answered);
            }
        });
    }

    /// Waits until this many more acts were acknowledged.
    pub(crate) async fn more(&self, count: usize) -> Result<()> {
        let wanted = lock(&self.answered).len() + count;
        let enough = self.latest.subscribe();
        let waits = async {
            let mut enough = enough;
            while lock(&self.answered).len() < wanted {
                enough.changed().await?;
            }
            anyhow::Ok(())
        };
        timeout(PATIENCE, waits).await.with_context(|| format!("nobody could act for {PATIENCE:?}"))?
    }

    /// Waits for the first answer to a request that was sent after a moment, and gives the time since then.
    pub(crate) async fn out_of_service(&self, since: Instant) -> Result<Duration> {
        let mut latest = self.latest.subscribe();
        let served = latest.wait_for(|latest| latest.is_some_and(|latest| latest.sent > since));
        drop(timeout(PATIENCE, served).await.with_context(|| format!("nobody could act for {PATIENCE:?}"))??);
        self.gap(since).context("an answer")
    }

    /// The time from a moment to the first answer to what was sent after it; none if there was no answer.
    pub(crate) fn gap(&self, since: Instant) -> Option<Duration> {
        let answered = lock(&self.answered);
        let later = answered.iter().rev().take_while(|answered| answered.at > since);
        later.filter(|answered| answered.sent > since).map(|answered| answered.at - since).min()
    }

    /// The number of acts that were acknowledged, and of receipts.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let receipts = lock(&self.told).values().map(|told| told.receipts.len()).sum();
        (lock(&self.answered).len(), receipts)
    }

    /// Lets every duel be played to its end, and none begin after it.
    pub(crate) fn finish(&self) {
        self.finished.store(true, Ordering::SeqCst);
    }

    /// Lets every duel end with its round: its umpire rules that it is undecided. To play one to its end takes many seconds.
    pub(crate) fn break_off(&self) {
        self.broken_off.store(true, Ordering::SeqCst);
        self.finish();
    }

    fn is_finished(&self) -> bool {
        self.finished.load(Ordering::SeqCst)
    }

    fn is_broken_off(&self) -> bool {
        self.broken_off.load(Ordering::SeqCst)
    }

    /// Compares the record with everything that was told.
    pub(crate) async fn compare(&self) -> Result<Vec<Wrong>> {
        let (told, checkpoints) = (lock(&self.told).clone(), lock(&self.checkpoints).clone());
        let http = Client::builder().timeout(Duration::from_secs(60)).build()?;
        Served { http: &http, address: &self.address }.compare(&told, &checkpoints).await
    }

    /// Keeps the checkpoints that the site publishes, until all is finished.
    pub(crate) async fn keep_checkpoints(self: Arc<Self>) -> Result<()> {
        while !self.is_finished() {
            let answer = self.http.get(format!("{}/checkpoint", self.address)).send().await;
            if let Ok(answer) = answer
                && answer.status() == StatusCode::OK
                && let Ok(note) = answer.bytes().await
            {
                lock(&self.checkpoints).push(checkpoint(&note)?);
            }
            sleep(Duration::from_millis(100)).await;
        }
        Ok(())
    }

    /// Plays matches until all is finished, with the token of an umpire: with clocks, and rounds that close early; without
    /// clocks; with clocks; without.
    pub(crate) async fn play(self: Arc<Self>, token: String) -> Result<()> {
        let umpire = Caller { duels: &self, token };
        for number in 0.. {
            if self.is_finished() {
                break;
            }
            let (clocks, early) = (if number % 2 == 0 { "at-once" } else { "off" }, number % 4 == 0);
            let played = self.play_match(&umpire, clocks, early).await;
            played.with_context(|| format!("match {number}, clocks {clocks}, early {early}"))?;
        }
        Ok(())
    }

    async fn play_match(&self, umpire: &Caller<'_>, clocks: &str, early: bool) -> Result<()> {
        let players = json!({ "p1": "Ada", "p2": "Bo" });
        let new = json!({ "ruleset": RULESET, "players": players, "mode": "live", "clocks": clocks, "early": early });
        let opened = umpire.post("/api/v1/matches", &new).await?;
        let slug = opened["match"].as_str().context("a match")?.to_owned();
        let path = format!("/api/v1/matches/{slug}");
        let mut seats = Vec::new();
        for seat in ["p1", "p2"] {
            let link = umpire.post(&format!("{path}/links"), &json!({ "seat": seat })).await?;
            seats.push(Caller { duels: self, token: link["token"].as_str().context("a token")?.to_owned() });
        }
        if clocks == "at-once" {
            let state = umpire.get(&format!("{path}/state")).await?;
            umpire.post(&format!("{path}/clock/run"), &json!({ "head": state["head"] })).await?;
        }
        lock(&self.told).insert(slug.clone(), Told::default());
        let mut asked = asked_next(umpire, &path, None).await?;
        for round in 0.. {
            let Some(decision) = asked else { break };
            for (seat, player) in seats.iter().enumerate() {
                let text = MOVES[(round + seat) % MOVES.len()];
                // Every third round a player thinks again.
                let again = (round % 3 == 2).then_some(("claim", false));
                for (text, is_final) in again.into_iter().chain([(text, early)]) {
                    let sent = json!({ "decision": decision, "text": text, "final": is_final });
                    let receipt = player.post("/api/v1/seat/submissions", &sent).await?;
                    let receipt = SignedReceipt::read(receipt["text"].as_str().context("a receipt")?.as_bytes())?;
                    self.tell(&slug, |told| told.receipts.push(receipt));
                }
            }
            // Where both called their moves final, nobody closes it: it closes.
            if !early {
                umpire.post(&format!("{path}/close"), &json!({ "decision": decision })).await?;
            }
            asked = asked_next(umpire, &path, Some(&decision)).await?;
            self.tell(&slug, |told| told.closed.push(decision));
            if asked.is_some() && self.is_broken_off() {
                umpire.rules_undecided(&path).await?;
                break;
            }
        }
        // One that stays open keeps its lines in the journal, and is settled at each start.
        umpire.enters_the_result(&path).await
    }

    fn tell(&self, slug: &str, tell: impl FnOnce(&mut Told)) {
        lock(&self.told).get_mut(slug).map(tell);
    }
}

/// The question after this one, once it is asked; none after the end.
async fn asked_next(umpire: &Caller<'_>, path: &str, last: Option<&str>) -> Result<Option<String>> {
    let began = Instant::now();
    loop {
        let state = umpire.get(&format!("{path}/state")).await?;
        match state["decisions"][0]["decision"].as_str() {
            Some(asked) if last != Some(asked) => return Ok(Some(asked.to_owned())),
            None if state["result"]["status"] != "running" => return Ok(None),
            _ => ensure!(began.elapsed() < PATIENCE, "{path}: {last:?} did not close for {PATIENCE:?}"),
        }
        sleep(BETWEEN).await;
    }
}

impl Caller<'_> {
    async fn get(&self, path: &str) -> Result<Value> {
        self.send(Method::GET, path, &Value::Null).await
    }

    async fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.send(Method::POST, path, body).await
    }

    /// Ends a match that is played.
    async fn enters_the_result(&self, path: &str) -> Result<()> {
        self.acts_on_head(path, "end", json!({}), |result| result["entered"] == true).await
    }

    /// Decides a match that still runs.
    async fn rules_undecided(&self, path: &str) -> Result<()> {
        let ruling = json!({ "text": "Both have seen enough.", "result": "undecided" });
        self.acts_on_head(path, "rulings", ruling, |result| result["status"] != "running").await
    }

    /// Acts on the newest state of a match, again and again until its result says that it is done.
    async fn acts_on_head(
        &self,
        path: &str,
        act: &str,
        mut body: Value,
        is_done: impl Fn(&Value) -> bool,
    ) -> Result<()> {
        let began = Instant::now();
        loop {
            let state = self.get(&format!("{path}/state")).await?;
            if is_done(&state["result"]) {
                return Ok(());
            }
            ensure!(began.elapsed() < PATIENCE, "{path}/{act}: not done for {PATIENCE:?}: {state}");
            let key = format!("key-{}", KEYS.fetch_add(1, Ordering::SeqCst));
            body["head"] = state["head"].clone();
            drop(self.once(&Method::POST, &format!("{path}/{act}"), &key, &body).await);
            sleep(BETWEEN).await;
        }
    }

    /// Sends a request until it is acknowledged.
    async fn send(&self, method: Method, path: &str, body: &Value) -> Result<Value> {
        let number = KEYS.fetch_add(1, Ordering::SeqCst);
        let mut waits =
            if number.is_multiple_of(HANGS_UP) { Duration::from_millis(1 + number / HANGS_UP % 50) } else { PATIENCE };
        let began = Instant::now();
        let mut request = Request::begun(format!("key-{number}"), began);
        loop {
            let sent = Instant::now();
            let once = timeout(waits, self.once(&method, path, &request.key, body)).await;
            waits = PATIENCE;
            let Ok(once) = once else {
                request.is_given_up(Instant::now());
                continue;
            };
            let why = match once {
                Ok((status, text)) if status.is_success() => {
                    if method == Method::POST {
                        self.duels.acknowledged(Answered { sent, at: Instant::now() });
                    }
                    return Ok(serde_json::from_str(&text)?);
                }
                Ok((status, text)) => match request.may_pass(status, &text, Instant::now()) {
                    Ok(true) => format!("{status}: {text}"),
                    Ok(false) => bail!("{path}: {body}: {status}: {text}"),
                    Err(locked) => bail!("{path}: {locked}"),
                },
                Err(error) => {
                    if error.is_timeout() {
                        request.is_given_up(Instant::now());
                    }
                    error.to_string()
                }
            };
            ensure!(began.elapsed() < PATIENCE, "{path}: not acknowledged for {PATIENCE:?}: {why}");
            sleep(BETWEEN).await;
        }
    }

    async fn once(
        &self,
        method: &Method,
        path: &str,
        key: &str,
        body: &Value,
    ) -> reqwest::Result<(StatusCode, String)> {
        let address = format!("{}{path}", self.duels.address);
        let mut request = self.duels.http.request(method.clone(), address).bearer_auth(&self.token);
        if *method == Method::POST {
            request = request.header("idempotency-key", key).header("content-type", "application/json");
            request = request.body(body.to_string());
        }
        let answer = request.send().await?;
        Ok((answer.status(), answer.text().await?))
    }
}
