//! The first page: the match of the week, running matches as boards, and the search of every page.

use anyhow::{Result, ensure};
use reqwest::StatusCode;

use crate::archive::{filled, rows, text};
use crate::site::Site;

#[tokio::test]
async fn the_match_of_the_week_is_shown_at_its_swing_and_without_spoilers_at_its_start() -> Result<()> {
    let site = Site::start().await?;
    let (_, anybody) = filled(&site).await?;
    let home = anybody.get("/").await?;
    home.says("Match of the week")?.says("Watch from round 1")?.says("the largest swing, ")?;
    let picture = home.attribute(".featured img", "src")?;
    ensure!(picture.ends_with("/after.svg"), "{picture}");
    anybody.get(&picture).await?.is(StatusCode::OK)?;
    // No match was played this week: of the newest, it is the most dramatic.
    let best = home.attribute(".featured-bout a", "href")?;
    let listed = anybody.get("/archive?sort=dramatic").await?.attribute("[scope=row] .to-match", "href")?;
    assert_eq!(best, listed);

    let hidden = anybody.get("/?spoilers=no").await?;
    let picture = hidden.attribute(".featured img", "src")?;
    ensure!(picture.contains("/before.svg?spoilers=no"), "{picture}");
    anybody.get(&picture).await?.is(StatusCode::OK)?;
    for told in ["swing", "is-winner", "lead-line", " won", "lead change", "live-boards"] {
        ensure!(!hidden.text.contains(told), "{told}: {}", hidden.text);
    }
    for link in hidden.attributes(".featured a", "href")? {
        ensure!(link.ends_with("?spoilers=no"), "{link}");
    }
    Ok(())
}

#[tokio::test]
async fn a_running_match_is_a_board_with_its_time_and_every_page_has_a_search() -> Result<()> {
    let site = Site::start().await?;
    let (_, anybody) = filled(&site).await?;
    let home = anybody.get("/").await?;
    let [running] = &rows(&anybody, "?result=running").await?[..] else { anyhow::bail!("one running match") };
    let address = text(running, "address").replace(&site.address, "");
    assert_eq!(home.attributes(".live-boards a", "href")?, [format!("{address}/live")]);
    assert_eq!(home.attributes(".live-boards time", "datetime")?.len(), 1, "the time of the board");
    let events = home.attribute("[data-events]", "data-events")?;
    assert_eq!(events, format!("{address}/events"));
    anybody.get(&home.attribute(".live-boards img", "src")?).await?.is(StatusCode::OK)?;
    for page in ["/", "/players", "/events", "/statistics", "/rules", &address] {
        let page = anybody.get(page).await?;
        let links = page.attributes(".masthead nav a", "href")?;
        assert_eq!(links, ["/archive", "/players", "/events", "/statistics", "/rules", "/sign-in"]);
        assert_eq!(page.attribute(".masthead form", "action")?, "/archive");
    }
    Ok(())
}
