//! What is not a question of a seat fits its screen too: the umpire's console at a desk, the live page, and the end of a
//! match. Text can be read, and what is pressed is large enough for a finger. `MATCHBOOK_SCREENSHOTS=1` leaves pictures.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use engine::Seat;
use fantoccini::Locator;
use serde_json::json;

use super::forms::{DEALT, placed};
use super::hidden::plays;
use super::screens::{SCREENS, family};
use super::scripts::sits;
use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::site::Site;
use crate::wait::until;

/// What is wrong on the first screen, in words, and whether all that these selectors name is on it.
const MEASURE: &str = r#"
    // The screen's own size: a phone's window grows with a page that is too wide.
    const [shown, screenWidth, screenHeight] = arguments;
    const wrong = [];
    const name = (one) => `${one.tagName.toLowerCase()}.${[...one.classList].join(".")} "${one.textContent.trim().slice(0, 24)}"`;
    const box = (one) => one.getBoundingClientRect();
    const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }) && box(one).width > 2;
    const near = (one) => seen(one) && box(one).bottom > 0 && box(one).top < screenHeight;
    for (const css of shown) {
        const one = [...document.querySelectorAll(css)].find(seen);
        if (!one) wrong.push(`${css} is not there`);
        else if (box(one).bottom > screenHeight + 1 || box(one).top < 0) wrong.push(`${css} ends at ${Math.round(box(one).bottom)} of ${screenHeight}`);
    }
    const small = (one, least) => {
        const { width, height } = box(one);
        if (width < least - .5 || height < least - .5) wrong.push(`${name(one)} is ${Math.round(width)} by ${Math.round(height)}`);
    };
    for (const one of [...document.querySelectorAll("button, a.button, summary, select, textarea, input:not([type=hidden], [type=checkbox], [type=radio])")].filter(near)) small(one, 44);
    // A link within a sentence is as high as its line. One that is alone is found by a finger on a phone, and by a mouse on a desk.
    const alone = (link) => {
        const around = link.parentElement.cloneNode(true);
        for (const one of around.querySelectorAll("a, button, kbd, output, .sr")) one.remove();
        return link.closest("h2") || !around.textContent.trim();
    };
    for (const one of [...document.querySelectorAll("a:not(.button, .skip, .foot a)")].filter(near)) if (alone(one)) small(one, screenWidth < 600 ? 44 : 24);
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
    for (const one of [...document.querySelectorAll(".state .card")].filter(seen)) {
        if (box(one).right > box(one.closest(".state > *")).right + .5) wrong.push(`${name(one)} is outside its panel`);
    }
    if (document.documentElement.scrollWidth > screenWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    return [...new Set(wrong)];
"#;

/// What is not there yet: a part, or what is left of a clock, which waits for the server's time.
const MISSING: &str = "const missing = arguments[0].filter((css) => !document.querySelector(css));
    const clocks = [...document.querySelectorAll('.clocks [data-deadline], [data-due]')];
    return clocks.some((one) => one.hidden || !one.querySelector('[data-left]').textContent) ? [...missing, 'a countdown'] : missing";

/// The page at its top, and everything that moves at its end: what fades in is not seen at first.
const STILL: &str = "scrollTo({ top: 0, behavior: 'instant' });
    for (const moving of document.getAnimations()) if (moving.effect.getComputedTiming().endTime !== Infinity) moving.finish();";

/// Measures the page that is open, at these screens, once its scripts have shown what they show.
async fn fits(browser: &Browser, name: &str, screens: &[(u32, u32)], shown: &[&str]) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for (width, height) in screens {
        browser.resize((*width, *height)).await?;
        browser.client.refresh().await?;
        until(async || {
            let missing = browser.client.execute(MISSING, vec![json!(shown)]).await?;
            ensure!(missing == json!([]), "{name}, {width} by {height}: {missing} is not there");
            Ok(())
        })
        .await?;
        browser.client.execute(STILL, vec![]).await?;
        let found = browser.client.execute(MEASURE, vec![json!(shown), json!(width), json!(height)]).await?;
        if found != json!([]) {
            wrong.push(format!("{name}, {width} by {height}: {found:#}"));
        }
        browser.picture(&format!("readable-{name}-{width}")).await?;
    }
    browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
    Ok(wrong)
}

/// Gives up the connections of a table that is not needed any more: a test of many tables would take those of other tests.
async fn leaves(table: &Table) {
    table.site.loses_its_database().await;
}

/// A live match at some moment.
#[derive(Clone)]
struct Moment {
    name: &'static str,
    ruleset: &'static str,
    /// Fields of the form that opens the match.
    opened: &'static [(&'static str, &'static str)],
    steps: Vec<String>,
    /// What the umpire needs for the open question.
    asked: &'static [&'static str],
}

/// What a question to both seats has on the console, to one of them, and what may be left alone beside it.
const BOTH: &[&str] =
    &[".desk [data-seat=p1] .type", ".desk [data-seat=p2] .type", ".type .key", "[data-close]", ".go .key"];
const FIRST: &[&str] = &[".desk [data-seat=p1] .type", ".type .key", "[data-close]", ".go .key"];
const SECOND: &[&str] = &[".desk [data-seat=p2] .type", ".type .key", "[data-close]", ".go .key"];
const FOLDED: &[&str] = &[
    ".desk [data-seat=p1] .type",
    ".desk [data-seat=p2] .type",
    ".type .key",
    "[data-close]",
    ".go .key",
    ".needs form summary",
];

impl Moment {
    fn of(name: &'static str, ruleset: &'static str, steps: &[&str], asked: &'static [&'static str]) -> Self {
        let opened = &[("draws", "umpire"), ("event", "Cup")];
        Self { name, ruleset, opened, steps: steps.iter().map(|&step| step.to_owned()).collect(), asked }
    }

    async fn table(&self) -> Result<Table> {
        let site = Site::seeded("a live match").await?;
        let table = Table::set(site, self.ruleset, true, &["p1", "p2"], self.opened).await?;
        let id = table.site.app.matches.match_of(&table.slug).await?;
        for line in &self.steps {
            plays(&table, id, line).await.with_context(|| line.clone())?;
        }
        Ok(table)
    }
}

/// A moment of every game, with what its table has most of: lamps, hands, pools of many cards, boards.
fn moments() -> Vec<Moment> {
    let selects = ["TH / 2C", "back / front", "9D / 3C", "middle / front"];
    let bets = [&DEALT[..], &["p1: stand", "p2: stand", "host: community R5"]].concat();
    let divide = "p1: divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7";
    let divided = [&DEALT[..], &["p1: refill", "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6", divide]].concat();
    let placed = placed();
    let boards: Vec<&str> = placed.iter().map(String::as_str).collect();
    let boards = [&["p2: colour cyan"][..], &boards, &["p2: board A first", "p2: turn a1"]].concat();
    let [thwart, deal] = ["thwart-13/dm-colosseum-2", "devils-deal/blooming-genius"];
    let claim = Moment::of("claim", "five-card-trick/zeros-gauntlet-final", &["score claim / claim grow"], FOLDED);
    vec![
        Moment::of("five", RULESET, &["score / grow", "score claim / grow"], BOTH),
        Moment { opened: &[("item-claim-priority", "p1"), ("event", "Cup")], ..claim },
        Moment::of("three", "three-card/simply-genius", &["grow / claim", "claim / steal grow"], BOTH),
        Moment::of("thwart", thwart, &selects, FOLDED),
        Moment::of("challenge", thwart, &[&selects[..], &["p2: challenge"]].concat(), FIRST),
        Moment::of("deal", deal, &bets, BOTH),
        Moment::of("discard", deal, &divided, FIRST),
        Moment::of("boards", "higher-lower/tempo-up", &boards, SECOND),
    ]
}

/// Measures the console of a match at a desk: the seats that are asked, and everything else that an umpire needs for the
/// next act.
async fn console_fits(browser: &Browser, name: &str, table: &Table, shown: &[&str]) -> Result<Vec<String>> {
    browser.client.goto(&table.site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    browser.client.goto(&format!("{}{}", table.site.address, table.console)).await?;
    let shown = [
        &["[data-console]", ".desk .score", "[data-newest] h2", "[data-newest] [data-copy]", "[data-newest] .key"][..],
        shown,
    ]
    .concat();
    fits(browser, &format!("console-{name}"), &SCREENS[2..], &shown).await
}

#[tokio::test]
async fn the_console_of_each_game_fits_a_desk() -> Result<()> {
    // With a mouse, so that each key has its sign beside what it does.
    let browser = Browser::at_a_desk().await?;
    let mut wrong = Vec::new();
    for moment in moments() {
        let table = moment.table().await.with_context(|| moment.name)?;
        if moment.name == "five" {
            table.p1.submits("claim").await?.says("move received.")?;
        }
        let shown = [&[".desk .clock"], moment.asked].concat();
        wrong.extend(console_fits(&browser, moment.name, &table, &shown).await?);
        leaves(&table).await;
    }
    let table = Table::recorded(Site::seeded("a recorded match").await?, RULESET).await?;
    for (p1, p2) in [("score", "grow"), ("score claim", "grow")] {
        table.records(p1, p2).await?;
    }
    let shown = ["[name=p1]", "[name=p2]", "label .key", "[data-record]", ".go .key", ".desk .score"];
    wrong.extend(console_fits(&browser, "recorded", &table, &shown).await?);
    browser.close().await?;
    ensure!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

/// On a phone the whole table and its clock are on the first screen, and what happened comes below; on a desk all is there.
#[tokio::test]
async fn the_live_page_of_each_game_fits_every_screen() -> Result<()> {
    let browser = Browser::open(1280, false, true).await?;
    let table = [".bar .clock", ".plate.them", ".mid", ".plate.me", ".dock .say"];
    let mut wrong = Vec::new();
    for moment in moments() {
        let live = moment.table().await.with_context(|| moment.name)?;
        browser.client.goto(&format!("{}{}/live", live.site.address, live.public())).await?;
        let name = format!("live-{}", moment.name);
        wrong.extend(fits(&browser, &name, &SCREENS[..2], &table).await?);
        let beside = [&table[..], &[".story", ".scores"]].concat();
        wrong.extend(fits(&browser, &name, &SCREENS[2..], &beside).await?);
        leaves(&live).await;
    }
    browser.close().await?;
    ensure!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

/// Measures the end of a match on a seat's page, and looks for what axe finds there.
async fn end_fits(browser: &Browser, name: &str, table: &Table) -> Result<Vec<String>> {
    sits(browser, table, Seat::P1.word()).await?;
    browser.client.wait().for_element(Locator::Css(".match-end h2")).await?;
    let shown = [".match-end h2", ".match-end .reason", ".duel", ".dock .btn"];
    let name = format!("end-{name}");
    let wrong = fits(browser, &name, &SCREENS, &shown).await?;
    browser.axe(&name).await?;
    browser.resize(SCREENS[0]).await?;
    browser.axe(&format!("{name} on a phone")).await?;
    browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
    leaves(table).await;
    Ok(wrong)
}

/// A reason of a ruling as long as umpires write them.
const REASON: &str = "Bo left the call in the second round, did not answer two messages of the umpire within fifteen \
                      minutes, and wrote later that the train had no network. Ada waited the whole time.";

#[tokio::test]
async fn the_end_of_each_game_fits_every_screen() -> Result<()> {
    let browser = Browser::open(1280, false, true).await?;
    let mut wrong = Vec::new();
    for (moment, reason) in moments().into_iter().flat_map(|moment| [(moment.clone(), "Bo left"), (moment, REASON)]) {
        let table = moment.table().await.with_context(|| moment.name)?;
        table.act("decide", &[("decided", "forfeit-p2"), ("text", reason)]).await?;
        let name = if reason == REASON { format!("{}-long", moment.name) } else { moment.name.to_owned() };
        table.p1.page().await?.says(reason)?;
        if reason != REASON {
            table.act("end", &[]).await?;
            ensure!(table.history().await?.is_ended(), "{} has ended", moment.name);
        }
        wrong.extend(end_fits(&browser, &name, &table).await?);
    }
    browser.close().await?;
    ensure!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

/// Matches that were played to their end, each with the longest reason of its game.
const PLAYED: [(&str, &str); 5] = [
    ("five-card-trick/dm-colosseum-2/nobody-took-the-pot-50-none-juniper-ilse.dmn", "nobody ever took the pot"),
    ("three-card/simply-genius/dmo-25-p1-tindra-okapi.dmn", "the DMO wins a tie"),
    ("thwart-13/dm-colosseum-2/challenge-failed-11-p2-okapi-drpelican.dmn", "the challenged seat showed no valid set"),
    ("devils-deal/blooming-genius/no-penalty-2-p2-ilse-omalley.dmn", "folded a high card and cannot pay for it"),
    ("higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe.dmn", "three boards won"),
];

#[test]
fn the_longest_reason_of_each_game_is_measured() {
    let mut longest = BTreeMap::new();
    for ruleset in engine::rulesets() {
        let reason = longest.entry(family(ruleset.card().id)).or_insert("");
        *reason =
            ruleset.endings().iter().map(|one| one.phrase).chain([*reason]).max_by_key(|it| it.len()).unwrap_or("");
    }
    for (name, end) in PLAYED {
        let reason = longest.remove(&family(name)).unwrap_or_default();
        assert!(reason.ends_with(end), "{name}: {reason}");
    }
    assert_eq!(longest.into_keys().collect::<Vec<_>>(), Vec::<String>::new());
}

#[tokio::test]
async fn an_end_by_play_fits_every_screen_in_every_game() -> Result<()> {
    let browser = Browser::open(1280, false, true).await?;
    let mut wrong = Vec::new();
    for (name, why) in PLAYED {
        let table = Table::replayed(Site::seeded("a finished match").await?, name).await?;
        // Before the umpire ends it, the page says that, too.
        let said = table.p1.page().await?.content(".match-end .reason")?;
        // The event comes after it.
        ensure!(said.contains(&format!("{why}.")), "{name}: {said}");
        let short = name.rsplit('/').next().and_then(|file| file.strip_suffix(".dmn")).unwrap_or(name);
        wrong.extend(end_fits(&browser, short, &table).await?);
    }
    browser.close().await?;
    ensure!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}
