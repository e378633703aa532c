//! The replay from the second seat's side, and its speeds.

use anyhow::{Result, ensure};
use fantoccini::Locator;
use serde_json::json;

use super::{COLOSSEUM, titled};
use crate::browser::Browser;
use crate::pages::import;
use crate::site::Site;
use crate::wait::until;
use crate::whole_match::fixture;

/// The seats from left to right, on the table and in what was chosen or happened.
const ORDER: &str = "const seats = (css) => [...document.querySelectorAll(css)]
    .sort((one, other) => one.getBoundingClientRect().left - other.getBoundingClientRect().left)
    .map((one) => one.dataset.seat).join(' ');
    return [seats('.state > .state-seat'), seats('.told-steps .choice')];";

#[tokio::test]
async fn my_side_is_first_on_the_table_and_in_what_happened() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let public = import(&umpire, &fixture(COLOSSEUM)?.text).await?.address.replace(&site.address, "");
    let browser = Browser::open(390, false, true).await?;
    browser.client.goto(&format!("{}{public}/r/3/choices", site.address)).await?;
    let order = async || browser.client.execute(ORDER, vec![]).await;
    assert_eq!(order().await?, json!(["p1 p2", "p1 p2"]));
    browser.type_keys("s").await?;
    assert_eq!(order().await?, json!(["p2 p1", "p2 p1"]), "after a press of s");
    let right = char::from(fantoccini::key::Key::Right).to_string();
    browser.type_keys(&right).await?;
    titled(&browser, "Round 3, after").await?;
    assert_eq!(order().await?, json!(["p2 p1", "p2 p1"]), "in what happened, too");
    browser.client.find(Locator::Css("[data-turn]")).await?.click().await?;
    assert_eq!(order().await?, json!(["p1 p2", "p1 p2"]), "and back");
    browser.close().await
}

/// Notes how long each moment would stay, and goes on at once instead.
const NOTES_WAITS: &str = "window.waits = []; const later = window.setTimeout;
    window.setTimeout = (act, ms, ...more) => { if (ms >= 250) waits.push(ms); return later(act, ms >= 250 ? 0 : ms, ...more); };
    document.querySelector('[data-pace]').value = arguments[0]; document.querySelector('[data-play]').click();";

#[tokio::test]
async fn it_plays_at_its_own_twice_and_four_times_its_speed() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let public = import(&umpire, &fixture(COLOSSEUM)?.text).await?.address.replace(&site.address, "");
    let page = super::found(&anybody, &format!("{public}/r/1/before")).await?;
    assert_eq!(page.contents("[data-pace] option")?, ["1\u{d7}", "2\u{d7}", "4\u{d7}"]);
    let browser = Browser::open(1100, false, true).await?;
    // A round takes five seconds, and most of them are for what happened.
    for (pace, round) in [("1", [1000, 1500, 2500]), ("2", [500, 750, 1250]), ("4", [250, 375, 625])] {
        browser.client.goto(&format!("{}{public}/r/1/before", site.address)).await?;
        browser.client.execute(NOTES_WAITS, vec![json!(pace)]).await?;
        until(async || {
            let waits = browser.client.execute("return window.waits.slice(0, 3)", vec![]).await?;
            ensure!(waits == json!(round), "at {pace}\u{d7} it waits for {waits}");
            Ok(())
        })
        .await?;
    }
    browser.close().await
}
