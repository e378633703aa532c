//! A draw that the match waits for, while the players may still answer beside it: it never replaces an acknowledged
//! answer, and never takes anybody's time.

use anyhow::{Context, Result, ensure};
use app::Act;
use engine::Seat;
use ledger::{DecisionId, SubmitId};
use record::verify::Status;
use record::{History, StepSource};
use serde_json::json;

use super::table::Table;
use crate::site::Site;
use crate::umpire_acts::perform;

fn act(history: &History, form: u8) -> Act {
    Act { by: history.umpire_now().clone(), form: SubmitId([form; 16]) }
}

/// A match of Higher or Lower whose players have 23 hours to assign their cards.
async fn assigning() -> Result<Table> {
    let site = Site::seeded("a draw").await?;
    let table = Table::opened(site, "higher-lower/tempo-up", Some("at-once"), &["p1", "p2"], &[]).await?;
    table.clock("run", &[]).await?;
    for (player, line) in [(&table.p1, "the owl is late"), (&table.p2, "fourteen bottles")] {
        player.submits(line).await?.says(" received.")?;
    }
    table.closes().await?;
    table.asked_for("colour", 1).await?.submits("cyan").await?.says(" received.")?;
    table.asked_for("assign", 2).await?;
    Ok(table)
}

/// Cards that a seat may assign.
fn cards(history: &History, seat: Seat) -> Result<String> {
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        state.rotate_left(32)
    };
    let mut numbers: &mut dyn FnMut() -> u64 = &mut next;
    history.duel().sample(seat, "assign", &mut numbers).context("cards to assign")
}

/// The question to a seat.
fn asked(history: &History, seat: Seat) -> Result<DecisionId> {
    let open = history.open.iter().find(|open| open.asked.seats.iter().any(|asked| asked.0 == seat));
    Ok(open.context("asked")?.asked.decision.clone())
}

#[tokio::test]
async fn a_draw_enters_what_was_answered_and_ends_no_time_unsaid() -> Result<()> {
    let table = assigning().await?;
    let history = table.history().await?;
    let decision = asked(&history, Seat::P1)?;
    table.p1.submits(&cards(&history, Seat::P1)?).await?.says(" received.")?;

    let app = &table.site.app;
    let unsaid = perform(app, &history, "draw", json!({})).await.map(|_| ()).map_err(|why| why.to_string());
    ensure!(unsaid.as_ref().is_err_and(|why| why.contains("may still answer")), "{unsaid:?}");
    assert_eq!(table.history().await?.head, history.head, "nothing was recorded");
    let console = table.umpire.get(&table.console).await?;
    console.says("Close what the players can still send now")?;
    ensure!(!console.text.contains("autofocus>Draw"), "Enter alone ends nothing");

    let drawn = perform(app, &history, "draw", json!({ "early": true })).await?;
    let sources: Vec<bool> =
        drawn.steps.iter().rev().take(2).map(|step| step.source == StepSource::Decision(decision.clone())).collect();
    assert_eq!(sources, [false, true], "the answer stands before the draw: {:?}", drawn.steps);
    let page = table.p1.page().await?;
    page.says("is in the record")?;
    ensure!(!page.text.contains("waits for its place"), "{}", page.text);
    let report = app.checks.check(history.match_id).await?.1;
    ensure!(report.findings[3].status == Status::Holds, "{:#?}", report.findings[3]);
    Ok(())
}

#[tokio::test]
async fn a_question_that_is_put_again_is_due_when_it_was() -> Result<()> {
    let table = assigning().await?;
    let history = table.history().await?;
    let decision = asked(&history, Seat::P1)?;
    let due = history.clock(&decision).and_then(record::Clock::deadline).context("it runs")?;
    table.passes(3_600);
    table.p1.submits(&cards(&history, Seat::P1)?).await?.says(" received.")?;
    let after = table.site.app.recorder.close_now(&act(&history, 3), history.match_id, &decision).await?;
    let again = asked(&after, Seat::P1)?;
    assert_ne!(again, decision);
    assert_eq!(after.clock(&again).and_then(record::Clock::deadline), Some(due));
    let report = table.checked().await?;
    ensure!(report.findings[3].status == Status::Holds, "{:#?}", report.findings[3]);
    // Once it is due, a draw takes nobody's time.
    table.passes(82_800);
    let drawn = perform(&table.site.app, &*table.history().await?, "draw", json!({})).await?;
    ensure!(drawn.open.iter().all(|open| open.asked.what != "assign"), "{:?}", drawn.open);
    Ok(())
}
