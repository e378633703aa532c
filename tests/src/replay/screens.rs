//! Every moment of a replay fits one screen: the whole table, the first words of what happened, and the controls. Nothing of
//! it moves under the reader, and the page is small. `MATCHBOOK_SCREENSHOTS=1` leaves pictures.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{SHIFT_MAX, found};
use crate::browser::Browser;
use crate::pages::import;
use crate::site::{Guest, Site};
use crate::whole_match::fixture;

/// A match of every game, and one of each ruleset that looks otherwise.
pub(super) const MATCHES: [(&str, &str); 6] = [
    ("five", "five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn"),
    ("final", "five-card-trick/zeros-gauntlet-final/more-chips-25-p2-quill-juniper.dmn"),
    ("three", "three-card/simply-genius/dmo-25-p1-tindra-okapi.dmn"),
    ("thwart", "thwart-13/dm-colosseum-2/challenge-failed-11-p2-okapi-drpelican.dmn"),
    ("deal", "devils-deal/blooming-genius/no-ante-6-p1-omalley-bastion.dmn"),
    ("boards", "higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe.dmn"),
];

/// The moments that are looked at from the beginning on, and then the result.
const MOMENTS: usize = 14;

/// Two phones and two desks, each with its width and height.
const SCREENS: [(u32, u32); 4] = [(390, 664), (360, 640), (1280, 800), (1920, 1080)];

/// Steps on from here as somebody does who presses the right arrow, then to the result, and measures each moment.
pub(super) const WALK: &str = r#"
    // The screen's own size: a phone's window grows with a page that is too wide.
    const [most, width, height, done] = arguments;
    const wrong = [];
    const box = (one) => one.getBoundingClientRect();
    const bar = () => document.querySelector(".stage-bar");
    let scrolled = 0;
    const say = (words) => wrong.push(`${location.pathname}: ${words}`);
    const measure = () => {
        const [bar, board, told] = [".stage-bar", ".stage-board", ".stage-told"].map((css) => document.querySelector(css));
        if (!bar || !board || !told) return say("the stage is not there");
        const foot = box(bar).top;
        if (box(bar).bottom > height + 1) say(`the controls end at ${box(bar).bottom} of ${height}`);
        if (box(board).bottom > foot + 1) say(`the table ends at ${Math.round(box(board).bottom)}, and the controls begin at ${Math.round(foot)}`);
        const first = [...told.querySelectorAll("h3, p, li, b")].find((one) => one.checkVisibility() && box(one).height > 0);
        if (first && box(first).top + 20 > foot) say(`what happened begins at ${Math.round(box(first).top)}, and the controls at ${Math.round(foot)}`);
        if (document.documentElement.scrollWidth > width) say(`the page is ${document.documentElement.scrollWidth} px wide`);
        for (const one of bar.querySelectorAll("a.step, button, select")) {
            const size = box(one);
            if (one.checkVisibility() && (size.width < 38 || size.height < 38)) say(`${one.textContent.trim()} is ${size.width} by ${size.height}`);
        }
        pinned(board, told, foot);
        stays();
    };
    // On a phone, who scrolls to the end of what happened still sees the table, wherever the screen has room for both. On a
    // desk the window is the table: it has most of the height, and nothing but the text scrolls.
    const pinned = (board, told, foot) => {
        if (width >= 960) {
            const table = box(document.querySelector(".stage-table")).height;
            if (table < .6 * height) say(`the table has ${Math.round(table)} of ${height}`);
            if (document.documentElement.scrollHeight > height) say(`the page is ${document.documentElement.scrollHeight} px high`);
            const state = document.querySelector(".stage-board .state");
            if (state && state.scrollHeight > box(board).height + 1) say(`the state needs ${state.scrollHeight} of ${Math.round(box(board).height)}`);
            return;
        }
        const room = box(board).height + box(bar()).height + 160 <= height;
        if ((getComputedStyle(board).position === "sticky") !== room) return say(`the table is ${room ? "not " : ""}pinned`);
        if (!room) return;
        scrollTo({ top: scrollY + box(told).bottom - foot, behavior: "instant" });
        const { top, bottom } = box(board);
        if (top < -1 || bottom > foot + 1) say(`scrolled to ${scrollY}, the table is from ${Math.round(top)} to ${Math.round(bottom)}`);
        if (scrollY > 0) scrolled += 1;
        scrollTo({ top: 0, behavior: "instant" });
    };
    // The next round has the largest button, and it stays where it is.
    let button = null;
    const stays = () => {
        const next = document.querySelector(".is-next"), now = next && box(next);
        if (button && now && Math.abs(button.top - now.top) + Math.abs(button.left - now.left) > 1) say("the next button moved");
        button = now;
    };
    // Everything that moves without somebody's doing, which is all that happens here: these presses are the page's own.
    let moved = 0;
    const movers = new Set();
    const note = (shift) => {
        moved += shift.value;
        for (const { node, previousRect: from, currentRect: to } of shift.sources) {
            const name = node ? `${node.nodeName}.${node.className ?? node.data}` : "what is gone";
            movers.add(`${location.pathname}, ${Math.round(shift.startTime)} ms: ${name} from ${Math.round(from.y)} to ${Math.round(to.y)}, ${Math.round(from.height)} to ${Math.round(to.height)} high`);
        }
    };
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(note));
    observer.observe({ type: "layout-shift", buffered: true });
    const frames = () => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
    const shown = () => new Promise((next) => document.addEventListener("matchbook:shown", next, { once: true }));
    (async () => {
        await frames();
        measure();
        let seen = 1;
        const step = async (link) => {
            const whenShown = shown();
            link.click();
            await whenShown;
            await frames();
            measure();
            seen += 1;
        };
        for (let next; seen < most && (next = document.querySelector("a[rel=next]"));) await step(next);
        const end = document.querySelector("a[data-key~=End]");
        if (end && end.href !== location.href) await step(end);
        observer.takeRecords().forEach(note);
        done([seen, moved, [...new Set(wrong)].slice(0, 12), [...movers].slice(0, 12), scrolled]);
    })();
"#;

#[tokio::test]
async fn every_moment_of_every_game_fits_one_screen_and_nothing_moves() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let (mut wrong, mut scrolled) = (Vec::new(), 0);
    for (name, played) in MATCHES {
        let public = import(&umpire, &fixture(played)?.text).await?.address.replace(&site.address, "");
        let browser = Browser::open(1280, false, true).await?;
        for (width, height) in SCREENS {
            browser.resize((width, height)).await?;
            browser.client.goto(&format!("{}{public}/r/{}/before", site.address, first(played))).await?;
            let told = browser.client.execute_async(WALK, vec![json!(MOMENTS), json!(width), json!(height)]).await?;
            let (seen, moved) = (told[0].as_u64().context("moments")?, told[1].as_f64().context("a shift")?);
            ensure!(seen > 5, "{name}: {seen} moments");
            if moved > SHIFT_MAX {
                wrong.push(format!("{name}, {width} by {height}: it moves by {moved}: {}", told[3]));
            }
            scrolled += told[4].as_u64().context("scrolled moments")?;
            let faults = told[2].as_array().context("a list")?;
            wrong.extend(faults.iter().filter_map(Value::as_str).map(|fault| format!("{name}, {width}: {fault}")));
            browser.picture(&format!("replay-{name}-{width}")).await?;
        }
        browser.close().await?;
    }
    ensure!(wrong.is_empty(), "{wrong:#?}");
    ensure!(scrolled > 0, "no moment was so long that the table had to stay");
    Ok(())
}

/// A page that was drawn while it came in would move at each new part.
#[tokio::test]
async fn on_a_slow_phone_nothing_moves_either() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let browser = Browser::open(390, false, true).await?;
    browser.tells("Emulation.setCPUThrottlingRate", json!({ "rate": 8 })).await?;
    for (name, played) in [MATCHES[1], MATCHES[2], MATCHES[5]] {
        let public = import(&umpire, &fixture(played)?.text).await?.address.replace(&site.address, "");
        browser.client.goto(&format!("{}{public}/r/{}/before", site.address, first(played))).await?;
        let told = browser.client.execute_async(WALK, vec![json!(1), json!(390), json!(700)]).await?;
        ensure!(told[1].as_f64().is_some_and(|moved| moved <= SHIFT_MAX), "{name}: {told}");
    }
    browser.tells("Emulation.setCPUThrottlingRate", json!({ "rate": 1 })).await?;
    browser.close().await
}

/// The label of a match's first row.
fn first(played: &str) -> &'static str {
    if played.starts_with("higher-lower") || played.starts_with("devils-deal") { "0" } else { "1" }
}

#[tokio::test]
async fn a_moment_is_small_with_all_that_it_needs() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let anybody = site.visitor()?;
    for (name, played) in MATCHES {
        let public = import(&umpire, &fixture(played)?.text).await?.address.replace(&site.address, "");
        let begin = found(&anybody, &format!("{public}/r/{}/before", first(played))).await?;
        let end = begin.attribute("a[data-key~=End]", "href")?;
        let (whole, scripts) = transferred(&anybody, &end).await?;
        ensure!(whole < 100_000 && scripts < 45_000, "{name}: {whole} bytes, of them {scripts} of scripts");
        println!("{name}, {end}: {whole} bytes, of them {scripts} of scripts");
    }
    Ok(())
}

/// The bytes of a page with all that it needs, and those of its scripts, as they are transferred.
async fn transferred(anybody: &Guest, address: &str) -> Result<(usize, usize)> {
    let page = found(anybody, address).await?.text;
    let mut addresses = vec![address.to_owned()];
    for mark in ["src=\"", "href=\""] {
        let named = page.split(mark).skip(1).filter_map(|rest| rest.split('"').next());
        addresses.extend(named.filter(|address| address.starts_with("/assets/")).map(str::to_owned));
    }
    addresses.sort();
    addresses.dedup();
    let (mut whole, mut scripts) = (0, 0);
    for address in &addresses {
        let request = anybody.http.get(format!("{}{address}", anybody.address));
        let packed = request.header("accept-encoding", "gzip").send().await?;
        ensure!(packed.status().is_success(), "{address}: {}", packed.status());
        let size = packed.bytes().await?.len();
        whole += size;
        scripts += if address.ends_with(".js") { size } else { 0 };
    }
    ensure!(addresses.len() > 4 && scripts > 0, "{addresses:?}");
    // Whatever else a page shows would be missing in the sum.
    ensure!(!page.replace("src=\"/assets/", "").contains("src=\""), "{address} has a picture of its own");
    Ok((whole, scripts))
}
