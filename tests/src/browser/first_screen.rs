//! The main button of a page is on its first screen, and a form offers what the chosen rules need.

use anyhow::{Result, ensure};
use serde_json::json;

use super::Browser;
use crate::archive::played;
use crate::pages::import;
use crate::site::Site;

/// True if this can be seen without scrolling.
const IN_SIGHT: &str = "const { top, bottom, height } = document.querySelector(arguments[0]).getBoundingClientRect(); \
    return height > 0 && top >= 0 && bottom <= arguments[1]";

#[tokio::test]
async fn the_button_that_a_page_is_for_is_in_sight() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let address = import(&umpire, &played("Ada", "Bo", "Winter Rooms", "2024-01-10", "")?).await?.address;
    let check = format!("/m/{}/verify", address.rsplit('/').next().unwrap_or_default());
    let browser = Browser::open(1280, false, true).await?;
    browser.client.goto(&site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    for (page, button) in [(check.as_str(), "#here button"), ("/umpire/import", ".past > .buttons:last-child button")] {
        for size in [(390, 664), (360, 640), (1280, 800)] {
            browser.resize(size).await?;
            browser.client.goto(&format!("{}{page}", site.address)).await?;
            browser.until("Matchbook").await?;
            let seen = browser.client.execute(IN_SIGHT, vec![json!(button), json!(size.1)]).await?;
            ensure!(seen == json!(true), "{button} of {page} is off a screen of {size:?}");
        }
    }
    browser.picture("import-desk").await?;
    browser.close().await
}

/// The choices of the DMO that can be seen, and the one that is chosen.
const DMO: &str = "const fields = [...document.querySelectorAll('input[name=dmo]')];
    return [fields.filter((one) => one.checkVisibility()).map((one) => one.value), fields.find((one) => one.checked)?.value ?? null]";

#[tokio::test]
async fn where_the_rules_need_the_dmo_it_is_one_of_the_seats() -> Result<()> {
    let site = Site::start().await?;
    let browser = Browser::open(1280, false, true).await?;
    browser.client.goto(&site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    browser.client.goto(&format!("{}/umpire/open", site.address)).await?;
    let chooses = async |ruleset: &str| {
        let choose = "const rules = document.getElementById('ruleset'); rules.value = arguments[0]; \
            rules.dispatchEvent(new Event('change'));";
        browser.client.execute(choose, vec![json!(ruleset)]).await?;
        anyhow::Ok(browser.client.execute(DMO, vec![]).await?)
    };
    assert_eq!(chooses("five-card-trick/dm-colosseum-2").await?, json!([[], ""]));
    assert_eq!(chooses("five-card-trick/genius-puzzler").await?, json!([["p1", "p2"], null]));
    browser.close().await
}
