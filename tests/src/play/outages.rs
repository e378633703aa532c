//! A node that cannot beat closes nothing and calls nothing late; one whose clock is off takes nothing, either. Both say so.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use app::heartbeat::Unfit;
use app::monitoring::Monitor;
use app::system::System;
use ledger::{DecisionId, Kind, MatchId};
use reqwest::StatusCode;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::scripts::sits;
use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::database::database;
use crate::site::Site;
use crate::wait::until;
use crate::wire::{Line, Wire};

/// A match with a clock on a site whose heart beats.
pub(super) async fn beating() -> Result<Table> {
    beating_on(Site::start().await?, &["p1", "p2"]).await
}

async fn beating_on(site: Site, seats: &[&str]) -> Result<Table> {
    tokio::spawn(site.app.recorder.clone().beats());
    tokio::spawn(site.app.deadlines.clone().run());
    let table = Table::on(site, RULESET, true, seats).await?;
    until(async || table.site.app.heartbeat.skew().context("it does not beat")).await?;
    Ok(table)
}

/// Waits until the heart has missed beats for longer than what counts as an outage.
async fn is_an_outage(table: &Table) -> Result<()> {
    let silent = "select clock_timestamp() - at > interval '2 seconds' from heartbeat";
    until(async || {
        let long: bool = sqlx::query_scalar(silent).fetch_one(&mut table.site.owner().await?).await?;
        long.then_some(()).context("it beats")
    })
    .await
}

/// Waits until the clock has the time of an outage back.
async fn is_given_back(table: &Table) -> Result<()> {
    until(async || {
        ensure!(table.of_kind(Kind::Extended).await? == 1, "the time is not given back");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn while_the_database_hangs_nothing_closes_and_the_clock_gets_the_time_back() -> Result<()> {
    let table = beating().await?;
    let before = table.history().await?.clocks.last().and_then(record::Clock::deadline);

    // Whoever holds the row holds up every beat.
    let mut owner = table.site.owner().await?;
    let mut held = owner.begin().await?;
    held.execute("select at from heartbeat for update").await?;
    until(async || table.site.app.heartbeat.fit().err().filter(|unfit| *unfit == Unfit::Away).context("it beats"))
        .await?;
    let health = table.site.visitor()?.get("/healthz").await?;
    health.is(StatusCode::SERVICE_UNAVAILABLE)?.says("\"closes\":false")?.says("Clocks get the time back")?;
    let probe = table.site.visitor()?;
    probe.get("/readyz").await?.is(StatusCode::SERVICE_UNAVAILABLE)?.says("the database has not answered")?;
    probe.get("/livez").await?.is(StatusCode::OK)?;
    for page in [table.umpire.get(&table.console).await?, table.p1.page().await?] {
        page.says("Nothing closes at the moment")?.says("no answer from its database for more than a second")?;
    }
    table.site.visitor()?.get(&format!("/m/{}/live", table.slug)).await?.says("Nothing closes at the moment")?;

    is_an_outage(&table).await?;
    held.rollback().await?;
    is_given_back(&table).await?;
    let after = table.history().await?.clocks.last().and_then(record::Clock::deadline);
    ensure!(after > before, "{before:?} {after:?}");
    table.site.visitor()?.get("/healthz").await?.is(StatusCode::OK)?.says("\"closes\":true")?;
    probe.get("/readyz").await?.is(StatusCode::OK)?;
    let metrics = Monitor::new(table.site.app.clone(), table.site.data.path().to_owned()).text().await;
    ensure!(metrics.contains("matchbook_outages_total 1\n"), "{metrics}");
    table.p1.submits("grow").await?;
    table.p2.submits("claim").await?;
    table.closes().await?;
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    Ok(())
}

/// In real time: a clock of a minute runs out while the database is away, and the move waits in the browser.
#[tokio::test]
async fn a_move_that_waits_in_the_browser_through_an_outage_is_in_time() -> Result<()> {
    let options = database().await?;
    let line = Line::laid(options.clone())?;
    let site = Site::node(options.socket(&line.folder), Arc::new(tempfile::tempdir()?), "checkpoint").await?;
    let table = beating_on(site, &["p2"]).await?;
    let browser = Browser::open(1100, false, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    table.p2.submits("claim").await?.says("move received")?;
    let clock = table.history().await?.clocks.last().and_then(record::Clock::deadline).context("a clock")?;
    browser.press(".pick-main:has([value=grow])").await?;

    line.becomes(Wire::Cut);
    browser.press("form[data-asked] .act-buttons .send").await?;
    browser.until("again by itself (").await?;
    browser.until("No connection just now").await?;
    // Until after the second in which it would have been closed.
    let left = clock.micros() - System::real().now().micros();
    tokio::time::sleep(Duration::from_micros(u64::try_from(left).unwrap_or(0)) + Duration::from_secs(2)).await;
    line.becomes(Wire::Whole);
    browser.until("move received.").await?;
    is_given_back(&table).await?;
    table.closes().await?;
    table.until("recorded round 1: grow / claim").await?;
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    browser.close().await
}

/// A full disk, found while nobody sends anything: everybody would otherwise see when somebody does.
#[tokio::test]
async fn while_the_journal_cannot_be_written_nothing_is_taken_and_the_clock_gets_the_time_back() -> Result<()> {
    let table = beating().await?;
    let before = table.history().await?.clocks.last().and_then(record::Clock::deadline);
    let guest = table.site.visitor()?;
    let [journal, aside] = ["checkpoint.journal-1", "aside"].map(|name| table.site.data.path().join(name));
    until(async || Ok(fs::rename(&journal, &aside)?)).await?;
    // A folder in its place: root could write to any file.
    fs::create_dir(&journal)?;
    guest.until("/readyz", "the journal of submissions cannot be written").await?;
    guest.get("/readyz").await?.is(StatusCode::SERVICE_UNAVAILABLE)?.says("make room on its disk")?;
    let health = guest.get("/healthz").await?;
    health.is(StatusCode::SERVICE_UNAVAILABLE)?.says("\"accepts\":\"nothing\"")?.says("\"closes\":false")?;
    health.says("the journal of submissions beside")?.says("Make room on its disk")?;
    table.umpire.get(&table.console).await?.says("the journal of submissions beside")?.says("Make room on its disk")?;
    table.p1.page().await?.says("The server cannot keep moves just now")?;
    let refused = table.p1.submits("grow").await?;
    refused.is(StatusCode::SERVICE_UNAVAILABLE)?.says("The server cannot keep moves just now")?;
    let folder = table.site.data.path().to_string_lossy();
    ensure!(!refused.text.contains(&*folder), "its paths are the operator's: {}", refused.text);

    is_an_outage(&table).await?;
    fs::remove_dir(&journal)?;
    fs::rename(&aside, &journal)?;
    is_given_back(&table).await?;
    guest.get("/readyz").await?.is(StatusCode::OK)?;
    guest.get("/healthz").await?.is(StatusCode::OK)?.says("\"closes\":true")?;
    let after = table.history().await?.clocks.last().and_then(record::Clock::deadline);
    ensure!(after > before, "{before:?} {after:?}");
    guest.until(&format!("/m/{}.ndjson", table.slug), "\"outage\":{").await?;
    // On a busy machine a beat of its heart may be late again.
    until(async || table.p1.submits("grow").await?.says("move received").map(drop)).await?;
    table.closes().await?;
    table.until("recorded round 1: grow / no move").await?;
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    Ok(())
}

#[tokio::test]
async fn a_database_without_room_is_told_from_one_that_does_not_answer() -> Result<()> {
    let table = beating().await?;
    let (guest, mut owner) = (table.site.visitor()?, table.site.owner().await?);
    // What PostgreSQL says when it cannot make a table longer.
    let function = "create function no_room() returns trigger language plpgsql as \
                    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$";
    owner.execute(function).await?;
    owner.execute("create trigger no_room before update on heartbeat for each row execute function no_room()").await?;
    guest.until("/readyz", "the disk of the database is full").await?;
    guest.get("/healthz").await?.is(StatusCode::SERVICE_UNAVAILABLE)?.says("the disk of the database is full")?;
    table.umpire.get(&table.console).await?.says("Make room on its disk")?;
    is_an_outage(&table).await?;
    owner.execute("drop trigger no_room on heartbeat").await?;
    is_given_back(&table).await?;
    guest.get("/readyz").await?.is(StatusCode::OK)?;
    Ok(())
}

#[tokio::test]
async fn a_node_whose_clock_is_off_takes_nothing_calls_nothing_late_and_tells_the_umpire() -> Result<()> {
    // Its clock stands days before that of the database.
    let table =
        Table::on(Site::seeded_on("a slow clock", database().await?).await?, RULESET, true, &["p1", "p2"]).await?;
    table.p1.submits("grow").await?;
    table.site.app.heartbeat.beat().await?;
    ensure!(matches!(table.site.app.heartbeat.fit(), Err(Unfit::ClockOff { .. })));
    // In time or late, nothing is taken: whatever it wrote would have a wrong time.
    let decision = table.history().await?.open[0].asked.decision.to_string();
    for (seconds, submit) in
        [(1, "5e4d0000000000000000000000000001"), (table.open_clock().await?, "5e4d0000000000000000000000000002")]
    {
        table.passes(seconds);
        let sent = table.p2.sends(&decision, submit, "claim").await?;
        sent.is(StatusCode::SERVICE_UNAVAILABLE)?.says("This server\u{2019}s clock is")?.says("send it again")?;
    }
    ensure!(table.of_kind(Kind::Sealed).await? == 0, "it closed a decision");
    table
        .umpire
        .get(&table.console)
        .await?
        .says("This server\u{2019}s clock is")?
        .says("Its operator has to set the clock")?;
    let health = table.site.visitor()?.get("/healthz").await?;
    health.is(StatusCode::SERVICE_UNAVAILABLE)?.says("clock_ahead_seconds")?;
    let ready = table.site.visitor()?.get("/readyz").await?;
    ready.is(StatusCode::SERVICE_UNAVAILABLE)?.says("the clock of this node is off")?;
    let beats: i64 =
        sqlx::query_scalar("select count(*) from heartbeat").fetch_one(&mut table.site.owner().await?).await?;
    ensure!(beats == 0, "a clock that is off dates no outage");
    Ok(())
}

#[tokio::test]
async fn no_clock_begins_on_a_node_whose_own_is_set_back() -> Result<()> {
    let site = Site::seeded_on("a slow clock", database().await?).await?;
    // Its clock is right, and is then read as minutes earlier.
    let right: i64 = sqlx::query_scalar("select (extract(epoch from clock_timestamp()) * 1000000)::bigint")
        .fetch_one(&mut site.owner().await?)
        .await?;
    let behind = Duration::from_secs(466);
    let until_right = u64::try_from(right - site.app.system().now().micros())?;
    site.app.system().pass(Duration::from_micros(until_right) - behind);
    site.app.heartbeat.beat().await?;
    ensure!(matches!(site.app.heartbeat.fit(), Err(Unfit::ClockOff { .. })));
    let typed =
        [("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo"), ("live", "on"), ("clocks", "on"), ("starts", "at-once")];
    let refused = site.umpire().await?.opens(&typed).await?;
    refused.is(StatusCode::SERVICE_UNAVAILABLE)?.says("This server\u{2019}s clock is 466")?.says("send it again")?;
    let empty: bool =
        sqlx::query_scalar("select count(*) = 0 from entries").fetch_one(&mut site.owner().await?).await?;
    ensure!(empty, "nothing was recorded");

    // Another node goes on.
    let site = Site::node(site.database.clone(), site.data.clone(), "checkpoint").await?;
    site.app.heartbeat.beat().await?;
    let table = Table::on(site, RULESET, true, &["p1", "p2"]).await?;
    table.p1.submits("grow").await?;
    table.p2.submits("claim").await?;
    table.closes().await?;
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    Ok(())
}

/// A match whose clock is over, and the decision that is due.
async fn overdue() -> Result<(Table, MatchId, DecisionId)> {
    let site = Site::without_deadlines("a live match", database().await?).await?;
    let table = Table::on(site, RULESET, true, &["p1", "p2"]).await?;
    table.passes(table.open_clock().await? + 2);
    let history = table.history().await?;
    let decision = history.open.first().context("open")?.asked.decision.clone();
    Ok((table, history.match_id, decision))
}

/// A connection that holds a table, so that nobody else can read it.
async fn holding(table: &Table, name: &str) -> Result<PgConnection> {
    let mut owner = table.site.owner().await?;
    owner.execute("begin").await?;
    owner.execute(AssertSqlSafe(format!("lock table {name} in access exclusive mode"))).await?;
    Ok(owner)
}

/// Waits until somebody waits for that table.
async fn is_waited_for(table: &Table, name: &str) -> Result<()> {
    let mut owner = table.site.owner().await?;
    let waits = "select exists (select from pg_locks where relation = $1::text::regclass and not granted)";
    for _ in 0..2_000 {
        if sqlx::query_scalar(waits).bind(name).fetch_one(&mut owner).await? {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    anyhow::bail!("nobody waits for {name}")
}

#[tokio::test]
async fn nothing_closes_before_the_first_beat() -> Result<()> {
    let (table, match_id, decision) = overdue().await?;
    let recorder = table.site.app.recorder.clone();
    // A beat reads it first.
    let holder = holding(&table, "oldest_program").await?;
    let beating = tokio::spawn(async move { recorder.beat().await });
    is_waited_for(&table, "oldest_program").await?;
    table.site.app.recorder.close_due(match_id, &decision).await?;
    ensure!(table.of_kind(Kind::Resolved).await? == 0, "it closed before an outage could be given back");
    beating.abort();
    holder.close().await?;
    Ok(())
}

#[tokio::test]
async fn a_close_that_the_database_held_up_asks_again_whether_it_may() -> Result<()> {
    let (table, match_id, decision) = overdue().await?;
    let recorder = table.site.app.recorder.clone();
    let holder = holding(&table, "player_links").await?;
    let closing = tokio::spawn({
        let decision = decision.clone();
        async move { recorder.close_due(match_id, &decision).await }
    });
    is_waited_for(&table, "player_links").await?;
    // Meanwhile its heart finds that it must not decide by the clock, which stands days before that of the database.
    table.site.app.heartbeat.beat().await?;
    ensure!(table.site.app.heartbeat.fit().is_err());
    holder.close().await?;
    closing.await??;
    ensure!(table.of_kind(Kind::Resolved).await? == 0, "it closed by a clock that is off");
    Ok(())
}
