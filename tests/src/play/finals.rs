//! A round that closes early because both players call their moves final, in a match that allows it.

use anyhow::{Context, Result, ensure};
use engine::Seat;
use ledger::{Author, Kind, Policy};
use record::receipts::{ReceiptFile, ReceiptStatus};
use reqwest::StatusCode;
use sqlx::Executor;

use super::nodes::node;
use super::scripts::{sits, types};
use super::signed::Script;
use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::database::database;
use crate::page::Page;
use crate::site::Site;

/// The button that calls a sent move final.
const FINAL: &str = "no more changes</small>";

async fn early(seats: &[&str]) -> Result<Table> {
    Table::set(Site::seeded("a live match").await?, RULESET, true, seats, &[("early", "on")]).await
}

impl Table {
    /// Checks that nothing closed, after a while.
    pub(crate) async fn stays_open(&self) -> Result<()> {
        self.settles().await;
        let resolved = self.of_kind(Kind::Resolved).await?;
        ensure!(resolved == 0, "{resolved} rounds closed");
        Ok(())
    }

    /// The details of finding 4, of a match that holds.
    pub(crate) async fn in_time(&self) -> Result<Vec<String>> {
        let report = self.checked().await?;
        ensure!(report.is_good(), "{report:#?}");
        Ok(report.findings[3].details.iter().map(|detail| detail.text.clone()).collect())
    }
}

#[tokio::test]
async fn two_final_moves_close_the_round_at_once() -> Result<()> {
    let table = early(&["p1", "p2"]).await?;
    let page = table.p1.page().await?;
    ensure!(!page.text.contains(FINAL), "nothing is sent that could be final");
    page.says("or until both of you call theirs final.")?;
    page.says("So each of you learns roughly when the other was done.")?;
    table.passes(20);
    table.p1.submits_final("grow", true).await?.says("move received.")?;
    table.p1.page().await?.says("sealed by the server, unsigned, final.</span> <a")?.says("counts now, final</li>")?;
    table.stays_open().await?;
    table.p2.submits_final("claim", true).await?;
    table.until("recorded round 1: grow / claim").await?;
    assert_eq!(table.in_time().await?, ["Round 1: closed 40 s before its time was up, as all moves were final"]);
    let history = table.history().await?;
    ensure!(history.opened.early && history.steps[0].at < history.clocks[0].deadline().context("a deadline")?);
    // The receipt says it, and the entry that holds it agrees.
    let receipt = table.p1.guest.get(&format!("{}/receipt/d1/0", table.p1.home)).await?;
    receipt.says("unsigned, final.")?.says("matchbook/receipt/2\n")?;
    let file = table.p1.guest.get(&format!("{}/receipts.jsonl", table.p1.home)).await?;
    let checked = ReceiptFile::read(file.text.as_bytes())?.check(&Policy::read(b"quorum none\n")?);
    let counted =
        |status: &ReceiptStatus| matches!(status, ReceiptStatus::Proven { counted: true, .. } | ReceiptStatus::Entered);
    ensure!(checked.len() == 1 && counted(&checked[0].status), "{checked:?}");
    let public = table.site.visitor()?.get(&format!("{}/verify", table.public())).await?;
    public.says("as all moves were final")?;
    Ok(())
}

#[tokio::test]
async fn a_mark_is_taken_back_by_sending_without_it() -> Result<()> {
    let table = early(&["p1", "p2"]).await?;
    table.p1.submits_final("grow", true).await?.says("move received.")?;
    table.p1.submits_final("steal", false).await?.says("move received.")?;
    table.p1.page().await?.says("sealed by the server, unsigned.</span> <a")?;
    table.p2.submits_final("claim", true).await?.says("move received.")?;
    table.stays_open().await?;
    table.p1.submits_final("score", true).await?;
    table.until("recorded round 1: score / claim").await?;
    // What comes now is late, and no receipt says otherwise.
    let late = table.p2.sends("d1", &table.fresh("late"), "grow").await?;
    late.is(StatusCode::CONFLICT)?.says("too late")?;
    table.act("rule", &[("result", "p1"), ("clause", ""), ("text", "Conceded.")]).await?;
    table.act("end", &[]).await?;
    table.in_time().await?;
    for player in [&table.p1, &table.p2] {
        let file = player.guest.get(&format!("{}/receipts.jsonl", player.home)).await?;
        for checked in ReceiptFile::read(file.text.as_bytes())?.check(&Policy::read(b"quorum none\n")?) {
            ensure!(!matches!(checked.status, ReceiptStatus::Broken { .. }), "{checked:?}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_signature_covers_the_mark() -> Result<()> {
    let table = early(&["p1", "p2"]).await?;
    let script = Script::registered(&table).await?;
    for spoil in ["unmarked", "unsigned mark"] {
        let refused: Page = script.sends(&table, &table.p1, "grow", spoil).await?;
        refused.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("The signature does not fit this move")?;
    }
    script.sends(&table, &table.p1, "grow", "final").await?.says("move received.")?;
    table.p1.page().await?.says("signed with your key, final.</span> <a")?;
    table.p2.submits_final("claim", true).await?;
    table.until("recorded round 1: grow / claim").await?;
    table.in_time().await?;
    let grades = &table.checked().await?.findings[2].details[0].text;
    assert_eq!(grades, "Ada: 1 submission signed");
    Ok(())
}

#[tokio::test]
async fn a_browser_signs_the_mark() -> Result<()> {
    let table = early(&["p2"]).await?;
    let browser = Browser::open(390, true, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    types(&browser, "grow").await?;
    browser.until("no more changes").await?;
    browser.fits("a question that may close early").await?;
    browser.press("button[name=final]").await?;
    browser.until("signed with your key, final.").await?;
    table.p2.submits_final("claim", true).await?;
    table.until("recorded round 1: grow / claim").await?;
    browser.until("Grow").await?;
    let history = table.history().await?;
    ensure!(history.seals.iter().any(|seal| seal.by == Author::P1 && seal.signature.is_some()));
    table.in_time().await?;
    browser.close().await
}

#[tokio::test]
async fn another_node_closes_what_this_one_did_not_and_it_happens_once() -> Result<()> {
    let options = database().await?;
    let site = Site::seeded_on("a live match", options.clone()).await?;
    let table = Table::set(site, RULESET, true, &["p1", "p2"], &[("early", "on")]).await?;
    let history = table.history().await?;
    let decision = history.open.first().context("open")?.asked.decision.clone();
    table.p1.submits_final("grow", true).await?.says("move received.")?;
    let mut closing = Vec::new();
    for _ in 0..3 {
        let (other, match_id, decision) = (node(&table.site, &options, 1).await?, history.match_id, decision.clone());
        closing.push(tokio::spawn(async move {
            for _ in 0..40 {
                drop(other.recorder.close_due(match_id, &decision).await);
            }
        }));
    }
    table.p2.submits_final("claim", true).await?;
    for one in closing {
        one.await?;
    }
    table.until("recorded round 1: grow / claim").await?;
    assert_eq!((table.of_kind(Kind::Resolved).await?, table.of_kind(Kind::Sealed).await?), (1, 2));
    table.in_time().await?;
    Ok(())
}

/// A crash between an umpire's close and its seals: whoever finishes it closes nothing early in the server's name.
#[tokio::test]
async fn a_close_of_the_umpire_that_was_cut_short_stays_the_umpires() -> Result<()> {
    let options = database().await?;
    let site = Site::seeded_on("a live match", options.clone()).await?;
    let table = Table::set(site, RULESET, true, &["p1", "p2"], &[("early", "on")]).await?;
    table.p1.submits_final("grow", false).await?.says("move received.")?;
    let history = table.history().await?;
    let umpire = history.umpire.to_string();
    let mut owner = table.site.owner().await?;
    let rows = format!(
        "insert into submissions (log_id, match_id, decision, seat, ordinal, at, sent_by) \
         select log_id, match_id, decision, one.seat, one.ordinal, at, '{umpire}' \
         from submissions, (values ('p1', 1), ('p2', 0)) as one (seat, ordinal) where submissions.seat = 'p1'"
    );
    owner.execute(sqlx::AssertSqlSafe(rows)).await?;
    node(&table.site, &options, 1).await?.recorder.settle_all().await?;
    table.until("recorded round 1: grow / no move").await?;
    let said = table.in_time().await?;
    ensure!(said.iter().any(|said| said.contains(&format!("closed by {umpire}"))), "{said:?}");
    ensure!(table.history().await?.early_closes[0].seats == [Seat::P2]);
    Ok(())
}
