//! Each question of every game fits one screen: nothing is scrolled in order to act, text can be read, and what can be
//! pressed is large enough for a finger. `MATCHBOOK_SCREENSHOTS=1` leaves pictures.

use anyhow::{Context, Result, ensure};
use engine::Seat;
use fantoccini::Locator;
use serde_json::{Value, json};

use super::forms::{DEALT, at};
use super::table::{RULESET, Table};
use crate::browser::Browser;

/// Two phones and a desk, each with its width and height.
pub(super) const SCREENS: [(u32, u32); 3] = [(390, 664), (360, 640), (1280, 800)];

/// Everything on the first screen that keeps somebody from acting on this question, in words.
const MEASURE: &str = r#"
    const asked = arguments[0];
    const wrong = [];
    const ask = document.querySelector(`[data-question="${asked}"]`);
    if (!ask) return ["the question is not there"];
    const name = (one) => `${one.tagName.toLowerCase()}.${[...one.classList].join(".")} "${one.textContent.trim().slice(0, 24)}"`;
    const box = (one) => one.getBoundingClientRect();
    const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }) && box(one).width > 2;
    const [bar, act] = [document.querySelector(".table-bar"), ask.querySelector(".act-bar")];
    if (!bar || box(bar).top !== 0 || box(bar).bottom > innerHeight) wrong.push("the bar is not in sight");
    const single = ask.querySelector(".ask-single:not([open]) > summary");
    const button = single ?? ask.querySelector("button:not(.quiet):not([type=button])");
    if (!button || box(button).bottom > innerHeight || box(button).top < 0) wrong.push(`the button is at ${button && box(button).bottom} of ${innerHeight}`);
    const floor = single ? innerHeight : box(act).top;
    const pressed = ".pick-main, .again, .target, .deck-card, .cell-pick, .place-thing, .place-name";
    const all = [...ask.querySelectorAll(pressed), ask.querySelector("h2")].filter(seen);
    for (const one of all) {
        if (box(one).top < box(bar).bottom - 1) wrong.push(`${name(one)} is above the screen`);
        if (box(one).bottom > floor + 1) wrong.push(`${name(one)} ends at ${Math.round(box(one).bottom)}, and the screen at ${Math.round(floor)}`);
    }
    for (const one of [...ask.querySelectorAll(pressed), button].filter(seen)) {
        const least = one.closest(".deck, .grid, [data-dense]") ? 24 : 44;
        const { width, height } = box(one);
        if (width < least - .5 || height < least - .5) wrong.push(`${name(one)} is ${Math.round(width)} by ${Math.round(height)}`);
    }
    // Nothing lies over a button that sends.
    for (const one of [...document.querySelectorAll(".act-bar button:not(.quiet), .ask-single > summary")].filter(seen)) {
        const { left, top, width, height } = box(one);
        if (top < 0 || top + height > innerHeight) continue;
        for (const [x, y] of [[4, 4], [width - 4, 4], [width / 2, height / 2], [4, height - 4], [width - 4, height - 4]]) {
            const over = document.elementFromPoint(left + x, top + y);
            if (!one.contains(over)) wrong.push(`${over ? name(over) : "nothing"} lies over ${name(one)}`);
        }
    }
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
        const { parentElement: one, textContent } = words.currentNode;
        if (!textContent.trim() || one.closest("svg, .sr, script") || !seen(one)) continue;
        const { top, bottom } = box(one);
        const size = parseFloat(getComputedStyle(one).fontSize);
        if (bottom > 0 && top < innerHeight && size < 13.99) wrong.push(`${name(one)} is ${size} px`);
    }
    for (const one of document.querySelectorAll("body *")) {
        const style = getComputedStyle(one);
        if (/auto|scroll/.test(style.overflowY) && one.scrollHeight > one.clientHeight + 1) wrong.push(`${name(one)} scrolls inside`);
    }
    if (document.documentElement.scrollWidth > innerWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    return [...new Set(wrong)].slice(0, 12);
"#;

/// The place from which somebody plays: at a window of this size.
pub(super) async fn resize(browser: &Browser, (width, height): (u32, u32)) -> Result<()> {
    let phone = width < 600;
    let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone });
    browser.tells("Emulation.setDeviceMetricsOverride", metrics).await?;
    browser.tells("Emulation.setTouchEmulationEnabled", json!({ "enabled": phone })).await
}

/// Measures a seat's questions of these kinds on all screens, and looks for what axe finds on the first and the last.
async fn fits(name: &str, table: &Table, seat: Seat, kinds: &[&str]) -> Result<()> {
    let browser = Browser::open(1280, false, true).await?;
    browser.client.goto(&table.link(seat.word()).await?).await?;
    browser.client.find(Locator::Css("main form button")).await?.click().await?;
    browser.until("This browser signs what you send").await?;
    let home = browser.client.current_url().await?;
    let history = table.history().await?;
    let mut wrong = Vec::new();
    for (width, height) in SCREENS {
        resize(&browser, (width, height)).await?;
        browser.client.goto(home.as_str()).await?;
        browser.until("This browser signs what you send").await?;
        browser.client.execute("scrollTo(0, 0)", vec![]).await?;
        browser.picture(&format!("screen-{name}-{width}")).await?;
        for what in kinds {
            let asks = |open: &&record::OpenDecision| open.asked.what == *what && app::recorder::asks(open, seat);
            let open = history.open.iter().find(asks).with_context(|| format!("{what} is not asked"))?;
            let found = browser.client.execute(MEASURE, vec![json!(open.asked.decision.as_str())]).await?;
            for fault in found.as_array().context("a list")?.iter().filter_map(Value::as_str) {
                wrong.push(format!("{name}, {what}, {width} by {height}: {fault}"));
            }
        }
        if width != 360 {
            browser.axe(&format!("{name} at {width}")).await?;
        }
    }
    browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
    browser.close().await?;
    ensure!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[tokio::test]
async fn a_round_of_actions_fits_one_screen() -> Result<()> {
    let table = at(RULESET, &["score / grow", "score / grow"]).await?;
    fits("five", &table, Seat::P1, &["round"]).await?;
    let steps = ["score score / grow grow", "claim claim / steal score", "score block:claim / grow grow"];
    let table = at("five-card-trick/zeros-gauntlet-final", &steps).await?;
    fits("final", &table, Seat::P1, &["round"]).await?;
    let table = at("three-card/simply-genius", &["grow / claim", "claim / steal grow"]).await?;
    fits("three", &table, Seat::P1, &["round"]).await
}

#[tokio::test]
async fn a_card_and_its_hand_fit_one_screen() -> Result<()> {
    let ruleset = "thwart-13/dm-colosseum-2";
    let selects = ["TH / 2C", "back / front", "9D / 3C", "middle / front"];
    let table = at(ruleset, &selects).await?;
    fits("thwart-select", &table, Seat::P1, &["select", "challenge"]).await?;
    let table = at(ruleset, &[&selects[..], &["KS / QS"]].concat()).await?;
    fits("thwart-action", &table, Seat::P1, &["action"]).await?;
    let table = at(ruleset, &[&selects[..], &["p2: challenge"]].concat()).await?;
    fits("thwart-answer", &table, Seat::P1, &["answer"]).await
}

#[tokio::test]
async fn piles_pools_and_bets_fit_one_screen() -> Result<()> {
    let ruleset = "devils-deal/blooming-genius";
    let offer = "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6";
    let divided = "p1: divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7";
    let stood = ["p1: stand", "p2: stand", "host: community R5"];
    let positions: [(&str, &str, Vec<&str>); 6] = [
        ("start", "p2", vec![DEALT[0]]),
        ("refill", "p1", DEALT.to_vec()),
        ("divide", "p1", [&DEALT[..], &["p1: refill", offer]].concat()),
        ("discard", "p1", [&DEALT[..], &["p1: refill", offer, divided]].concat()),
        ("private", "p1", [&DEALT[..], &stood[..]].concat()),
        ("bet", "p1", [&DEALT[..], &stood[..], &["G5 R2 / B3 R8"]].concat()),
    ];
    for (what, seat, steps) in positions {
        let table = at(ruleset, &steps).await.with_context(|| what.to_owned())?;
        let seat = if seat == "p1" { Seat::P1 } else { Seat::P2 };
        fits(&format!("deal-{what}"), &table, seat, &[what]).await?;
    }
    Ok(())
}

#[tokio::test]
async fn groups_boards_and_guesses_fit_one_screen() -> Result<()> {
    let ruleset = "higher-lower/tempo-up";
    let placed = super::forms::placed();
    let placed: Vec<&str> = placed.iter().map(String::as_str).collect();
    let positions: [(&str, &str, Vec<&str>); 5] = [
        ("colour", "p2", vec![]),
        ("assign", "p1", vec!["p2: colour pink"]),
        ("board", "p2", [&["p2: colour cyan"], &placed[..]].concat()),
        ("turn", "p2", [&["p2: colour cyan"], &placed[..], &["p2: board A first"]].concat()),
        ("guess", "p2", [&["p2: colour cyan"], &placed[..], &["p2: board A first", "p2: turn a1"]].concat()),
    ];
    for (what, seat, steps) in positions {
        let table = at(ruleset, &steps).await.with_context(|| what.to_owned())?;
        let seat = if seat == "p1" { Seat::P1 } else { Seat::P2 };
        fits(&format!("boards-{what}"), &table, seat, &[what]).await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_page_of_a_seat_is_small() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p1", "p2"]).await?;
    let page = table.p1.page().await?.text;
    let mut addresses: Vec<String> = vec![table.p1.home.clone()];
    for mark in ["src=\"", "href=\""] {
        let named = page.split(mark).skip(1).filter_map(|rest| rest.split('"').next());
        addresses.extend(named.filter(|address| address.starts_with("/assets/")).map(str::to_owned));
    }
    // The modules that the page's script imports, and what they import.
    let mut read = 0;
    let (mut whole, mut scripts) = (0, 0);
    addresses.sort();
    addresses.dedup();
    while let Some(address) = addresses.get(read).cloned() {
        read += 1;
        let request = table.p1.guest.http.get(format!("{}{address}", table.site.address));
        let packed = request.header("accept-encoding", "gzip").send().await?;
        ensure!(packed.status().is_success(), "{address}: {}", packed.status());
        let size = packed.bytes().await?.len();
        whole += size;
        if address.ends_with(".js") {
            scripts += size;
            let text = table.p1.guest.get(&address).await?.text;
            let imported = text.split(" from \"./").skip(1).filter_map(|rest| rest.split('"').next());
            for name in imported.map(|name| format!("/assets/{name}")) {
                if !addresses.contains(&name) {
                    addresses.push(name);
                }
            }
        }
    }
    ensure!(read > 8, "{addresses:?}");
    ensure!(whole < 120_000, "{whole} bytes for {addresses:?}");
    ensure!(scripts < 45_000, "{scripts} bytes of scripts");
    println!("a seat's page: {whole} bytes, of them {scripts} of scripts");
    Ok(())
}
