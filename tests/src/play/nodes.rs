//! Several nodes on one database, and one that is killed around the close: a decision closes exactly once.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use app::account::player::SeatRef;
use app::keys::Keys;
use app::submissions::{Answer, PlayerSubmission};
use app::system::System;
use app::{Act, App, form_of};
use engine::Seat;
use ledger::Kind;
use reqwest::StatusCode;
use sqlx::Executor;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use super::table::{RULESET, Table, full_access};
use crate::database::database;
use crate::site::{START, Site};

/// Another node: its own connections and clock, the same keys and checkpoint file, and no background tasks.
pub(super) async fn node(site: &Site, options: &PgConnectOptions, after: u64) -> Result<Arc<App>> {
    let system = System::seeded("another node", START.parse()?);
    system.pass(std::time::Duration::from_secs(after));
    let pool = PgPoolOptions::new().max_connections(4).connect_lazy_with(store::serving(options.clone()));
    let keys = Keys::open(site.data.path(), &system)?;
    Ok(Arc::new(App::open(pool, Arc::new(system), keys, None, site.data.path().join("checkpoint")).await?))
}

#[tokio::test]
async fn many_nodes_close_a_decision_once() -> Result<()> {
    let options = database().await?;
    let site = Site::seeded_on("a live match", options.clone()).await?;
    let table = Table::on(site, RULESET, true, &["p1", "p2"]).await?;
    table.p1.submits("grow").await?;
    table.p2.submits("claim").await?;
    let clock = table.open_clock().await?;
    let history = table.history().await?;
    let decision = history.open.first().context("open")?.asked.decision.clone();
    let mut closing = Vec::new();
    for _ in 0..3 {
        let other = node(&table.site, &options, clock + 2).await?;
        let (match_id, decision) = (history.match_id, decision.clone());
        closing.push(tokio::spawn(async move { other.recorder.close_due(match_id, &decision).await }));
    }
    table.passes(clock + 2);
    for one in closing {
        // The slower node has nothing left to do.
        drop(one.await?);
    }
    table.until("recorded round 1:").await?;
    assert_eq!(table.of_kind(Kind::Resolved).await?, 1);
    assert_eq!(table.of_kind(Kind::Sealed).await?, 2);
    assert_eq!(table.of_kind(Kind::Asked).await?, 2);
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    Ok(())
}

#[tokio::test]
async fn two_nodes_on_which_an_umpire_closes_at_once_both_say_that_it_is_closed() -> Result<()> {
    let options = database().await?;
    let site = Site::seeded_on("a live match", options.clone()).await?;
    let table = Table::on(site, RULESET, false, &["p1", "p2"]).await?;
    let other = node(&table.site, &options, 0).await?;
    for round in 0..20 {
        table.p1.submits(["grow", "score"][round % 2]).await?.says("move received.")?;
        table.p2.submits(["grow", "score"][round % 2]).await?.says("move received.")?;
        let history = table.history().await?;
        let decision = &history.open.first().context("open")?.asked.decision;
        let act = |n: &str| Act { by: history.umpire_now().clone(), form: form_of(&[n, decision.as_str()]) };
        let (first, second) = (act("first"), act("second"));
        let (first, second) = tokio::join!(
            table.site.app.recorder.close_now(&first, history.match_id, decision),
            other.recorder.close_now(&second, history.match_id, decision),
        );
        for closed in [first, second] {
            ensure!(
                closed.with_context(|| format!("round {round}"))?.steps.len() > round,
                "round {round} is not closed"
            );
        }
    }
    Ok(())
}

#[tokio::test]
async fn what_was_due_while_nobody_was_there_closes_at_the_next_start() -> Result<()> {
    let options = database().await?;
    // A node whose clock has stopped is like one that was killed: it closes nothing any more.
    let site = Site::seeded_on("a live match", options.clone()).await?;
    let table = Table::on(site, RULESET, true, &["p1", "p2"]).await?;
    table.p1.submits("grow").await?;
    let clock = table.open_clock().await?;
    let next = node(&table.site, &options, clock + 3600).await?;
    next.recorder.settle_all().await?;
    let closing = tokio::spawn(next.deadlines.clone().run());
    table.until("recorded round 1: grow / no move").await?;
    assert_eq!(table.of_kind(Kind::Resolved).await?, 1);
    closing.abort();
    Ok(())
}

#[tokio::test]
async fn a_clock_that_is_set_back_takes_nothing_from_a_match() -> Result<()> {
    let options = database().await?;
    let site = Site::seeded_on("a live match", options.clone()).await?;
    let table = Table::on(site, RULESET, true, &["p1", "p2"]).await?;
    let history = table.history().await?;
    let decision = history.open.first().context("open")?.asked.decision.clone();
    // By this node's clock, everything arrived half a minute after the other node entered it.
    let ahead = node(&table.site, &options, 30).await?;
    for (seat, text) in [(Seat::P1, "claim"), (Seat::P1, "grow"), (Seat::P2, "claim")] {
        let chair = SeatRef { match_id: history.match_id, seat };
        let (came, answer) = (ahead.system().now(), Answer::Text(text.to_owned()));
        let submit = form_of(&[text, seat.word()]);
        ahead
            .submissions
            .submit(
                &history,
                PlayerSubmission {
                    access: full_access(chair),
                    decision: decision.clone(),
                    submit,
                    came,
                    answer,
                    signed: None,
                    is_final: false,
                },
            )
            .await?;
    }
    table.closes().await?;
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    Ok(())
}

/// As after a rolling upgrade, of a match with something new. Practice, because the log is not signed over what was altered.
#[tokio::test]
async fn a_match_that_nobody_can_read_keeps_no_other_from_closing() -> Result<()> {
    let options = database().await?;
    let site = Site::seeded_on("a live match", options.clone()).await?;
    let table = Table::set(site, RULESET, true, &["p1", "p2"], &[("practice", "on")]).await?;
    let typed =
        [("ruleset", RULESET), ("p1", "Cy"), ("p2", "Di"), ("live", "on"), ("clocks", "on"), ("starts", "at-once")];
    for _ in 0..6 {
        table.umpire.opens(&typed).await?.is(StatusCode::OK)?;
    }
    // A node accepts nothing before a log is signed.
    table.umpire.opens(&typed[..4]).await?.is(StatusCode::OK)?;
    let mine = table.history().await?.match_id;
    let altered = format!(
        "alter table entries disable trigger all; \
         update entries set bytes = replace(convert_from(bytes, 'UTF8'), '\"looks\"', '\"Looks\"')::bytea \
         where seq = 0 and match_id <> '{mine}' and log_id = 2; alter table entries enable trigger all"
    );
    table.site.owner().await?.execute(sqlx::AssertSqlSafe(altered)).await?;
    let other = node(&table.site, &options, table.open_clock().await? + 2).await?;
    let closing = tokio::spawn(other.deadlines.clone().run());
    table.until("recorded round 1: no move / no move").await?;
    closing.abort();
    Ok(())
}
