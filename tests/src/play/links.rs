//! Attacks on a seat by whoever makes its links: a permission to look that comes later, and a second link.

use anyhow::{Context, Result, ensure};
use axum::http::StatusCode;
use engine::Seat;
use record::body::LinkAct;

use super::table::{RULESET, Table};
use crate::site::{Guest, Site};

/// A visitor who follows a link.
async fn follows(table: &Table, link: String) -> Result<Guest> {
    let guest = table.site.visitor()?;
    let sat = guest.read(guest.http.post(link).send().await?).await?;
    ensure!(sat.address == table.p1.home, "{}: {}", sat.address, sat.text);
    Ok(guest)
}

#[tokio::test]
async fn the_permission_to_look_is_not_taken_later() -> Result<()> {
    let site = Site::seeded("a look").await?;
    let umpire = site.umpire().await?;
    let form = umpire.get("/umpire/open").await?.field("form")?;
    let typed = [("form", form.as_str()), ("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo"), ("live", "on")];
    let opened = umpire.post("/umpire/open", &typed).await?;
    opened.is(StatusCode::OK)?;
    let again = umpire.post("/umpire/open", &[&typed[..], &[("looks", "on")]].concat()).await?;
    again.is(StatusCode::CONFLICT)?;
    let slug = opened.address.trim_start_matches("/umpire/m/").split('?').next().context("a match")?.to_owned();
    let history = site.app.matches.history(site.app.matches.match_of(&slug).await?).await?;
    assert_eq!(history.umpire_looks(), Some(false), "the record says so, and nothing changes it");
    Ok(())
}

#[tokio::test]
async fn a_second_link_shows_nothing_from_before_it_and_everybody_is_told() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    table.p1.submits("grow").await?.says("move received.")?;
    let own = table.p1.page().await?;
    own.says("Grow")?;
    ensure!(!own.text.contains("More than one link"), "one link, one browser");
    table.passes(1);
    let second = follows(&table, table.link("p1").await?).await?;
    let page = second.get(&table.p1.home).await?;
    page.says("None yet.")?.says("More than one link or browser for your seat")?;
    ensure!(!page.text.contains("last-submission") && !page.text.contains("/receipt/d1/0"), "{}", page.text);
    let receipts = second.get(&format!("{}/receipts.jsonl", table.p1.home)).await?;
    ensure!(!receipts.text.contains("matchbook/receipt/1"), "{}", receipts.text);
    second.get(&format!("{}/receipt/d1/0", table.p1.home)).await?.is(StatusCode::NOT_FOUND)?;
    // The player is told at once, and the record for good.
    table.p1.page().await?.says("More than one link or browser for your seat")?.says("Link 2 was made by")?;
    let history = table.history().await?;
    let acts = history.links.iter().filter(|link| link.linked.seat.0 == Seat::P1).map(|link| link.linked.act);
    let expected = [LinkAct::Made, LinkAct::Followed, LinkAct::Made, LinkAct::Followed];
    assert!(acts.eq(expected), "{:?}", history.links);
    let told = table.checked().await?;
    let told: Vec<&str> = told.findings[6].details.iter().map(|detail| detail.text.as_str()).collect();
    assert!(told.iter().any(|line| line.ends_with("made link 2 to the seat")), "{told:?}");
    Ok(())
}

#[tokio::test]
async fn a_browser_that_follows_the_players_own_link_is_told_too() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let link = table.link("p1").await?;
    let first = follows(&table, link.clone()).await?;
    ensure!(!first.get(&table.p1.home).await?.text.contains("More than one link"), "one browser");
    follows(&table, link).await?;
    first.get(&table.p1.home).await?.says("More than one link or browser for your seat")?;
    Ok(())
}

#[tokio::test]
async fn a_player_who_comes_in_refuses_no_act_of_the_umpire() -> Result<()> {
    let table = Table::with_links(RULESET, false, &[]).await?;
    let link = table.link("p1").await?;
    let page = table.umpire.get(&table.console).await?;
    let seen = table.history().await?.head;
    follows(&table, link).await?;
    ensure!(table.history().await?.head != seen, "that has an entry");
    let to = format!("{}/warn", table.console);
    table.umpire.fills_in(&page, &to, &[("seat", "p2"), ("text", "Slow")]).await?.is(StatusCode::OK)?;
    assert_eq!(table.history().await?.warnings().p2, 1);
    Ok(())
}
