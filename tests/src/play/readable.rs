//! What is not a question of a seat fits its screen too: the umpire's console at a desk, the live page, and the end of a
//! match. Text can be read, and what is pressed is large enough for a finger. `MATCHBOOK_SCREENSHOTS=1` leaves pictures.

use anyhow::{Context, Result, ensure};
use engine::Seat;
use fantoccini::Locator;
use serde_json::json;

use super::forms::{DEALT, placed};
use super::hidden::plays;
use super::screens::SCREENS;
use super::scripts::sits;
use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::site::Site;
use crate::wait::until;

/// What is wrong on the first screen, in words, and whether all that these selectors name is on it.
const MEASURE: &str = r#"
    const wrong = [];
    const name = (one) => `${one.tagName.toLowerCase()}.${[...one.classList].join(".")} "${one.textContent.trim().slice(0, 24)}"`;
    const box = (one) => one.getBoundingClientRect();
    const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }) && box(one).width > 2;
    const near = (one) => seen(one) && box(one).bottom > 0 && box(one).top < innerHeight;
    for (const css of arguments[0]) {
        const one = [...document.querySelectorAll(css)].find(seen);
        if (!one) wrong.push(`${css} is not there`);
        else if (box(one).bottom > innerHeight + 1 || box(one).top < 0) wrong.push(`${css} ends at ${Math.round(box(one).bottom)} of ${innerHeight}`);
    }
    for (const one of [...document.querySelectorAll("button, a.button, summary, select, textarea, input:not([type=hidden], [type=checkbox], [type=radio])")].filter(near)) {
        const { width, height } = box(one);
        if (width < 43.5 || height < 43.5) wrong.push(`${name(one)} is ${Math.round(width)} by ${Math.round(height)}`);
    }
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
        const { parentElement: one, textContent } = words.currentNode;
        if (!textContent.trim() || one.closest("svg, .sr, script, option") || !near(one)) continue;
        const size = parseFloat(getComputedStyle(one).fontSize);
        if (size < 13.99) wrong.push(`${name(one)} is ${size} px`);
    }
    for (const one of document.querySelectorAll("body *")) {
        if (/auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1) wrong.push(`${name(one)} scrolls inside`);
    }
    if (document.documentElement.scrollWidth > innerWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    return [...new Set(wrong)];
"#;

/// Measures the page that is open, at these screens, once its scripts have shown what they show: a countdown waits for the
/// server's time.
async fn fits(browser: &Browser, name: &str, screens: &[(u32, u32)], shown: &[&str]) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for (width, height) in screens {
        browser.resize((*width, *height)).await?;
        browser.client.refresh().await?;
        browser.client.wait().for_element(Locator::Css(shown.first().context("something to see")?)).await?;
        browser.client.execute("scrollTo(0, 0)", vec![]).await?;
        let measured = until(async || {
            let found = browser.client.execute(MEASURE, vec![json!(shown)]).await?;
            ensure!(found == json!([]), "{found:#}");
            Ok(())
        });
        wrong.extend(measured.await.err().map(|fault| format!("{name}, {width} by {height}: {fault}")));
        browser.picture(&format!("readable-{name}-{width}")).await?;
    }
    browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
    Ok(wrong)
}

/// A match with a round behind it, and an umpire who looks at it.
async fn played(clocks: bool) -> Result<(Table, Browser)> {
    let table = Table::laid(RULESET, clocks).await?;
    for (one, other) in [("score", "grow"), ("score claim", "grow")] {
        table.p1.submits(one).await?.says("move received.")?;
        table.p2.submits(other).await?.says("move received.")?;
        table.closes().await?;
    }
    Ok((table, Browser::open(1280, false, true).await?))
}

/// Measures the console of a match at a desk: the seats that are asked, and everything else that an umpire needs for the
/// next act.
async fn console_fits(browser: &Browser, name: &str, table: &Table, shown: &[&str]) -> Result<Vec<String>> {
    browser.client.goto(&table.site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    browser.client.goto(&format!("{}{}", table.site.address, table.console)).await?;
    let shown =
        [&["[data-console]", ".board .state", "[data-newest] h2", "[data-newest] [data-copy]"][..], shown].concat();
    fits(browser, &format!("console-{name}"), &SCREENS[2..], &shown).await
}

/// What a live question with a clock has on the console.
const LIVE: [&str; 5] = [".clocks .countdown", "[name=p1]", "[name=p2]", "[data-close]", ".board"];

#[tokio::test]
async fn the_console_fits_a_desk() -> Result<()> {
    let (table, browser) = played(true).await?;
    table.p1.submits("claim").await?.says("move received.")?;
    let wrong = console_fits(&browser, "five", &table, &LIVE).await?;
    browser.close().await?;
    ensure!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

/// A match with clocks after these lines, whose draws the umpire types.
async fn after(ruleset: &str, steps: &[&str]) -> Result<Table> {
    let site = Site::seeded("a live match").await?;
    let table = Table::set(site, ruleset, true, &["p1", "p2"], &[("draws", "umpire"), ("event", "Cup")]).await?;
    let id = table.site.app.matches.match_of(&table.slug).await?;
    for line in steps {
        plays(&table, id, line).await.with_context(|| (*line).to_owned())?;
    }
    Ok(table)
}

#[tokio::test]
async fn the_console_of_each_game_fits_a_desk() -> Result<()> {
    let browser = Browser::open(1280, false, true).await?;
    let placed = placed();
    let boards: Vec<&str> = placed.iter().map(String::as_str).collect();
    let boards = [&["p2: colour cyan"][..], &boards, &["p2: board A first", "p2: turn a1"]].concat();
    let bets = [&DEALT[..], &["p1: stand", "p2: stand", "host: community R5"]].concat();
    let positions: [(&str, &str, Vec<&str>, &[&str]); 4] = [
        ("three", "three-card/simply-genius", vec!["grow / claim", "claim / steal grow"], &LIVE),
        ("thwart", "thwart-13/dm-colosseum-2", vec!["TH / 2C", "back / front", "9D / 3C", "middle / front"], &LIVE),
        ("deal", "devils-deal/blooming-genius", bets, &LIVE),
        ("boards", "higher-lower/tempo-up", boards, &[".clocks .countdown", "[name=p2]", "[data-close]"]),
    ];
    let mut wrong = Vec::new();
    for (name, ruleset, steps, shown) in positions {
        let table = after(ruleset, &steps).await.with_context(|| name.to_owned())?;
        wrong.extend(console_fits(&browser, name, &table, shown).await?);
    }
    let table = Table::recorded(Site::seeded("a recorded match").await?, RULESET).await?;
    for (p1, p2) in [("score", "grow"), ("score claim", "grow")] {
        table.records(p1, p2).await?;
    }
    let shown = ["[name=p1]", "[name=p2]", "[data-record]", ".board"];
    wrong.extend(console_fits(&browser, "recorded", &table, &shown).await?);
    browser.close().await?;
    ensure!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[tokio::test]
async fn the_live_page_fits_every_screen() -> Result<()> {
    let (table, browser) = played(true).await?;
    browser.client.goto(&format!("{}{}/live", table.site.address, table.public())).await?;
    let wrong = fits(&browser, "live", &SCREENS, &[".live-mark", ".bout", ".clock", ".board .state"]).await?;
    browser.close().await?;
    ensure!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[tokio::test]
async fn the_end_fits_every_screen() -> Result<()> {
    let (table, browser) = played(false).await?;
    let ends = [("decided", "forfeit-p2"), ("text", "Bo left")];
    table.act("decide", &ends).await?;
    table.act("end", &[]).await?;
    ensure!(table.history().await?.is_ended(), "it has ended");
    sits(&browser, &table, Seat::P1.word()).await?;
    let shown = [".match-end h2", ".match-end .button", ".board .state", ".last"];
    let wrong = fits(&browser, "end", &SCREENS, &shown).await?;
    browser.close().await?;
    ensure!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}
