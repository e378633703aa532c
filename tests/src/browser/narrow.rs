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
    // Who won is heavier, and not underlined as a link is.
    let marked = "return [...document.querySelectorAll('.bout .seat')].map((seat) => {
        const { fontWeight, textDecorationLine } = getComputedStyle(seat.querySelector('bdi'));
        return [seat.classList.contains('is-winner'), fontWeight, textDecorationLine];
    })";
    let marked = browser.client.execute(marked, vec![]).await?;
    ensure!(marked == json!([[true, "700", "none"], [false, "400", "none"]]), "{marked}");
    browser.client.goto(&format!("{}/events/winter%20rooms", site.address)).await?;
    browser.until("Most wins first").await?;
    // It is outside the part that scrolls sideways, so nothing of it is cut off.
    let whole = "const by = document.getElementById('standings-by');
        return !by.closest('.scroll') && by.getBoundingClientRect().right <= document.documentElement.clientWidth";
    ensure!(browser.client.execute(whole, vec![]).await? == json!(true), "cut off");
    // Which words share a line depends on the system's fonts.
    let whole = "return [...document.querySelectorAll('.standings bdi')].map(
        (name) => name.getClientRects().length <= name.textContent.split(' ').length)";
    let whole = browser.client.execute(whole, vec![]).await?;
    ensure!(whole == json!([true, true]), "a name has room for its longest word: {whole}");
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

/// The row of a match, in pixels: its height; whether the score is between the names, on their line; what stands out.
const ROW: &str = "const row = document.querySelector('.mrow'), box = (one) => one.getBoundingClientRect();
    const [one, points, other] = [...row.querySelectorAll('.mpair > span:not(.sr)')].map(box);
    const between = one.right <= points.left + 1 && points.right <= other.left + 1 && Math.abs(one.bottom - points.bottom) < 12;
    return [box(row).height, between, [...row.querySelectorAll('.pill')].map((one) => one.textContent)]";

#[tokio::test]
async fn a_match_of_a_list_is_a_small_block_with_its_score_between_the_names() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    import(&umpire, &played("Quill", "Okapi", "Winter Rooms", "2024-01-10", "")?).await?;
    while app::statistics::count_some(&site.app).await? > 0 {}
    for width in [390, 360, 320] {
        let browser = Browser::open(width, false, true).await?;
        browser.client.goto(&format!("{}/archive", site.address)).await?;
        browser.until("Quill").await?;
        let row = browser.client.execute(ROW, vec![]).await?;
        ensure!(row[0].as_f64().is_some_and(|height| height < 120.0), "at {width} px it is high: {row}");
        ensure!(row[1] == json!(true), "at {width} px: {row}");
        ensure!(row[2].as_array().is_some_and(|tags| tags.len() <= 1), "one tag: {row}");
        browser.fits("a list of matches").await?;
        browser.axe("a list of matches").await?;
        browser.close().await?;
    }
    Ok(())
}

/// The words of played cards and of choices that are broken, and what takes more than two lines for few words.
const BROKEN: &str = "const wrong = [];
    for (const one of document.querySelectorAll('.played-card, .pick-name')) {
        const words = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
        const tops = new Set();
        while (words.nextNode()) {
            const { data } = words.currentNode;
            for (const { 0: word, index } of data.matchAll(/\\S+/g)) {
                const range = document.createRange();
                range.setStart(words.currentNode, index);
                range.setEnd(words.currentNode, index + word.length);
                const lines = new Set([...range.getClientRects()].filter((rect) => rect.width > 0).map((rect) => Math.round(rect.top)));
                if (lines.size > 1) wrong.push(`“${word}” is broken`);
                for (const top of lines) tops.add(top);
            }
        }
        if (tops.size > 2) wrong.push(`“${one.textContent.trim()}” takes ${tops.size} lines`);
    }
    for (const row of document.querySelectorAll('.last-moves > li')) {
        const { right } = row.getBoundingClientRect();
        if ([...row.querySelectorAll('.played-card')].some((card) => card.getBoundingClientRect().right > right + 1)) wrong.push('a card is outside its row');
    }
    return [...new Set(wrong)]";

#[tokio::test]
async fn the_parts_on_the_page_of_all_parts_are_whole() -> Result<()> {
    let site = Site::start().await?;
    let browser = Browser::open(1280, false, true).await?;
    for size in [(390, 664), (360, 640), (1280, 800)] {
        browser.resize(size).await?;
        browser.client.goto(&format!("{}/style", site.address)).await?;
        browser.until("Colours and icons").await?;
        let broken = browser.client.execute(BROKEN, vec![]).await?;
        ensure!(broken == json!([]), "{size:?}: {broken:#}");
        browser.fits("the page of all parts").await?;
        browser.picture(&format!("style-{}", size.0)).await?;
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
