//! Extensions that begin by themselves: three for each seat in Higher or Lower.

use anyhow::{Context, Result, ensure};
use engine::To;
use ledger::Kind;
use record::History;
use serde_json::json;

use super::nodes::node;
use super::table::{Player, Table};
use crate::database::database;
use crate::site::Site;
use crate::umpire_acts::perform;
use crate::wait::until;

impl Table {
    /// The player who is asked.
    async fn asked(&self) -> Result<&Player> {
        let history = self.history().await?;
        let seat = history.open.last().context("open")?.asked.seats.first().context("a seat")?.0;
        Ok(if seat == engine::Seat::P1 { &self.p1 } else { &self.p2 })
    }

    /// Plays up to the choice of a board, with its clock running.
    async fn chooses_a_board(&self) -> Result<()> {
        self.clock("run", &[]).await?;
        for (player, line) in [(&self.p1, "the owl is late"), (&self.p2, "fourteen bottles")] {
            player.submits(line).await?.says(" received.")?;
        }
        self.closes().await?;
        self.asked().await?.submits("cyan").await?.says(" received.")?;
        for _ in 0..200 {
            let history = self.history().await?;
            if history.open.iter().any(|open| open.asked.what == "board") {
                return Ok(());
            }
            if history.open.iter().all(|open| open.asked.what == "assign")
                && history.asks().last().is_some_and(|ask| ask.to == To::Host)
            {
                perform(&self.site.app, &history, "draw", json!({ "early": true })).await?;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        anyhow::bail!("no board is asked for: {:?}", self.history().await?.open)
    }

    /// A match of Higher or Lower in which a seat chooses a board, with the clock running.
    pub(crate) async fn laid_out(site: Site) -> Result<Self> {
        let table = Self::opened(site, "higher-lower/tempo-up", Some("at-once"), &["p1", "p2"], &[]).await?;
        table.chooses_a_board().await?;
        Ok(table)
    }
}

async fn extended(table: &Table, count: usize) -> Result<()> {
    until(async || {
        let begun = table.of_kind(Kind::Extended).await?;
        ensure!(begun >= count, "{begun} of {count} extensions began");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn an_extension_begins_by_itself_and_is_shown() -> Result<()> {
    let table = Table::laid_out(Site::seeded("a bank").await?).await?;
    table.umpire.get(&table.console).await?.says("begins by itself, 30 s; 3 are left")?;
    table.passes(31);
    extended(&table, 1).await?;
    let console = table.umpire.get(&table.console).await?;
    console.says("begins by itself, 30 s; 2 are left")?.says("+ 30 s extension of")?;
    console.says("used an extension of 30 s for")?;
    // Half a second after the deadline, before the server noticed it: the next extension makes it in time.
    table.site.app.system().pass(std::time::Duration::from_micros(29_500_000));
    table.asked().await?.submits("A first").await?.says(" received.")?;
    extended(&table, 2).await?;
    until(async || {
        let history = table.history().await?;
        ensure!(history.steps.last().is_some_and(|step| step.what == "board"), "{:?}", history.steps.last());
        Ok(())
    })
    .await?;
    let report = table.checked().await?;
    assert_eq!(report.findings[3].status, record::verify::Status::Holds, "{:#?}", report.findings[3]);
    Ok(())
}

#[tokio::test]
async fn an_answer_in_the_very_moment_of_its_deadline_costs_no_extension() -> Result<()> {
    let site = Site::without_deadlines("a bank", database().await?).await?;
    let deadlines = site.app.deadlines.clone();
    let closing = tokio::spawn(deadlines.clone().run());
    let table = Table::laid_out(site).await?;
    // In that moment the question would be due as well: the answer comes first.
    closing.abort();
    let history = table.history().await?;
    let decision = &history.open.last().context("open")?.asked.decision;
    let system = table.site.app.system();
    system.pass(history.clock(decision).context("a clock")?.remaining(system.now()));
    table.asked().await?.submits("A first").await?.says(" received.")?;
    tokio::spawn(deadlines.run());
    until(async || {
        let history = table.history().await?;
        ensure!(history.steps.last().is_some_and(|step| step.what == "board"), "{:?}", history.steps.last());
        Ok(())
    })
    .await?;
    assert_eq!(table.of_kind(Kind::Extended).await?, 0);
    Ok(())
}

#[tokio::test]
async fn without_an_answer_all_three_are_spent_and_then_the_default_counts() -> Result<()> {
    let table = Table::laid_out(Site::seeded("a bank").await?).await?;
    let left = |history: &History| {
        let left = history.extensions_left();
        left.p1.min(left.p2)
    };
    for spent in 1..=3 {
        table.passes(30 + u64::from(spent == 1));
        extended(&table, spent).await?;
    }
    assert_eq!(left(table.history().await?.as_ref()), 0);
    assert_eq!(table.history().await?.open.len(), 1, "the last one runs");
    table.umpire.get(&table.console).await?.says("has no extension left")?;
    table.passes(30);
    table.until("recorded the move of").await?;
    let history = table.history().await?;
    ensure!(history.steps.last().is_some_and(|step| step.public.ends_with(": -")), "{:?}", history.steps.last());
    assert_eq!(table.of_kind(Kind::Extended).await?, 3);
    Ok(())
}

#[tokio::test]
async fn many_nodes_spend_an_extension_once_after_a_restart() -> Result<()> {
    let options = database().await?;
    // This node's clock stops here, as if the node had been killed.
    let table = Table::laid_out(Site::seeded_on("a bank", options.clone()).await?).await?;
    let history = table.history().await?;
    let decision = history.open.last().context("open")?.asked.decision.clone();
    let mut closing = Vec::new();
    for _ in 0..3 {
        let other = node(&table.site, &options, 31).await?;
        let (match_id, decision) = (history.match_id, decision.clone());
        closing.push(tokio::spawn(async move {
            other.recorder.settle_all().await?;
            other.recorder.close_due(match_id, &decision).await
        }));
    }
    for one in closing {
        // The slower node has nothing left to do.
        drop(one.await?);
    }
    assert_eq!(table.of_kind(Kind::Extended).await?, 1);
    assert_eq!(table.history().await?.steps.len(), history.steps.len(), "and nothing closed");
    Ok(())
}
