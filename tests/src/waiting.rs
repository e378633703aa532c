//! Matches that wait for the log's witnesses, with witnesses that are slow, that never answer, and that know more.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use app::account::Scope;
use app::cosigning::SitePolicy;
use app::public_log::LastCheckpointError;
use audit::witness::LogKey;
use ledger::{Entry, Kind, Policy, TreeSize};
use record::body::{Body, Resolved};
use record::verify::{Report, Status, verify_by};
use record::{Bundle, Rule};
use reqwest::StatusCode;
use serde_json::{Value, json};
use verifier::{Message, Session};

use crate::api::Program;
use crate::database::database;
use crate::held_witness::HeldWitness;
use crate::play::table::{RULESET, Table};
use crate::site::Site;
use crate::wait::until;
use crate::witness::{Served, witness_key};

const LIMIT: u64 = 30;
const WAITING: &str = "Sealed, and waiting for witnesses";

/// The site asks this witness, and the operator has said that its log is new.
async fn asks(site: &Site, witness: &HeldWitness) -> Result<Policy> {
    let policy = Policy::read(format!("{}quorum one\n", witness.line("one")).as_bytes())?;
    site.app.public_log.ask_witnesses(SitePolicy::of(policy.clone())?).await?;
    site.app.public_log.confirm_last_checkpoint(TreeSize(0)).await?;
    Ok(policy)
}

/// A site with a witness that answers nothing yet.
async fn site(seed: &str) -> Result<(Site, HeldWitness, Policy)> {
    let site = Site::seeded(seed).await?;
    let witness = HeldWitness::beside("witness.example/one", &site).await?;
    let policy = asks(&site, &witness).await?;
    Ok((site, witness, policy))
}

/// A live match on it that waits.
async fn table(site: Site, starts: Option<&str>) -> Result<Table> {
    Table::opened(site, RULESET, starts, &["p1", "p2"], &[("wait", "30")]).await
}

/// Both players answer, and the umpire closes the question.
async fn plays(table: &Table) -> Result<()> {
    table.p1.submits("grow").await?.says("move received.")?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await.map(drop)
}

async fn resolved(table: &Table) -> Result<Vec<(Entry, Resolved)>> {
    let bundle = bundle(table).await?;
    let entries = bundle.lines.iter().map(|line| Entry::read(line));
    let entries: Vec<Entry> = entries.collect::<Result<_, _>>()?;
    let read = entries.into_iter().filter(|entry| entry.kind == Kind::Resolved).filter_map(|entry| {
        let Ok(Body::Resolved(body)) = Body::read(&entry) else { return None };
        Some((entry, body))
    });
    Ok(read.collect())
}

/// Waits until a match has this many resolutions.
async fn until_resolved(table: &Table, count: usize) -> Result<Vec<(Entry, Resolved)>> {
    until(async || {
        let resolved = resolved(table).await?;
        ensure!(resolved.len() == count, "{} of {count}", resolved.len());
        Ok(resolved)
    })
    .await
}

async fn bundle(table: &Table) -> Result<Bundle> {
    let file = table.site.visitor()?.get(&format!("{}.bundle", table.public())).await?;
    Ok(Bundle::read(file.text.as_bytes())?)
}

fn said(report: &Report, rule: Rule) -> Vec<String> {
    let details = report.findings.iter().flat_map(|finding| &finding.details);
    details.filter(|detail| detail.rule == rule).map(|detail| detail.text.clone()).collect()
}

/// `matchbook verify --policy` on the match: its exit code, and what it says.
async fn verified(table: &Table, witness: &HeldWitness) -> Result<(Option<i32>, String)> {
    let folder = tempfile::tempdir()?;
    let [policy, bundle] = ["policy", "match.bundle"].map(|name| folder.path().join(name));
    let log = table.site.app.signer().verifier(table.site.app.origin());
    std::fs::write(&policy, format!("log {log}\n{}quorum one\n", witness.line("one")))?;
    std::fs::write(&bundle, table.site.visitor()?.get(&format!("{}.bundle", table.public())).await?.text)?;
    let arguments = |file: &Path| file.to_string_lossy().into_owned();
    let (policy, bundle) = (arguments(&policy), arguments(&bundle));
    let verify = |more: &[&str]| {
        let mut command = tokio::process::Command::new(crate::program::binary()?);
        command.args(["verify", "--policy", &policy, &bundle]).args(more);
        anyhow::Ok(command)
    };
    let done = verify(&[])?.output().await?;
    let said = String::from_utf8(done.stdout)?;
    // The verdict alone has the same exit code, and is the same verdict.
    let quiet = verify(&["--quiet"])?.output().await?;
    let verdict = String::from_utf8(quiet.stdout)?.trim().trim_start_matches(&format!("{bundle}: ")).to_owned();
    ensure!(quiet.status.code() == done.status.code() && said.lines().any(|line| line == verdict), "{verdict}: {said}");
    ensure!(quiet.status.success() || !verdict.starts_with("verified"), "{verdict}");
    Ok((done.status.code(), said))
}

#[tokio::test]
async fn nothing_opens_before_a_slow_witness_has_answered() -> Result<()> {
    let (site, witness, policy) = site("a slow witness").await?;
    let table = table(site, Some("at-once")).await?;
    table.clock("run", &[]).await?;
    let closes = table.open_clock().await?;
    table.p1.submits("grow").await?.says("move received.")?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.passes(closes + 2);
    table.umpire.until(&table.console, WAITING).await?;

    // The umpire and the players see that it waits, and since when; nothing is open, nothing is asked.
    let console = table.umpire.get(&table.console).await?;
    console.says("<b>0.0</b> s so far")?.says("it opens without them, and the record says so")?;
    console.says("0 of 1 witnesses have seen what is sealed; it opens once at least 1 has.")?;
    ensure!(!console.text.contains("Closes"), "its question is closed");
    table.passes(7);
    table.umpire.get(&table.console).await?.says("<b>7.0</b> s so far")?;
    table.p1.page().await?.says(WAITING)?.says("No clock runs")?.says("<b>7.0</b> s so far")?;
    let visitor = table.site.visitor()?;
    let page = visitor.get(&table.public()).await?;
    page.says(WAITING)?.says("<b>7.0</b> s so far")?.says("waited for before anything opens, at most 30 s<")?;
    ensure!(!page.text.contains("Open questions"), "what is sealed is asked no more");
    let live = visitor.get(&format!("{}/live", table.public())).await?;
    live.says(WAITING)?;
    ensure!(!live.text.contains("Open questions") && !live.text.contains("due at"), "{}", live.text);
    ensure!(resolved(&table).await?.is_empty() && table.history().await?.steps.is_empty());
    let history = table.history().await?;
    ensure!(history.waiting().is_some_and(|waiting| waiting.until.micros() - waiting.since.micros() == 30_000_000));

    witness.is_quick();
    let resolved = until_resolved(&table, 1).await?;
    let (entry, first) = &resolved[0];
    ensure!(first.witnessed == Some(true), "{first:?}");
    let cost = "It opened once enough of the log\u{2019}s witnesses had seen it, after 7.0 s.";
    table.p1.page().await?.says(cost)?;
    visitor.get(&format!("{}/r/1/after", table.public())).await?.says(cost)?;
    visitor.get(&table.public()).await?.says("at most 30 s. So far once, 7.0 s<")?;
    // The next clock begins behind the resolution, and with all of its time.
    let history = table.history().await?;
    let asked = history.open.first().context("the next round")?;
    let clock = i64::from(asked.asked.clock) * 1_000_000;
    ensure!(asked.asked.deadline.map(|due| due.micros()) == Some(entry.at.micros() + clock), "{asked:?}");

    until(async || {
        let report = verify_by(&bundle(&table).await?, &policy);
        ensure!(report.is_good() && report.findings[1].status == Status::Holds, "{report:#?}");
        ensure!(report.findings[1].summary.contains("Before each opening, of 1 decision, those witnesses"));
        let waited = said(&report, Rule::Waited);
        ensure!(waited.len() == 1 && waited[0].contains("7 s in all, at most 7 s, with a limit of 30 s"), "{waited:?}");
        Ok(())
    })
    .await?;
    table.site.visitor()?.get(&format!("{}/verify", table.public())).await?.says("waited for the log’s witnesses")?;
    let (code, said) = verified(&table, &witness).await?;
    ensure!(code == Some(0), "{said}");
    Ok(())
}

#[tokio::test]
async fn a_witness_that_never_answers_delays_until_the_limit_and_the_record_says_so() -> Result<()> {
    let (site, witness, policy) = site("no witness").await?;
    let table = table(site, None).await?;
    plays(&table).await?;
    table.umpire.get(&table.console).await?.says(WAITING)?;
    // What the umpire does meanwhile is refused, and nothing of it is recorded; a link can be made.
    let refused = table.act("note", &[("text", "a remark")]).await?;
    refused.says("waits for the log’s witnesses")?;
    table.link("p1").await?;
    table.site.app.system().pass(Duration::from_secs(LIMIT - 1));
    let history = table.site.app.recorder.settle(table.history().await?.match_id).await?;
    ensure!(history.waiting().is_some(), "a second is left");
    table.passes(1);
    let resolved = until_resolved(&table, 1).await?;
    ensure!(resolved[0].1.witnessed == Some(false));
    ensure!(resolved[0].0.by != ledger::Author::Server, "the umpire closed it, however late it opened");
    let report = verify_by(&bundle(&table).await?, &policy);
    ensure!(said(&report, Rule::LimitPassed).len() == 1 && report.is_good(), "{report:#?}");
    let (code, said) = verified(&table, &witness).await?;
    ensure!(code == Some(1), "{said}");
    ensure!(
        said.contains("not shown to satisfy the policy") && said.contains("because the limit had passed"),
        "{said}"
    );
    let cost = "It opened without enough of the log\u{2019}s witnesses, after 30.0 s: the limit had passed.";
    table.p1.page().await?.says(cost)?;
    let page = table.site.visitor()?.get(&table.public()).await?;
    page.says(cost)?.says("Opened without them, because the limit had passed: 1<")?;
    let page = table.site.visitor()?.get(&format!("{}/verify", table.public())).await?;
    page.says("opened 30 s after its seals, without enough witnesses")?;
    // The server and a reader's browser judge by the same policy, and say no more than the command line.
    page.says("Not shown to satisfy the policy; otherwise so far verified")?
        .says("is not shown: finding 2 says why")?;
    ensure!(!page.text.contains("All that can be checked was checked"), "{}", page.text);
    let served = table.site.app.public_log.policy_text();
    let last = Session::start(&bundle(&table).await?.write(), served.as_bytes()).last().context("a verdict")?;
    let Message::Verdict { text, good: false, state: "pending", .. } = &last else { bail!("{last:?}") };
    ensure!(text.starts_with("not shown to satisfy the policy; otherwise so far verified"), "{text}");
    Ok(())
}

#[tokio::test]
async fn two_real_witnesses_of_three_are_enough() -> Result<()> {
    let site = Site::start().await?;
    tokio::spawn(site.app.deadlines.clone().run());
    let log = site.app.signer().verifier(site.app.origin()).to_string();
    let logs: [LogKey; 1] = [log.parse().expect("a log")];
    let one = Served::start("witness.example/one", &logs, database().await?).await?;
    let two = Served::start("witness.example/two", &logs, database().await?).await?;
    let (one, two) = ((&one.key, &one.address), (&two.key, &two.address));
    let away = (&witness_key("witness.example/away"), &"http://127.0.0.1:1".to_owned());
    let lines = [("one", one), ("two", two), ("away", away)]
        .map(|(name, (key, address))| format!("witness {name} {} {address}\n", key.verifier()));
    let policy = format!("log {log}\n{}group most 2 one two away\nquorum most\n", lines.concat());
    let policy = Policy::read(policy.as_bytes())?;
    site.app.public_log.ask_witnesses(SitePolicy::of(policy.clone())?).await?;
    site.app.public_log.confirm_last_checkpoint(TreeSize(0)).await?;
    let table = Table::opened(site, RULESET, None, &["p1", "p2"], &[("wait", "600")]).await?;
    for round in 1..=2 {
        plays(&table).await?;
        ensure!(until_resolved(&table, round).await?.iter().all(|(_, body)| body.witnessed == Some(true)));
    }
    until(async || {
        let report = verify_by(&bundle(&table).await?, &policy);
        ensure!(report.is_good() && report.findings[1].status == Status::Holds, "{report:#?}");
        ensure!(report.findings[1].summary.contains("Before each opening, of 2 decisions, those witnesses"));
        Ok(())
    })
    .await?;
    table.p2.page().await?.says("It opened once enough of the log\u{2019}s witnesses had seen it, after ")?;
    Ok(())
}

#[tokio::test]
async fn the_pages_count_the_witnesses_that_have_seen_it() -> Result<()> {
    let site = Site::seeded("counted witnesses").await?;
    let mut witnesses = Vec::new();
    for name in ["one", "two", "three"] {
        witnesses.push(HeldWitness::beside(&format!("witness.example/{name}"), &site).await?);
    }
    let lines = witnesses.iter().zip(["one", "two", "three"]).map(|(witness, name)| witness.line(name));
    let policy = format!("{}group most 2 one two three\nquorum most\n", lines.collect::<String>());
    site.app.public_log.ask_witnesses(SitePolicy::of(Policy::read(policy.as_bytes())?)?).await?;
    site.app.public_log.confirm_last_checkpoint(TreeSize(0)).await?;
    let table = table(site, None).await?;
    plays(&table).await?;
    table.p1.page().await?.says("0 of 3 witnesses have seen what is sealed; it opens once at least 2 have.")?;
    let stands = format!("{}/stands", table.p1.home);
    table.p1.guest.get(&stands).await?.says("seen by 0")?;
    witnesses[0].is_quick();
    // The line by which the page's script reads it again.
    table.p1.guest.until(&stands, "seen by 1").await?;
    let counted = "1 of 3 witnesses has seen what is sealed; it opens once at least 2 have.";
    table.p1.page().await?.says(counted)?;
    table.site.visitor()?.get(&table.public()).await?.says(counted)?;
    ensure!(resolved(&table).await?.is_empty());
    witnesses[2].is_quick();
    ensure!(until_resolved(&table, 1).await?[0].1.witnessed == Some(true));
    let page = table.p1.page().await?;
    ensure!(!page.text.contains(WAITING), "{}", page.text);
    Ok(())
}

#[tokio::test]
async fn one_request_covers_all_matches_that_wait() -> Result<()> {
    let (site, witness, _) = site("many matches").await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    let new = json!({ "ruleset": RULESET, "players": { "p1": "Ada", "p2": "Bo" }, "wait": 30 });
    let mut matches = Vec::new();
    for key in ["one", "two", "three"] {
        let opened = program.post("/api/v1/matches", key, &new).await?.is(StatusCode::CREATED)?;
        matches.push(format!("/api/v1/matches/{}", opened["match"].as_str().context("a match")?));
    }
    // It is busy with one checkpoint while all three are sealed.
    witness.is_asked(1).await?;
    for (at, key) in matches.iter().zip(["x", "y", "z"]) {
        let state = program.get(&format!("{at}/state")).await?.is(StatusCode::OK)?;
        ensure!(state["wait"] == 30 && state["waits"].is_null(), "{state}");
        let moves = json!({ "decision": "d1", "moves": { "p1": "grow", "p2": "claim" } });
        let answer = program.post(&format!("{at}/moves"), key, &moves).await?;
        ensure!(answer.status.is_success(), "{}: {}", answer.status, answer.text);
        let stands = answer.json()?;
        ensure!(stands["steps"] == 0 && stands["waits"]["decision"] == "d1", "{stands}");
        let state = program.get(&format!("{at}/state")).await?.is(StatusCode::OK)?;
        ensure!(state["waits"]["witnesses"] == json!({ "seen": 0, "needed": 1, "known": 1 }), "{state}");
    }
    ensure!(witness.asked().len() == 1, "{:?}", witness.asked());
    witness.answers(1);
    let size = witness.is_asked(2).await?;
    witness.answers(1);
    let tree = async |at: &str| -> Result<Value> {
        let entries = program.get(&format!("{at}/entries")).await?.text;
        let line = entries.lines().find(|line| line.contains(r#""kind":"resolved""#)).context("resolved")?;
        Ok(serde_json::from_str::<Value>(line)?["body"]["tree"]["size"].clone())
    };
    for at in &matches {
        ensure!(until(async || tree(at).await).await? == size, "{at}: {:?}", witness.asked());
    }
    Ok(())
}

#[tokio::test]
async fn after_a_start_nothing_opens_until_the_witnesses_or_the_operator_confirm_the_log() -> Result<()> {
    for by_operator in [true, false] {
        let (options, seed) = (database().await?, format!("a new start {by_operator}"));
        let site = Site::without_deadlines(&seed, options.clone()).await?;
        let recorded = Table::recorded(site, RULESET).await?;
        recorded.site.app.signer().covering(TreeSize(2)).await?;
        let data = recorded.site.data.clone();
        recorded.site.stop().await?;
        let site = Site::without_deadlines_in(&seed, options, data).await?;
        tokio::spawn(site.app.deadlines.clone().run());
        let witness = HeldWitness::beside("witness.example/one", &site).await?;
        let policy = Policy::read(format!("{}quorum one\n", witness.line("one")).as_bytes())?;
        site.app.public_log.ask_witnesses(SitePolicy::of(policy)?).await?;
        let stored = witness.is_asked(1).await?;
        let table = table(site, None).await?;
        plays(&table).await?;
        table.site.app.system().pass(Duration::from_secs(2 * LIMIT));
        let match_id = table.history().await?.match_id;
        let log = &table.site.app.public_log;
        ensure!(table.site.app.recorder.settle(match_id).await?.waiting().is_some(), "the limit does not pass");
        let page = table.umpire.get(&table.console).await?;
        page.says(&format!("not confirmed its last checkpoint of {stored} entries"))?;
        page.says(&format!("--last-checkpoint {stored}"))?;
        if by_operator {
            let other = log.confirm_last_checkpoint(TreeSize(stored + 1)).await;
            ensure!(matches!(other, Err(LastCheckpointError::Other { .. })), "{other:?}");
            ensure!(
                table.site.app.recorder.settle(match_id).await?.waiting().is_some(),
                "another tree is not believed"
            );
            log.confirm_last_checkpoint(TreeSize(stored)).await?;
        } else {
            witness.is_quick();
        }
        let resolved = until_resolved(&table, 1).await?;
        ensure!(resolved[0].1.witnessed.is_some());
        if by_operator {
            ensure!(resolved[0].1.witnessed == Some(false), "the witness never answered");
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_new_log_needs_the_operators_word() -> Result<()> {
    let site = Site::seeded("a new log").await?;
    let witness = HeldWitness::beside("witness.example/one", &site).await?;
    witness.is_quick();
    let policy = Policy::read(format!("{}quorum one\n", witness.line("one")).as_bytes())?;
    site.app.public_log.ask_witnesses(SitePolicy::of(policy)?).await?;
    let table = table(site, None).await?;
    plays(&table).await?;
    let page = table.umpire.get(&table.console).await?;
    page.says("no checkpoint was stored")?.says("--last-checkpoint 0")?;
    table.site.app.public_log.confirm_last_checkpoint(TreeSize(0)).await?;
    ensure!(until_resolved(&table, 1).await?[0].1.witnessed == Some(true));
    Ok(())
}

#[tokio::test]
async fn where_nobody_is_asked_no_match_can_wait() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let form = umpire.get("/umpire/open").await?;
    ensure!(form.attributes("[name=wait]", "name")?.is_empty(), "it is not offered: {}", form.text);
    let program = Program::of(&site, Scope::Umpire).await?;
    let new = json!({ "ruleset": RULESET, "players": { "p1": "Ada", "p2": "Bo" }, "wait": 30 });
    let refused = program.post("/api/v1/matches", "none", &new).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    ensure!(refused.to_string().contains("has no witnesses"), "{refused}");
    let refused = umpire.opens(&[("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo"), ("wait", "30")]).await?;
    refused.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("Not opened yet")?.says("has no witnesses")?;
    refused.says("This site has no witnesses, so a match cannot wait for them")?.attribute("[name=wait]", "name")?;

    let (site, _witness, _) = self::site("practice").await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    let mut practice = new.clone();
    practice["practice"] = json!(true);
    let refused = program.post("/api/v1/matches", "p", &practice).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    ensure!(refused.to_string().contains("a practice match cannot wait"), "{refused}");
    for (key, wait) in [("a", json!(0)), ("b", json!(601)), ("c", json!(1.5)), ("d", json!("30"))] {
        let mut new = new.clone();
        new["wait"] = wait;
        let refused = program.post("/api/v1/matches", key, &new).await?;
        ensure!(refused.status.is_client_error(), "{}", refused.text);
    }
    let umpire = site.umpire().await?;
    let typed = [("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo"), ("wait", "601")];
    umpire.opens(&typed).await?.says("Enter 1 to 600 seconds")?;
    Ok(())
}
