//! Each question of every game fits one screen: nothing is scrolled in order to act, text can be read, and what can be
//! pressed is large enough for a finger. `MATCHBOOK_SCREENSHOTS=1` leaves pictures.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use engine::To;
use fantoccini::Locator;
use ledger::DecisionId;
use record::body::Closing;
use record::share::SHARE;
use serde_json::{Value, json};

use super::hidden::{SEEDS, asked};
use super::positions::{Position, actions, boards, hands, piles};
use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::site::Site;
use crate::wait::until;

/// Two phones and a desk, each with its width and height.
pub(super) const SCREENS: [(u32, u32); 3] = [(390, 664), (360, 640), (1280, 800)];

/// Everything on the first screen that keeps somebody from acting on this question, in words.
const MEASURE: &str = r#"
    // The screen's own size: a phone's window grows with a page that is too wide.
    const [asked, screenWidth, screenHeight] = arguments;
    const wrong = [];
    const ask = document.querySelector(`[data-question="${asked}"]`);
    if (!ask) return ["the question is not there"];
    const name = (one) => `${one.tagName.toLowerCase()}.${[...one.classList].join(".")} "${one.textContent.trim().slice(0, 24)}"`;
    const box = (one) => one.getBoundingClientRect();
    const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }) && box(one).width > 2;
    // One question is in sight at a time: another is one press away.
    if (!ask.matches("[data-cursor]") && !ask.querySelector(".ask-single")) location.hash = ask.id;
    const [bar, dock] = [document.querySelector(".bar"), [...document.querySelectorAll(".dock")].find(seen)];
    if (!bar || box(bar).top !== 0 || box(bar).bottom > screenHeight) wrong.push("the bar is not in sight");
    if (!dock || Math.abs(box(dock).bottom - screenHeight) > 1) wrong.push(`the dock ends at ${dock && box(dock).bottom} of ${screenHeight}`);
    const single = ask.querySelector(".ask-single:not([open]) > summary");
    const button = single ?? [...ask.querySelectorAll(".act-buttons .btn")].find(seen);
    const isSent = ask.querySelector(".sent");
    if (!isSent && (!button || box(button).bottom > screenHeight || box(button).top < 0)) wrong.push(`the button is at ${button && box(button).bottom} of ${screenHeight}`);
    const primary = [...document.querySelectorAll(".dock .btn.seat")].filter(seen);
    if (primary.length > 1 && !ask.querySelector("[data-kind=board]")) wrong.push(`${primary.length} buttons are primary`);
    const floor = box(dock).top;
    const pressed = ".pick-main, .again, .target, .deck-card, .cell-pick, .place-thing, .place-name, .step, .seg label, .act-buttons .btn";
    const others = ".dock a, .dock summary, dialog button, dialog a, .tool, .home, .when";
    const all = [...ask.querySelectorAll(pressed)].filter(seen);
    for (const one of all.filter((one) => !dock.contains(one))) {
        if (box(one).top < box(bar).bottom - 1) wrong.push(`${name(one)} is above the screen`);
        if (box(one).bottom > floor + 1) wrong.push(`${name(one)} ends at ${Math.round(box(one).bottom)}, and the dock begins at ${Math.round(floor)}`);
    }
    for (const part of [".plate.them", ".mid", ".plate.me"]) {
        const one = document.querySelector(part);
        if (!one || !seen(one)) wrong.push(`${part} is not there`);
        else if (box(one).top < box(bar).bottom - 1 || box(one).bottom > floor + 1) wrong.push(`${part} is at ${Math.round(box(one).top)} to ${Math.round(box(one).bottom)} of ${Math.round(floor)}`);
    }
    for (const one of [...all, ...[...document.querySelectorAll(others)].filter((one) => seen(one) && !one.closest(".sr"))]) {
        // A board's cells and many cards are close; a deck has thirteen in a row.
        // Only a desk has the line to type, and a mouse presses it.
        const [wide, high] = one.matches(".typed summary") ? [24, 24] : one.closest(".deck") ? [26, 44] : one.closest("[data-dense]") ? [28, 40] : one.closest(".grid") ? [40, 40] : [44, 44];
        const { width, height } = box(one.matches(".pick-main") ? one.closest(".pick") : one);
        if (width < wide - .5 || height < high - .5) wrong.push(`${name(one)} is ${Math.round(width)} by ${Math.round(height)}`);
    }
    for (const barred of [...ask.querySelectorAll(".is-barred")].filter(seen)) {
        if (![...barred.querySelectorAll(".barred-why")].some(seen)) wrong.push(`${name(barred)} does not say why`);
    }
    for (const card of [...document.querySelectorAll(".pc")].filter(seen)) {
        if (box(card).right > screenWidth || box(card).left < 0) wrong.push(`${name(card)} is outside the screen`);
    }
    // Nothing lies over a button that sends.
    for (const one of [...document.querySelectorAll(".dock .btn, .ask-single > summary")].filter(seen)) {
        const { left, top, width, height } = box(one);
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
        if (bottom > 0 && top < screenHeight && size < 13.99) wrong.push(`${name(one)} is ${size} px`);
    }
    // No text is cut: neither at the end of its line nor after some lines.
    for (const one of [...document.querySelectorAll(".bar *, main *")].filter(seen)) {
        const style = getComputedStyle(one), wide = one.scrollWidth > one.clientWidth + 1, high = one.scrollHeight > one.clientHeight + 1;
        if (one.matches(".toasts, .floor, .pc") || style.clipPath === "inset(50%)" || box(one).top >= innerHeight) continue;
        const clamped = style.webkitLineClamp !== "none" && (wide || high);
        if (clamped || (/hidden|clip/.test(style.overflowX) && wide)) wrong.push(`${name(one)} is cut`);
    }
    for (const one of document.querySelectorAll("body *")) {
        const style = getComputedStyle(one);
        if (/auto|scroll/.test(style.overflowY) && one.scrollHeight > one.clientHeight + 1) wrong.push(`${name(one)} scrolls inside`);
    }
    if (document.documentElement.scrollWidth > screenWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    return [...new Set(wrong)].slice(0, 12);
"#;

/// Chooses something else than what was sent to this question; nothing where cards are laid.
const CHANGE: &str = r#"
    const ask = document.querySelector(`[data-question="${arguments[0]}"]`);
    const other = ask.querySelector(".pick-main input[value=nothing]:not(:checked, :disabled)") ?? ask.querySelector(":is(.pick-main, .deck-card) input:not(:checked, :disabled)");
    other?.click();
    return Boolean(other);
"#;

/// Everything that is wrong with what was sent and the change of it, in words.
const CHANGED: &str = r#"
    const form = document.querySelector(`[data-question="${arguments[0]}"] form`), wrong = [];
    const [was, now, button] = [".so-far", ".readback", ".send"].map((css) => form.querySelector(css));
    for (const one of [was, now, button]) if (!one?.checkVisibility({ visibilityProperty: true })) wrong.push(`${one?.className} is not there`);
    if (!/^Sent so far: \w/.test(was.textContent)) wrong.push(`it was sent: ${was.textContent}`);
    if (button.textContent !== "Send the change") wrong.push(`the button: ${button.textContent}`);
    return wrong;
"#;

/// The time of a request to a far server, in milliseconds.
const LATENCY_MS: u32 = 150;

/// True if the typeface came after the first words were painted, though the browser had it.
const TYPEFACE_LATE: &str = "
    const [face] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.woff2'));
    const [painted] = performance.getEntriesByName('first-contentful-paint');
    return Boolean(face && painted && face.transferSize === 0 && face.responseEnd > painted.startTime)";

/// Everything that moved since the page was asked for, whatever was pressed meanwhile.
const MOVED: &str = r#"
    const done = arguments[arguments.length - 1], moved = [];
    const name = (one) => one?.closest ? `${one.tagName.toLowerCase()}.${[...one.classList].join(".")}` : "text";
    const note = (list) => { for (const { value, sources } of list) moved.push(`${value.toFixed(3)} moved: ${sources.map(({ node, previousRect: from, currentRect: to }) =>
        `${name(node?.nodeType === 3 ? node.parentElement : node)} ${from.x},${from.y} ${from.width}x${from.height} to ${to.x},${to.y} ${to.width}x${to.height}`).join("; ")}`); };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { note(observer.takeRecords()); done(moved); })));
"#;

/// A way to the server that is long enough for a page to be drawn before its scripts are there.
async fn far(browser: &Browser, latency: u32) -> Result<()> {
    browser.tells("Network.enable", json!({})).await?;
    browser.tells("Network.setCacheDisabled", json!({ "cacheDisabled": latency > 0 })).await?;
    let way = json!({ "offline": false, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1 });
    browser.tells("Network.emulateNetworkConditions", way).await
}

impl Position {
    /// Measures its questions on all screens, and those that can be answered again also with what was sent. Looks for what
    /// axe finds on the first and the last screen.
    async fn fits(&self) -> Result<()> {
        let table = self.table().await.with_context(|| self.name)?;
        let browser = Browser::open(1280, false, true).await?;
        browser.client.goto(&table.link(self.seat.word()).await?).await?;
        browser.press("main form button").await?;
        browser.until("This browser signs what you send").await?;
        let home = browser.client.current_url().await?.to_string();
        let history = table.history().await?;
        let (mut wrong, mut open) = (Vec::new(), Vec::new());
        for what in self.kinds {
            let asks = |open: &&record::OpenDecision| open.asked.what == *what && app::recorder::asks(open, self.seat);
            let asked = &history.open.iter().find(asks).with_context(|| format!("{what} is not asked"))?.asked;
            open.push((*what, asked.decision.clone(), asked.closes));
        }
        self.measured(&browser, &home, &open, "", &mut wrong).await?;
        open.retain(|(_, _, closes)| *closes != Closing::FirstValid);
        for (what, decision, _) in &open {
            let text = self.moves(&table, what).await?;
            browser.client.execute(SEND, vec![json!(decision.as_str()), json!(text)]).await?;
            browser.client.wait().for_element(Locator::Css(&format!("[data-question='{decision}'] .sent"))).await?;
        }
        if !open.is_empty() {
            self.measured(&browser, &home, &open, "-sent", &mut wrong).await?;
        }
        browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
        browser.close().await?;
        ensure!(wrong.is_empty(), "{wrong:#?}");
        Ok(())
    }

    async fn measured(
        &self,
        browser: &Browser,
        home: &str,
        open: &[(&str, DecisionId, Closing)],
        when: &str,
        wrong: &mut Vec<String>,
    ) -> Result<()> {
        for (width, height) in SCREENS {
            browser.resize((width, height)).await?;
            far(browser, LATENCY_MS).await?;
            let name = format!("{}{when}", self.name);
            // Only a busy machine brings a typeface that it has behind the first frame: what moved then says nothing.
            let moved = until(async || {
                browser.client.goto(home).await?;
                browser.until("This browser signs what you send").await?;
                let moved = browser.client.execute_async(MOVED, vec![]).await?;
                let late = browser.client.execute(TYPEFACE_LATE, vec![]).await? == json!(true);
                ensure!(!late || moved == json!([]), "{name}: the typeface is always late, and moves {moved}");
                Ok(moved)
            })
            .await?;
            far(browser, 0).await?;
            for shift in moved.as_array().context("a list")?.iter().filter_map(Value::as_str) {
                wrong.push(format!("{name}, {width} by {height}: {shift}"));
            }
            browser.client.execute("scrollTo(0, 0)", vec![]).await?;
            browser.picture(&format!("screen-{name}-{width}")).await?;
            for (what, decision, _) in open {
                let found = browser
                    .client
                    .execute(MEASURE, vec![json!(decision.as_str()), json!(width), json!(height)])
                    .await?;
                for fault in found.as_array().context("a list")?.iter().filter_map(Value::as_str) {
                    wrong.push(format!("{name}, {what}, {width} by {height}: {fault}"));
                }
            }
            if when == "-sent" && width < 600 {
                changed(browser, open, &format!("{name}, changed, {width} by {height}"), wrong).await?;
            }
            if width != 360 {
                browser.axe(&format!("{name} at {width}")).await?;
            }
        }
        Ok(())
    }
}

/// The same once something else is chosen and not sent.
async fn changed(
    browser: &Browser,
    open: &[(&str, DecisionId, Closing)],
    name: &str,
    wrong: &mut Vec<String>,
) -> Result<()> {
    for (_, decision, _) in open {
        let asked = vec![json!(decision.as_str())];
        if browser.client.execute(CHANGE, asked.clone()).await? == json!(false) {
            continue;
        }
        let read = format!("[data-question='{decision}'] form[data-dirty] .readback b");
        browser.client.wait().for_element(Locator::Css(&read)).await?;
        for script in [CHANGED, MEASURE] {
            let found = browser.client.execute(script, asked.clone()).await?;
            wrong.extend(found.as_array().context("a list")?.iter().map(|fault| format!("{name}: {fault}")));
        }
        browser.picture(&name.replace([',', ' '], "-")).await?;
    }
    Ok(())
}

/// Types a move into a question and sends it.
const SEND: &str = r#"
    const [asked, text] = arguments;
    const form = document.querySelector(`[data-question="${asked}"] form`);
    form.elements.move.value = text;
    form.requestSubmit(form.querySelector(".act-buttons button"));
"#;

async fn all_fit(positions: Vec<Position>) -> Result<()> {
    let mut wrong = Vec::new();
    for position in positions {
        if let Err(error) = position.fits().await {
            wrong.push(format!("{}: {error:#}", position.name));
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

#[tokio::test]
async fn a_round_of_actions_fits_one_screen() -> Result<()> {
    all_fit(actions()).await
}

#[tokio::test]
async fn a_card_and_its_hand_fit_one_screen() -> Result<()> {
    all_fit(hands()).await
}

#[tokio::test]
async fn piles_pools_and_bets_fit_one_screen() -> Result<()> {
    all_fit(piles()).await
}

#[tokio::test]
async fn groups_boards_and_guesses_fit_one_screen() -> Result<()> {
    all_fit(boards()).await
}

/// The game of a ruleset.
pub(super) fn family(id: &str) -> String {
    id.split('/').next().unwrap_or_default().to_owned()
}

/// Every question to a seat, by its game and its word, as random play meets them.
pub(super) fn questions() -> BTreeSet<(String, engine::Word)> {
    let mut met = BTreeSet::new();
    for ruleset in engine::rulesets() {
        let id = ruleset.card().id;
        let words = (1..=SEEDS).flat_map(|seed| asked(id, seed, |ask| ask.to != To::Host));
        met.extend(words.map(|what| (family(id), what)));
        if !ruleset.draws().is_empty() {
            met.insert((family(id), SHARE.into()));
        }
    }
    met
}

#[test]
fn no_question_is_left_out_of_the_screens() {
    let all = [actions(), hands(), piles(), boards()].into_iter().flatten();
    let measured: BTreeSet<_> = all
        .flat_map(|one| one.kinds.iter().map(move |what| (family(one.ruleset), engine::Word::Static(what))))
        .collect();
    assert_eq!(measured, questions());
}

/// Everything that keeps an umpire on a phone from closing the round, in words.
const CONSOLE: &str = r#"
    const [screenWidth, screenHeight] = arguments;
    const wrong = [];
    const form = document.querySelector("form[data-question]"), close = form.querySelector("[data-close], [data-record]");
    const { left, top, bottom, width, height } = close.getBoundingClientRect();
    if (top < 0 || bottom > screenHeight) wrong.push(`the button is at ${Math.round(top)} to ${Math.round(bottom)} of ${screenHeight}`);
    if (width < 43.5 || height < 43.5) wrong.push(`the button is ${Math.round(width)} by ${Math.round(height)}`);
    if (!close.contains(document.elementFromPoint(left + width / 2, top + height / 2))) wrong.push("something lies over the button");
    const first = form.querySelector(".type input.dmn, .type summary").getBoundingClientRect();
    if (first.top < 0 || first.bottom > document.querySelector(".go").getBoundingClientRect().top) wrong.push(`the first line is at ${Math.round(first.top)} to ${Math.round(first.bottom)}`);
    for (const empty of form.querySelectorAll(".readback:empty")) if (empty.getBoundingClientRect().height > 0) wrong.push("an empty line takes room");
    if (document.documentElement.scrollWidth > screenWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    return wrong;
"#;

#[tokio::test]
async fn an_umpire_on_a_phone_closes_without_scrolling() -> Result<()> {
    let browser = Browser::open(1280, false, true).await?;
    for (clocks, links) in [(false, &["p1", "p2"][..]), (true, &["p1", "p2"]), (false, &[])] {
        let table = Table::on(Site::start().await?, RULESET, clocks, links).await?;
        browser.client.goto(&table.site.sign_in_link().await?).await?;
        browser.sign_in().await?;
        for (width, height) in SCREENS {
            browser.resize((width, height)).await?;
            browser.client.goto(&format!("{}{}", table.site.address, table.console)).await?;
            browser.until("Close round 1").await?;
            browser.client.execute("scrollTo(0, 0)", vec![]).await?;
            browser.picture(&format!("screen-console-{clocks}-{}-{width}", links.len())).await?;
            let wrong = browser.client.execute(CONSOLE, vec![json!(width), json!(height)]).await?;
            ensure!(wrong == json!([]) || width > 600, "clocks {clocks}, {links:?}, {width} by {height}: {wrong:#}");
        }
        browser.axe(&format!("the console at {}", SCREENS[2].0)).await?;
    }
    browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
    browser.close().await
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
