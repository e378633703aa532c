//! The database is unreachable for ten seconds around a deadline: an acknowledged submission is stored, an unstored one
//! was not acknowledged, and one that arrived in time counts.

use std::time::Duration;

use anyhow::{Result, ensure};
use reqwest::StatusCode;

use super::table::{RULESET, Table};
use crate::database::database;
use crate::site::Site;
use crate::wire::{Line, Wire};

const AWAY: Duration = Duration::from_secs(10);

async fn away(how: Wire) -> Result<()> {
    let options = database().await?;
    let line = Line::laid(options.clone())?;
    let site = Site::seeded_on("a live match", options.socket(&line.folder)).await?;
    let table = Table::on(site, RULESET, true, &["p1", "p2"]).await?;
    table.p1.submits("grow").await?.says("move received.")?;
    let page = table.p2.page().await?;
    let (decision, submit) = (page.field("decision")?, page.field("submit")?);
    // The database fails half a second before the deadline.
    table.passes(59);
    line.becomes(how);
    let sending = tokio::spawn({
        let (http, address) = (table.p2.guest.http.clone(), format!("{}{}/submit", table.site.address, table.p2.home));
        let fields = [("decision", decision.clone()), ("submit", submit.clone()), ("move", "claim".to_owned())];
        async move { http.post(address).form(&fields).send().await }
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    for _ in 0..3 {
        table.passes(1);
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    if how == Wire::Cut {
        // Readers see that the database is unreachable, and what to do.
        for path in [&table.console, &table.public()] {
            let told = table.umpire.get(path).await?;
            told.is(StatusCode::SERVICE_UNAVAILABLE)?
                .says("The database cannot be reached just now")?
                .says("Send it again in a moment")?;
        }
    }
    tokio::time::sleep(AWAY.saturating_sub(Duration::from_secs(4))).await;
    line.becomes(Wire::Whole);
    let answer = sending.await??;
    let status = answer.status();
    ensure!(status == StatusCode::OK, "it came in time and was waited for: {status} {}", answer.text().await?);
    table.until("recorded round 1: grow / claim").await?;
    // Sent again, it gets the same answer as the first time.
    table.p2.sends(&decision, &submit, "claim").await?.says("was received before")?;
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    Ok(())
}

#[tokio::test]
async fn connections_lost_for_ten_seconds_around_a_deadline_lose_nothing() -> Result<()> {
    away(Wire::Cut).await
}

#[tokio::test]
async fn a_database_that_is_stuck_for_ten_seconds_around_a_deadline_loses_nothing() -> Result<()> {
    away(Wire::Stuck).await
}
