//! The first page: the match of the week, running matches as boards, and the search of every page.

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;
use serde_json::json;

use crate::archive::filled;
use crate::browser::{Browser, FIXTURE};
use crate::site::Site;
use crate::wait::until;
use crate::whole_match::{fixture, open, record};

#[tokio::test]
async fn a_dramatic_round_is_one_click_away_and_a_rule_and_a_proof_are_two() -> Result<()> {
    let site = Site::start().await?;
    let (_, anybody) = filled(&site).await?;
    let home = anybody.get("/").await?;
    // One: the largest swing of the match of the week.
    let moment = anybody.get(&home.attribute(".featured-board", "href")?).await?;
    moment.is(StatusCode::OK)?.says("What happened")?;
    ensure!(moment.address.contains("/r/") && moment.address.ends_with("/after"), "{}", moment.address);
    // Two: the rule behind what happened in it, at its very clause.
    let rule = moment.attribute(".effects a.rule", "href")?;
    let (_, clause) = rule.split_once('#').context("a clause")?;
    let rules = anybody.get(&rule).await?;
    assert_eq!(rules.is(StatusCode::OK)?.contents(&format!("[id='{clause}']"))?.len(), 1, "{rule}");
    // Two: the check of that match.
    let whole = anybody.get(&home.attribute("a.featured-bout", "href")?).await?;
    let check = whole.link("Check it")?.context("a match leads to its check")?;
    anybody.get(&check).await?.is(StatusCode::OK)?.says("<title>Check: ")?.says("Eight findings")?;
    Ok(())
}

/// Where the board of the match of the week begins and ends, and where the first button ends, from the top of the screen.
const FEATURED: &str = "const [board, button] = ['.frame.is-shown .board', '.first .button'].map((css) => \
    document.querySelector(css).getBoundingClientRect()); return [board.top, board.bottom, button.bottom];";

/// The height of a small phone's screen.
const PHONE: f64 = 640.0;

/// Where the first match of a list begins, and true for each of these that can be seen: the fields of the folded filters.
const LIST: &str = "return [document.querySelector('.mrow').getBoundingClientRect().top, \
    ...['#f-q', '#f-game'].map((css) => document.querySelector(css).checkVisibility())];";

#[tokio::test]
async fn on_a_phone_a_board_with_its_button_and_a_match_come_before_what_is_looked_up() -> Result<()> {
    let site = Site::start().await?;
    filled(&site).await?;
    let browser = Browser::open(360, false, true).await?;
    browser.client.goto(&site.address).await?;
    let places = browser.client.execute(FEATURED, vec![]).await?;
    let place = |nth: usize| places[nth].as_f64().context("a place on the screen");
    ensure!(place(1)? - place(0)? > 150.0, "the board is small or away: {places}");
    ensure!(place(2)? < place(0)? && place(1)? <= PHONE, "the board is below a phone's screen: {places}");
    browser.picture("first-page-phone").await?;
    browser.client.goto(&format!("{}/archive", site.address)).await?;
    let list = browser.client.execute(LIST, vec![]).await?;
    ensure!(list[0].as_f64().is_some_and(|top| top < PHONE / 2.0), "the first match is far down: {list}");
    assert_eq!((&list[1], &list[2]), (&json!(false), &json!(false)), "filters are folded");
    browser.picture("archive-phone").await?;
    browser.client.execute("document.querySelector('[popovertarget=filters]').click()", vec![]).await?;
    let list = browser.client.execute(LIST, vec![]).await?;
    assert_eq!((&list[1], &list[2]), (&json!(true), &json!(true)));
    // What is set is never hidden.
    browser.client.goto(&format!("{}/archive?game=five-card-trick", site.address)).await?;
    browser.until("Game: Five-Card Trick").await?;
    browser.close().await
}

/// The boards of the match of the week, and those that are shown.
const FRAMES: &str = "const all = [...document.querySelectorAll('.frame')];
    return [all.length, all.filter((one) => one.checkVisibility()).length, document.querySelector('[data-frames] figcaption [data-round]').textContent]";

#[tokio::test]
async fn the_match_of_the_week_plays_and_keeps_its_end_back() -> Result<()> {
    let site = Site::start().await?;
    filled(&site).await?;
    let browser = Browser::open(1280, false, true).await?;
    browser.reduces_motion().await?;
    browser.client.goto(&site.address).await?;
    let frames = browser.client.execute(FRAMES, vec![]).await?;
    ensure!(frames[0].as_u64() > Some(1) && frames[1] == json!(1), "one of several rounds is shown: {frames}");
    browser.close().await
}

/// A tile of the first page: its entry, and its words.
const TILE: &str =
    "const tile = document.querySelector('.tile[data-events]'); return [tile.dataset.entry, tile.innerText]";

#[tokio::test]
async fn a_tile_moves_when_a_round_is_played_and_never_tells_who_sent() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let played = fixture(FIXTURE)?;
    let console = open(&umpire, &played).await?;
    let [first, second, ..] = &played.steps[..] else { anyhow::bail!("two rounds") };
    record(&umpire, &console, first).await?;
    let browser = Browser::open(1100, false, true).await?;
    browser.client.goto(&site.address).await?;
    let before = browser.client.execute(TILE, vec![]).await?;
    record(&umpire, &console, second).await?;
    until(async || {
        let now = browser.client.execute(TILE, vec![]).await?;
        ensure!(now[0] != before[0] && now[1] != before[1], "the tile never moves from {before}");
        ensure!(!now.to_string().to_lowercase().contains("sent"), "it tells who sent: {now}");
        Ok(())
    })
    .await?;
    browser.close().await
}
