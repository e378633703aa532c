//! Two versions on one database: what the newer one has changed, and a site that is upgraded node by node under load.
//!
//! With `MATCHBOOK_OLD_BINARY` the older node is that program, and otherwise this version's, as in a restart without a stop.
//! `make upgrade-test` builds the program of the last tag for it, and shows which migrations ran under load.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;
use serde_json::{Value, json};
use sqlx::query_scalar;
use store::MIGRATIONS;

use crate::play::table::RULESET;
use crate::program::{Program, binary, command, command_of, started, started_as};
use crate::site::{Guest, Site};
use crate::wait::until;
use crate::whole_match::{fixture, open, record};

/// The exit code of a program that is too old for the database.
const NEWER_SCHEMA: i32 = 3;
/// How many requests each part of the load makes before the next step.
const REQUESTS: u32 = 6;

async fn sql(data: &Path, statement: &str) -> Result<String> {
    let done = command(data, &["db", "psql"])?.args(["--", "-AtqX", "-c", statement]).output().await?;
    ensure!(done.status.success(), "{done:?}");
    Ok(String::from_utf8(done.stdout)?)
}

/// Migrations by number, with their names.
type Migrations = BTreeMap<i64, String>;

/// Those of this tree.
fn own_migrations() -> Migrations {
    MIGRATIONS.iter().map(|migration| (migration.version, migration.description.to_string())).collect()
}

/// Those that a database has.
async fn migrations(data: &Path) -> Result<Migrations> {
    let rows = sql(data, "select version || ' ' || description from _sqlx_migrations where success").await?;
    let migration = |row: &str| {
        let (version, name) = row.split_once(' ').context("a migration")?;
        anyhow::Ok((version.parse::<i64>()?, name.to_owned()))
    };
    rows.lines().map(migration).collect()
}

/// Says which migrations the newer program ran on the database of the older one: each of its own that was missing.
fn ran(own: &Migrations, before: &Migrations, after: &Migrations) -> Result<String> {
    let missing: Vec<_> = own.iter().filter(|(version, _)| !before.contains_key(*version)).collect();
    let run: Vec<_> = after.iter().filter(|(version, _)| !before.contains_key(*version)).collect();
    ensure!(run == missing, "these were to run: {missing:?}, and these did: {run:?}");
    let last = |all: &Migrations| all.keys().next_back().copied().unwrap_or_default();
    let (before, after) = (last(before), last(after));
    if run.is_empty() {
        return Ok(format!("no migration ran: the older program has all of them, up to {before}"));
    }
    ensure!(after > before, "the newest migration was {before}, and is {after}");
    let run: Vec<_> = run.into_iter().map(|(version, name)| format!("{version} ({name})")).collect();
    Ok(format!("from migration {before} to {after}, under load: {}", run.join(", ")))
}

#[test]
fn an_upgrade_that_runs_no_migration_is_noticed() -> Result<()> {
    let own = own_migrations();
    let (last, name) = own.last_key_value().context("a migration")?;
    let mut older = own.clone();
    older.remove(last);
    let said = ran(&own, &older, &own)?;
    ensure!(said.ends_with(&format!("to {last}, under load: {last} ({name})")), "{said}");
    ensure!(ran(&own, &own, &own)?.starts_with("no migration ran"));
    ensure!(ran(&own, &older, &older).is_err(), "the newer program did not migrate");
    Ok(())
}

#[tokio::test]
async fn a_newer_program_shares_the_database_until_it_says_that_older_ones_must_leave() -> Result<()> {
    let (folder, program, _) = started().await?;
    let data = folder.path().join("data");
    let newer = "insert into _sqlx_migrations (version, description, success, checksum, execution_time) \
                 values (9999, 'of a newer program', true, '\\x', 0)";
    sql(&data, newer).await?;
    let second = Program::start(&data).await?;
    for program in [&program, &second] {
        let answer = reqwest::get(format!("{}/readyz", program.address)).await?;
        ensure!(answer.status() == StatusCode::OK, "{answer:?}");
    }

    sql(&data, "update oldest_program set migration = 9999").await?;
    for program in [program, second] {
        let status = program.ended().await?;
        ensure!(status.code() == Some(NEWER_SCHEMA), "{status}");
    }
    let refused = command(&data, &["serve", "--listen", "127.0.0.1:0"])?.output().await?;
    let said = String::from_utf8_lossy(&refused.stderr);
    ensure!(refused.status.code() == Some(NEWER_SCHEMA) && said.contains("by a newer matchbook"), "{said}");
    Ok(())
}

#[tokio::test]
async fn a_node_that_starts_may_finish_a_round_that_another_is_recording() -> Result<()> {
    let one = Site::start().await?;
    let umpire = one.umpire().await?;
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let console = open(&umpire, &played).await?;
    // A new node begins with what another has signed.
    fs::copy(one.data.path().join("checkpoint"), one.data.path().join("checkpoint-two"))?;
    let two = Site::node(one.database.clone(), one.data.clone(), "checkpoint-two").await?;
    let mut owner = one.owner().await?;
    let mut entries =
        async || anyhow::Ok(query_scalar::<_, i64>("select count(*) from entries").fetch_one(&mut owner).await?);
    let before = entries().await?;
    // The first node seals the round, and waits for a signed tree: another process has its checkpoint file.
    let file = File::options().write(true).open(one.data.path().join("checkpoint.lock"))?;
    file.lock()?;
    let elsewhere = async {
        while entries().await? == before {
            tokio::task::yield_now().await;
        }
        two.app.recorder.settle_all().await?;
        file.unlock()?;
        anyhow::Ok(())
    };
    let (recorded, ()) = tokio::try_join!(record(&umpire, &console, &played.steps[0]), elsewhere)?;
    recorded.is(StatusCode::OK)?;
    let sheet = umpire.get(&console).await?;
    sheet.says("Matchbook recorded round 1:")?;
    Ok(())
}

/// What a proxy knows: the nodes, and which of them are ready.
struct Nodes {
    addresses: Mutex<Vec<String>>,
    finished: AtomicBool,
    /// How many requests were answered, for each part of the load.
    answered: [AtomicU32; 5],
}

impl Nodes {
    /// The first node that is ready.
    async fn ready(&self) -> Result<String> {
        let addresses = self.addresses.lock().map_err(|_| anyhow::anyhow!("poisoned"))?.clone();
        for address in addresses {
            let asked = reqwest::get(format!("{address}/readyz")).await;
            if asked.is_ok_and(|answer| answer.status() == StatusCode::OK) {
                return Ok(address);
            }
        }
        anyhow::bail!("no node is ready")
    }

    /// A call of the API at a node that is ready, which must succeed.
    async fn call(&self, token: &str, path: &str, body: Option<&Value>) -> Result<Value> {
        let address = format!("{}{path}", self.ready().await?);
        let number = self.answered[3].fetch_add(1, Ordering::Relaxed);
        let request = match body {
            Some(body) => reqwest::Client::new()
                .post(address)
                .header("idempotency-key", format!("key-{number}"))
                .header("content-type", "application/json")
                .body(body.to_string()),
            None => reqwest::Client::new().get(address),
        };
        let answer = request.bearer_auth(token).send().await?;
        let (status, text) = (answer.status(), answer.text().await?);
        ensure!(status.is_success(), "{path}: {status}: {text}");
        Ok(serde_json::from_str(&text)?)
    }

    /// Waits until each part of the load has had this many more answers.
    async fn more(&self) -> Result<()> {
        let before = self.answered.each_ref().map(|answered| answered.load(Ordering::Relaxed));
        until(async || {
            for (answered, before) in self.answered.iter().zip(before) {
                ensure!(answered.load(Ordering::Relaxed) >= before + REQUESTS, "{:?}", self.answered);
            }
            Ok(())
        })
        .await
    }
}

/// Records matches one after the other. Every request must succeed.
async fn recording(nodes: &Nodes, part: usize, mut umpire: Guest) -> Result<()> {
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    while !nodes.finished.load(Ordering::Relaxed) {
        umpire.address = nodes.ready().await?;
        let console = open(&umpire, &played).await?;
        for step in &played.steps {
            umpire.address = nodes.ready().await?;
            record(&umpire, &console, step).await?.is(StatusCode::OK)?;
            nodes.answered[part].fetch_add(1, Ordering::Relaxed);
        }
    }
    Ok(())
}

async fn reading(nodes: &Nodes, mut guest: Guest) -> Result<()> {
    while !nodes.finished.load(Ordering::Relaxed) {
        for path in ["/", "/archive", "/log", "/checkpoint"] {
            guest.address = nodes.ready().await?;
            let page = guest.get(path).await?;
            page.is(StatusCode::OK)?;
            nodes.answered[2].fetch_add(1, Ordering::Relaxed);
        }
    }
    Ok(())
}

/// An umpire's program and those of two players, who play live by the API. Every request must succeed.
async fn playing(nodes: &Nodes, token: &str) -> Result<()> {
    while !nodes.finished.load(Ordering::Relaxed) {
        let players = json!({ "p1": "Ada", "p2": "Bo" });
        let new = json!({ "ruleset": RULESET, "players": players, "mode": "live", "clocks": "off" });
        let opened = nodes.call(token, "/api/v1/matches", Some(&new)).await?;
        let slug = opened["match"].as_str().context("a match")?;
        let (path, events) = (format!("/api/v1/matches/{slug}"), format!("/m/{slug}/events"));
        tokio::select! {
            played = rounds(nodes, token, &path) => played?,
            watched = watching(nodes, &events) => watched?,
        }
    }
    Ok(())
}

/// Plays a match until it is over, or all is finished.
async fn rounds(nodes: &Nodes, token: &str, path: &str) -> Result<()> {
    let mut seats = Vec::new();
    for seat in ["p1", "p2"] {
        let link = nodes.call(token, &format!("{path}/links"), Some(&json!({ "seat": seat }))).await?;
        seats.push(link["token"].as_str().context("a token")?.to_owned());
    }
    let mut last = None;
    while !nodes.finished.load(Ordering::Relaxed) {
        let state = nodes.call(token, &format!("{path}/state"), None).await?;
        let asked = state["decisions"][0]["decision"].as_str().map(str::to_owned);
        let Some(decision) = asked.clone().filter(|_| asked != last) else {
            if state["result"]["status"] != "running" {
                break;
            }
            continue;
        };
        for seat in &seats {
            let sent = json!({ "decision": decision, "text": "grow" });
            nodes.call(seat, "/api/v1/seat/submissions", Some(&sent)).await?;
        }
        nodes.call(token, &format!("{path}/close"), Some(&json!({ "decision": decision }))).await?;
        last = asked;
    }
    Ok(())
}

/// Follows the events of a match. A node that stops ends the stream in good order, and the next one goes on.
async fn watching(nodes: &Nodes, path: &str) -> Result<()> {
    loop {
        let mut events = reqwest::get(format!("{}{path}", nodes.ready().await?)).await?;
        ensure!(events.status() == StatusCode::OK, "{events:?}");
        while events.chunk().await?.is_some() {
            nodes.answered[4].fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[tokio::test]
async fn a_site_is_upgraded_node_by_node_and_no_request_fails() -> Result<()> {
    // The older program makes the database, and the newer one migrates it under load.
    let other = env::var_os("MATCHBOOK_OLD_BINARY").map(PathBuf::from);
    let (folder, program, umpire) = match &other {
        Some(older) => started_as(older).await?,
        None => started().await?,
    };
    let named = other.is_some();
    let older = other.map_or_else(binary, Ok)?;
    let data = folder.path().join("data");
    let mut added = command_of(&older, &data, &["token", "add", "Ursula", "a test", "--scope", "umpire"])?;
    let added = added.output().await?;
    ensure!(added.status.success(), "{added:?}");
    let token = String::from_utf8(added.stdout)?;
    program.kill().await?;
    // A proxy needs a moment to find out that a node stops.
    let arguments = ["--behind-proxy", "--drain-seconds", "1", "--api-rate", "1000000"];
    let old = Program::start_as(&older, &data, "127.0.0.1:0", &arguments).await?;
    let nodes =
        Nodes { addresses: vec![old.address.clone()].into(), finished: false.into(), answered: Default::default() };
    let same = || Guest { http: umpire.http.clone(), address: umpire.address.clone() };

    let upgrade = async {
        nodes.more().await?;
        let before = migrations(&data).await?;
        let new = Program::start_at(&data, "127.0.0.1:0", &arguments).await?;
        let ran = ran(&own_migrations(), &before, &migrations(&data).await?)?;
        ensure!(named || ran.starts_with("no migration ran"), "the same program: {ran}");
        println!("{ran}");
        nodes.addresses.lock().map_err(|_| anyhow::anyhow!("poisoned"))?.push(new.address.clone());
        nodes.more().await?;
        old.terminate().await?;
        ensure!(old.ended().await?.success());
        nodes.more().await?;
        nodes.finished.store(true, Ordering::Relaxed);
        Ok(new)
    };
    let load = (recording(&nodes, 0, same()), recording(&nodes, 1, same()), reading(&nodes, same()));
    let live = playing(&nodes, token.trim());
    let (new, (), (), (), ()) = tokio::try_join!(upgrade, load.0, load.1, load.2, live)?;
    let audited = command(&data, &["audit"])?.stdout(Stdio::piped()).output().await?;
    let said = String::from_utf8_lossy(&audited.stdout);
    ensure!(audited.status.success() && said.contains("nothing is wrong"), "{said}");
    new.kill().await
}
