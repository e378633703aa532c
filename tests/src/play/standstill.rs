//! A seat's page while a clock is paused, and after its link was revoked: the state, the counted answer, and the next
//! step for the player.

use anyhow::Result;
use reqwest::StatusCode;

use super::table::{RULESET, Table};
use crate::site::Site;

#[tokio::test]
async fn a_clock_that_stands_still_says_what_it_waits_for_and_what_counts() -> Result<()> {
    let table = Table::opened(Site::seeded("a live match").await?, RULESET, Some("posted"), &["p1", "p2"], &[]).await?;
    let page = table.p1.page().await?;
    page.says("You have 60 seconds once the umpire starts the clock.")?;
    page.says("You can send your move now, and change it until time runs out.")?;
    table.p1.submits("grow").await?.says("move received.")?;
    table.clock("run", &[]).await?;
    let until = "until <time datetime=\"2026-11-20T20:01:00.000000Z\">20:01:00 UTC</time>.";
    table.p1.page().await?.says("You can change your move until")?.says(until)?;
    table.passes(15);
    table.clock("pause", &[("reason", "a break")]).await?;
    let page = table.p1.page().await?;
    page.says("Paused. 45 seconds left.")?;
    page.says("You can still send your move, and change it.")?;
    table.passes(100);
    table.p1.submits("claim").await?.says("move received.")?;
    Ok(())
}

#[tokio::test]
async fn a_question_that_the_first_answer_closes_says_so_while_its_clock_stands_still() -> Result<()> {
    let site = Site::seeded("a live match").await?;
    let table = Table::opened(site, "thwart-13/dm-colosseum-2", Some("posted"), &["p1", "p2"], &[]).await?;
    table.p1.page().await?.says("You have 60 seconds once the umpire starts the clock")?;
    Ok(())
}

#[tokio::test]
async fn whoever_lost_the_seat_reads_what_to_do() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let link = table.link("p1").await?;
    table.revokes_all_links().await?;
    let page = table.p1.page().await?;
    page.is(StatusCode::UNAUTHORIZED)?.says("the umpire revoked it")?.says("What was received before still counts")?;
    let guest = table.site.visitor()?;
    let page = guest.read(guest.http.get(&link).send().await?).await?;
    page.is(StatusCode::GONE)?
        .says("ask the umpire for a new one")?
        .says("can enter it with the time of your message")?;
    // A visitor who never had the seat gets another message.
    guest.get(&table.p1.home).await?.says("This seat is not open in this browser")?;
    Ok(())
}
