//! Killing the program with kill -9 around the end of a clock: an extension begins once, whichever process starts it.

use std::path::Path;
use std::time::Duration;

use ::record::verify::Report;
use anyhow::{Context, Result, ensure};
use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::program::{Program, command, started};
use crate::wait::until;

/// The number of checks before a state counts as stuck, and the interval.
const PATIENCE: u32 = 600;
const LOOK: Duration = Duration::from_millis(100);

/// A client with a token.
struct Caller {
    http: Client,
    token: String,
    sent: u32,
}

impl Caller {
    fn with(token: &str) -> Self {
        Self { http: Client::new(), token: token.to_owned(), sent: 0 }
    }

    async fn ask(&mut self, method: Method, address: String, body: &Value) -> Result<Value> {
        self.sent += 1;
        let request = self.http.request(method.clone(), &address).bearer_auth(&self.token);
        let request = if method == Method::POST {
            request
                .header("idempotency-key", format!("k{}", self.sent))
                .header("content-type", "application/json")
                .body(body.to_string())
        } else {
            request
        };
        let answer = request.send().await?;
        let (status, text) = (answer.status(), answer.text().await?);
        ensure!(status.is_success(), "{address}: {status}: {text}");
        Ok(serde_json::from_str(&text)?)
    }
}

/// A live match of Higher or Lower, with its umpire and its players.
pub(super) struct Cast {
    umpire: Caller,
    seats: Vec<Caller>,
    slug: String,
}

impl Cast {
    /// A match whose clock runs for a seat that chooses a board.
    pub(super) async fn at_a_board(data: &Path, site: &str) -> Result<Self> {
        let token = command(data, &["token", "add", "Ursula", "a test", "--scope", "umpire"])?.output().await?;
        let mut umpire = Caller::with(String::from_utf8(token.stdout)?.trim());
        let new = json!({
            "ruleset": "higher-lower/tempo-up", "players": { "p1": "Ada", "p2": "Bo" }, "dmo": "p2",
            "mode": "live", "clocks": "at-once",
        });
        let opened = umpire.ask(Method::POST, format!("{site}/api/v1/matches"), &new).await?;
        let slug = opened["match"].as_str().context("a match")?.to_owned();
        let mut seats = Vec::new();
        for seat in ["p1", "p2"] {
            let address = format!("{site}/api/v1/matches/{slug}/links");
            let link = umpire.ask(Method::POST, address, &json!({ "seat": seat })).await?;
            seats.push(Caller::with(link["token"].as_str().context("a token")?));
        }
        let mut cast = Self { umpire, seats, slug };
        let state = cast.state(site).await?;
        cast.does(site, "clock/run", &json!({ "head": state["head"] })).await?;
        cast.chooses_a_board(site).await?;
        Ok(cast)
    }

    /// The question that asks for a board.
    pub(super) async fn board(&mut self, site: &str) -> Result<Value> {
        let state = self.state(site).await?;
        let all = state["decisions"].as_array().context("decisions")?;
        all.iter().find(|one| one["what"] == "board").cloned().context("a board is asked for")
    }

    /// The time until a question's deadline.
    pub(super) fn left(question: &Value) -> Result<Duration> {
        let deadline: ledger::Moment = question["deadline"].as_str().context("a deadline")?.parse()?;
        let left = deadline.micros() - app::system::System::real().now().micros();
        Ok(Duration::from_micros(u64::try_from(left).unwrap_or(0)))
    }

    /// The seat that is asked chooses this board.
    pub(super) async fn chooses(&mut self, site: &str, board: &Value) -> Result<Value> {
        let seat = usize::from(board["seats"][0] == "p2");
        let body = json!({ "decision": board["decision"], "text": "A first" });
        self.seats[seat].ask(Method::POST, format!("{site}/api/v1/seat/submissions"), &body).await
    }

    /// The bodies of the entries that extended a clock.
    pub(super) async fn extensions(&self, site: &str) -> Result<Vec<Value>> {
        let lines = self.umpire.http.get(format!("{site}/m/{}.ndjson", self.slug)).send().await?.text().await?;
        let entries = lines.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>()?;
        Ok(entries.into_iter().filter(|entry| entry["kind"] == "extended").map(|entry| entry["body"].clone()).collect())
    }

    /// The match's verification.
    pub(super) async fn verified(&self, site: &str) -> Result<Report> {
        let bundle = self.umpire.http.get(format!("{site}/m/{}.bundle", self.slug)).send().await?.bytes().await?;
        let report = ::record::verify::verify(&::record::Bundle::read(&bundle)?);
        ensure!(report.is_good(), "{report:#?}\n{}", String::from_utf8_lossy(&bundle));
        Ok(report)
    }

    async fn state(&mut self, site: &str) -> Result<Value> {
        let address = format!("{site}/api/v1/matches/{}/state", self.slug);
        self.umpire.ask(Method::GET, address, &Value::Null).await
    }

    async fn does(&mut self, site: &str, what: &str, body: &Value) -> Result<Value> {
        let address = format!("{site}/api/v1/matches/{}/{what}", self.slug);
        self.umpire.ask(Method::POST, address, body).await
    }

    /// Plays until a seat is asked to choose a board.
    async fn chooses_a_board(&mut self, site: &str) -> Result<()> {
        let mut answered = Vec::new();
        for _ in 0..PATIENCE {
            let state = self.state(site).await?;
            if state["draw"].is_object() {
                // The server itself opens the values behind a draw; until then there is nothing to draw.
                drop(self.does(site, "draw", &json!({ "head": state["head"], "early": true })).await);
                tokio::time::sleep(LOOK).await;
                continue;
            }
            for decision in state["decisions"].as_array().context("decisions")?.clone() {
                let (what, id) = (decision["what"].as_str().unwrap_or_default().to_owned(), &decision["decision"]);
                if what == "board" {
                    return Ok(());
                }
                if !["share", "colour"].contains(&what.as_str()) || answered.contains(id) {
                    continue;
                }
                for seat in decision["seats"].as_array().context("seats")? {
                    let seat = usize::from(seat == "p2");
                    let text = if what == "share" { ["the owl is late", "fourteen bottles"][seat] } else { "cyan" };
                    let body = json!({ "decision": id, "text": text });
                    self.seats[seat].ask(Method::POST, format!("{site}/api/v1/seat/submissions"), &body).await?;
                }
                answered.push(id.clone());
                if what == "share" {
                    self.does(site, "close", &json!({ "decision": id })).await?;
                }
            }
            tokio::time::sleep(LOOK).await;
        }
        anyhow::bail!("no board is asked for: {}", self.state(site).await?)
    }
}

#[tokio::test]
async fn killed_around_the_end_of_a_clock_an_extension_begins_once() -> Result<()> {
    let (folder, mut program, _) = started().await?;
    let data = folder.path().join("data");
    let mut cast = Cast::at_a_board(&data, &program.address).await?;
    for n in 0..2_u64 {
        // The clock has 30 seconds, and its end is noticed one second later.
        let site = program.address.clone();
        let left = Cast::left(&cast.board(&site).await?)?;
        tokio::time::sleep(left + Duration::from_millis(1_000 + 25 * n)).await;
        program.kill().await?;
        program = Program::start(&data).await?;
        until(async || {
            let begun = cast.extensions(&program.address).await?;
            // The time for which the program was away is given back besides.
            let begun = begun.iter().filter(|body| body["bank"].is_object()).count();
            ensure!(begun == n as usize + 1, "{begun} extensions after {} deadlines", n + 1);
            Ok(())
        })
        .await?;
    }
    // The seat is still in time, because of the running extension.
    let site = program.address.clone();
    let board = cast.board(&site).await?;
    cast.chooses(&site, &board).await?;
    cast.verified(&site).await?;
    program.kill().await
}
