//! The first page: the match of the week, running matches as boards, and the search of every page.

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;
use serde_json::{Value, json};

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
    let whole = anybody.get(&home.attribute(".featured-bout a", "href")?).await?;
    let check = whole.link("Check it")?.context("a match leads to its check")?;
    anybody.get(&check).await?.is(StatusCode::OK)?.says("<h1>Check of ")?.says("Eight findings")?;
    Ok(())
}

/// Where the picture of the match of the week begins and ends, and where its button ends, from the top of the screen.
const FEATURED: &str = "const [picture, button] = ['.featured img', '.featured .button'].map((css) => \
    document.querySelector(css).getBoundingClientRect()); return [picture.top, picture.bottom, button.bottom];";

/// The height of a small phone's screen.
const PHONE: f64 = 640.0;

/// True for each of these that can be seen: the field for words, and the one for the game.
const FIELDS: &str = "return ['#f-q', '#f-game'].map((css) => document.querySelector(css).checkVisibility());";

#[tokio::test]
async fn on_a_phone_a_board_with_its_button_and_a_match_come_before_what_is_looked_up() -> Result<()> {
    let site = Site::start().await?;
    filled(&site).await?;
    let browser = Browser::open(360, false, true).await?;
    browser.client.goto(&site.address).await?;
    let places = browser.client.execute(FEATURED, vec![]).await?;
    let place = |nth: usize| places[nth].as_f64().context("a place on the screen");
    ensure!(place(0)? > 0.0 && place(1)? - place(0)? > 150.0, "the picture is small or away: {places}");
    ensure!(place(1)? < place(2)? && place(2)? <= PHONE, "the button is below a phone's screen: {places}");
    browser.picture("first-page-phone").await?;
    browser.client.goto(&format!("{}/archive", site.address)).await?;
    assert_eq!(browser.client.execute(FIELDS, vec![]).await?, json!([true, false]));
    browser.picture("archive-phone").await?;
    browser.client.execute("document.querySelector('.filter-form summary').click()", vec![]).await?;
    assert_eq!(browser.client.execute(FIELDS, vec![]).await?, json!([true, true]));
    // What is set is never hidden.
    browser.client.goto(&format!("{}/archive?game=five-card-trick", site.address)).await?;
    assert_eq!(browser.client.execute(FIELDS, vec![]).await?, json!([true, true]));
    browser.close().await
}

/// A board of the first page: its picture, its time, and its words; and true once the picture is drawn.
const BOARD: &str = "const board = document.querySelector('[data-events]'), image = board.querySelector('img');
    return [image.getAttribute('src'), board.querySelector('time').dateTime, image.alt, image.complete && image.naturalWidth > 0]";

#[tokio::test]
async fn a_board_moves_when_a_round_is_played() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let played = fixture(FIXTURE)?;
    let console = open(&umpire, &played).await?;
    let [first, second, ..] = &played.steps[..] else { anyhow::bail!("two rounds") };
    record(&umpire, &console, first).await?;
    let browser = Browser::open(1100, false, true).await?;
    browser.client.goto(&site.address).await?;
    let before = browser.client.execute(BOARD, vec![]).await?;
    assert_eq!(before[2], Value::from("The board now:"));
    record(&umpire, &console, second).await?;
    until(async || {
        let now = browser.client.execute(BOARD, vec![]).await?;
        ensure!(now[0] != before[0] && now[1] != before[1], "the board never moves from {before}");
        ensure!(now[3] == true, "its picture is never drawn: {now}");
        Ok(())
    })
    .await?;
    browser.close().await
}
