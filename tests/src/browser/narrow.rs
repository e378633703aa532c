//! Pages on the narrowest screens.

use anyhow::{Result, ensure};
use serde_json::json;

use super::Browser;
use crate::archive::played;
use crate::pages::import;
use crate::site::Site;

#[tokio::test]
async fn a_name_breaks_beside_its_mark_and_the_order_of_standings_is_read_whole() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let names = ["Maximilianopoulos", "Bartholomew the Great"];
    let path = import(&umpire, &played(names[0], names[1], "Winter Rooms", "2024-01-10", "")?).await?.address;
    let browser = Browser::open(320, false, true).await?;
    browser.client.goto(&format!("{}{}", site.address, path.replace(&site.address, ""))).await?;
    browser.until("Score sheet").await?;
    // The middle of the mark is beside the first line of its name, and never above it.
    let beside = "return [...document.querySelectorAll('.bout .seat')].map((seat) => {
        const mark = seat.querySelector('.seat-mark').getBoundingClientRect();
        const line = seat.querySelector('bdi').getClientRects()[0];
        const middle = (mark.top + mark.bottom) / 2;
        return mark.right <= line.left && line.top <= middle && middle <= line.bottom;
    })";
    let beside = browser.client.execute(beside, vec![]).await?;
    ensure!(beside == json!([true, true]), "{beside}");
    browser.client.goto(&format!("{}/events/winter%20rooms", site.address)).await?;
    browser.until("Most wins first").await?;
    // It is outside the part that scrolls sideways, so nothing of it is cut off.
    let whole = "const by = document.getElementById('standings-by');
        return !by.closest('.scroll') && by.getBoundingClientRect().right <= document.documentElement.clientWidth";
    ensure!(browser.client.execute(whole, vec![]).await? == json!(true), "cut off");
    browser.close().await
}

#[tokio::test]
async fn words_that_no_line_holds_are_broken() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let [ada, bo, cup] = ["Ada", "Bo", "Cup"].map(|word| word.to_lowercase().repeat(20));
    let stage = format!("[Stage \"{cup}\"]");
    let path = import(&umpire, &played(&ada, &bo, &cup, "2024-01-10", &stage)?).await?.address;
    let browser = Browser::open(320, false, true).await?;
    let (player, event) = (format!("/players/{ada}"), format!("/events/{cup}"));
    let pages = ["/", "/archive", "/players", "/events", &player, &format!("{player}/vs/{bo}"), &event];
    let moment = format!("{}/r/3/after", path.replace(&site.address, ""));
    for page in pages.into_iter().chain([path.as_str(), &moment, &format!("/archive?player={ada}&event={cup}")]) {
        browser.client.goto(&format!("{}{}", site.address, page.replace(&site.address, ""))).await?;
        browser.until("Matchbook").await?;
        browser.fits(page).await?;
    }
    browser.close().await
}

#[tokio::test]
async fn drawn_statistics_fit() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    // As many as a rate needs to be drawn.
    for n in 0..10 {
        import(&umpire, &played(&format!("Ada {n}"), "Bram", "Winter Rooms", "2024-01-10", "")?).await?;
    }
    while app::statistics::count_some(&site.app).await? > 0 {}
    for (width, dark) in [(320, false), (1100, true)] {
        let browser = Browser::open(width, dark, true).await?;
        let page = format!("{}/statistics/five-card-trick/dm-colosseum-2", site.address);
        browser.client.goto(&page).await?;
        browser.until("What met what").await?;
        let drawn = browser.client.execute("return document.querySelectorAll('.span').length", vec![]).await?;
        ensure!(drawn.as_u64() > Some(4), "{drawn} rates are drawn");
        browser.fits("statistics").await?;
        browser.picture(&format!("statistics-drawn-{width}")).await?;
        browser.close().await?;
    }
    Ok(())
}
