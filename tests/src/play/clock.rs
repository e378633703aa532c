//! The clocks of a live match, over HTTP: started with the post, paused, extended, and closing decisions.

use anyhow::{Context, Result, ensure};
use app::monitoring::Monitor;
use fantoccini::Locator;
use ledger::{Kind, Moment, Seq};
use reqwest::StatusCode;
use serde_json::json;

use super::scripts::sits;
use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::page::Page;
use crate::site::Site;
use crate::wait::until;

impl Table {
    /// The number of entries of a kind.
    pub(crate) async fn of_kind(&self, kind: Kind) -> Result<usize> {
        let id = self.site.app.matches.match_of(&self.slug).await?;
        let entries = self.site.app.matches.entries_since(id, Seq(0)).await?;
        Ok(entries.iter().filter(|entry| entry.kind == kind).count())
    }

    /// The deadline of the first open question.
    pub(super) async fn deadline(&self) -> Result<Option<Moment>> {
        let history = self.history().await?;
        let open = history.open.first().context("an open decision")?;
        Ok(history.clock(&open.asked.decision).and_then(record::Clock::deadline))
    }

    /// Waits long enough for everything due to be closed.
    pub(crate) async fn settles(&self) {
        tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    }
}

async fn posted(seats: &[&str]) -> Result<Table> {
    Table::opened(Site::seeded("a live match").await?, RULESET, Some("posted"), seats, &[]).await
}

#[tokio::test]
async fn a_clock_waits_for_the_post_and_not_for_the_links() -> Result<()> {
    let table = posted(&[]).await?;
    let console = table.umpire.get(&table.console).await?;
    console.says("The clock waits for you")?.says("make the links first")?.says("60 s, once you start it")?;
    table.passes(3600);
    table.umpire.post(&format!("{}/links", table.console), &[("seat", "both")]).await?;
    table.settles().await;
    assert_eq!(table.of_kind(Kind::Resolved).await?, 0, "links that are made late close nothing");
    let table = posted(&["p1", "p2"]).await?;
    table.passes(3600);
    table.p1.submits("grow").await?.says("move received.")?;
    let console = table.clock("run", &[]).await?;
    console.says("The clock runs")?.says(">21:01:00 UTC</time>")?.says("started 21:00:00 + 60 s = 21:01:00")?;
    table.p2.page().await?.says("until <time datetime=\"2026-11-20T21:01:00.000000Z\">21:01:00 UTC</time>")?;
    table.passes(61);
    table.until("recorded round 1: grow / no move").await?;
    let monitor = Monitor::new(table.site.app.clone(), table.site.data.path().to_owned());
    until(async || {
        ensure!(monitor.text().await.contains("matchbook_close_lateness_seconds_count 1\n"));
        Ok(())
    })
    .await?;
    // The next clock waits again.
    table.umpire.get(&table.console).await?.says("The clock waits for you")?;
    assert_eq!(table.deadline().await?, None);
    Ok(())
}

#[tokio::test]
async fn every_button_acts_once_and_two_umpires_never_both() -> Result<()> {
    let table = posted(&["p1", "p2"]).await?;
    let (first, second) = (table.umpire.get(&table.console).await?, table.site.umpire().await?);
    let form = |page: &Page, act| anyhow::Ok(page.fields(&["form", "head"])?.with("act", act));
    let address = format!("{}/clock", table.console);
    let other = second.get(&table.console).await?;
    let run = form(&first, "run")?;
    for _ in 0..3 {
        ensure!(table.umpire.sends(&address, &run).await?.status.is_success());
    }
    assert_eq!(table.of_kind(Kind::Resumed).await?, 1, "sent three times, started once");
    let lost = second.sends(&address, &form(&other, "run")?).await?;
    lost.is(StatusCode::CONFLICT)?.says("Somebody else was first")?.says("started the clock of round 1 until")?;
    let paused = table.umpire.get(&table.console).await?;
    let pause = form(&paused, "pause")?;
    let (one, two) = tokio::join!(table.umpire.sends(&address, &pause), second.sends(&address, &pause));
    ensure!(one?.status.is_success() && two?.status.is_success());
    assert_eq!(table.of_kind(Kind::Paused).await?, 1);
    Ok(())
}

#[tokio::test]
async fn a_server_whose_clock_is_set_back_closes_by_what_it_says() -> Result<()> {
    let options = crate::database::database().await?;
    let site = Site::seeded_on("a live match", options.clone()).await?;
    let table = Table::opened(site, RULESET, Some("posted"), &["p1", "p2"], &[]).await?;
    table.passes(1800);
    table.clock("run", &[]).await?;
    table.p1.submits("grow").await?.says("move received.")?;
    let deadline = table.deadline().await?;
    // The same server half an hour earlier: its data is there, and no time is up.
    let back = super::nodes::node(&table.site, &options, 0).await?;
    table.passes(30);
    table.clock("pause", &[]).await?;
    table.clock("run", &[]).await?;
    let history = back.matches.history_of(&table.slug).await?;
    let decision = history.open.first().context("open")?.asked.decision.clone();
    back.recorder.close_due(history.match_id, &decision).await?;
    assert_eq!(table.of_kind(Kind::Resolved).await?, 0);
    assert_eq!(table.deadline().await?, deadline, "no time passed between the two");
    table.passes(61);
    table.until("recorded round 1: grow / no move").await?;
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    Ok(())
}

/// Notes of each new state of the bar whether it shows what is left, before anything else can happen on the page.
const NOTE_BARS: &str = r#"
    window.bars = [];
    const note = () => { const left = document.querySelector(".clock[data-deadline]"); if (left) window.bars.push(!left.hidden); };
    new MutationObserver(note).observe(document.querySelector(".bar"), { childList: true });
"#;

#[tokio::test]
async fn what_is_left_is_in_the_bar_at_once() -> Result<()> {
    let table = posted(&["p2"]).await?;
    let browser = Browser::open(390, false, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    browser.client.execute(NOTE_BARS, vec![]).await?;
    table.clock("run", &[]).await?;
    let left = Locator::Css(".clock[data-deadline]");
    browser.client.wait().for_element(left).await?;
    assert_eq!(browser.client.execute("return window.bars[0]", vec![]).await?, json!(true), "after a change");
    // A page that comes anew, as after a move, knows the server's clock before it asks for it.
    browser.tells("Network.enable", json!({})).await?;
    browser.tells("Network.setBlockedURLs", json!({ "urls": ["*/stands"] })).await?;
    browser.client.refresh().await?;
    browser.client.wait().for_element(left).await?;
    browser.tells("Network.setBlockedURLs", json!({ "urls": [] })).await?;
    browser.close().await
}
