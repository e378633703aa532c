//! Nothing on a seat's page moves by itself: a match of every game goes on while both seats watch it, one on a phone and one
//! at a desk, and what is on their screens stays where it is.

use anyhow::{Context, Result, ensure};
use engine::Seat;
use fantoccini::Locator;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::forms::{DEALT, placed};
use super::hidden::plays;
use super::scripts::sits;
use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::site::Site;
use crate::wait::until;

/// Begins to note what moves, and by which parts of the page.
const NOTE: &str = r#"
    window.shifts = [];
    const name = (one) => one?.closest ? [one.closest("[data-region]")?.dataset.region, one.tagName.toLowerCase(), ...one.classList].filter(Boolean).join(".") : "text";
    const note = (list) => { for (const shift of list) window.shifts.push([shift.value, shift.sources.map(({ node, previousRect: from, currentRect: to }) =>
        `${name(node?.nodeType === 3 ? node.parentElement : node)} ${from.x},${from.y} ${from.width}x${from.height} to ${to.x},${to.y} ${to.width}x${to.height}`)]); };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: false });
    window.noted = () => { note(observer.takeRecords()); return window.shifts.splice(0); };
"#;

/// Waits until the page is as its server has it, and gives what moved until then.
const CATCH_UP: &str = r#"
    const done = arguments[arguments.length - 1];
    const seat = document.querySelector("[data-play]");
    const frames = () => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
    (async () => {
        const { stands } = await (await fetch(`${seat.dataset.home}/stands`, { cache: "no-store" })).json();
        await new Promise((same) => {
            const look = () => { if (seat.dataset.stands === stands) { watch.disconnect(); same(); } };
            const watch = new MutationObserver(look);
            watch.observe(seat, { attributes: true });
            look();
        });
        await frames();
        done(window.noted());
    })();
"#;

/// Plays these lines before both seats, the first of them on a phone if `phone` says so.
async fn watched(name: &str, ruleset: &str, steps: &[&str], phone: Seat) -> Result<Vec<String>> {
    let table = Table::typed(ruleset).await?;
    let id = table.site.app.matches.match_of(&table.slug).await?;
    let mut browsers = Vec::new();
    for seat in Seat::BOTH {
        let browser = Browser::open(1280, false, true).await?;
        browser.resize(if seat == phone { (390, 664) } else { (1280, 800) }).await?;
        sits(&browser, &table, seat.word()).await?;
        browser.until("This browser signs what you send").await?;
        browser.client.execute("scrollTo(0, 0)", vec![]).await?;
        browser.client.execute(NOTE, vec![]).await?;
        browsers.push((seat, browser));
    }
    let mut wrong = Vec::new();
    for line in steps {
        match line.strip_prefix("umpire: ") {
            Some(ruling) => drop(table.act("rule", &[("text", ruling), ("result", ""), ("clause", "")]).await?),
            None => plays(&table, id, line).await.with_context(|| (*line).to_owned())?,
        }
        for (seat, browser) in &browsers {
            let told = browser.client.execute_async(CATCH_UP, vec![]).await?;
            for shift in told.as_array().context("a list")? {
                let screen = if *seat == phone { "phone" } else { "desk" };
                let line: String = line.chars().take(24).collect();
                wrong.push(format!("{name}, {seat} at a {screen}, after {line}: {shift}"));
            }
        }
    }
    for (seat, browser) in browsers {
        let screen = if seat == phone { "phone" } else { "desk" };
        browser.picture(&format!("steady-{name}-{seat}-{screen}")).await?;
        browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
        browser.close().await?;
    }
    Ok(wrong)
}

/// The same with each seat on the phone once.
async fn nothing_moves(name: &str, ruleset: &str, steps: &[&str]) -> Result<()> {
    let mut wrong = Vec::new();
    for phone in Seat::BOTH {
        wrong.extend(watched(name, ruleset, steps, phone).await?);
    }
    ensure!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[tokio::test]
async fn five_cards_turn_up_and_nothing_moves() -> Result<()> {
    nothing_moves(
        "five",
        RULESET,
        &["score / grow", "umpire: The round stands", "score claim / grow", "nothing / steal block:grow"],
    )
    .await?;
    let steps = ["score score / grow grow", "claim claim / steal score", "score block:claim / grow grow"];
    nothing_moves("final", "five-card-trick/zeros-gauntlet-final", &steps).await
}

/// What lies over the table, and is open.
const ALERTS: &str =
    "return [...document.querySelectorAll('.table-alerts dialog[open]')].map((one) => one.textContent).join();";

#[tokio::test]
async fn what_the_umpire_says_lies_over_the_table_until_it_is_closed() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(1280, false, true).await?;
    browser.resize((390, 664)).await?;
    // Otherwise it closes by itself.
    browser.reduces_motion().await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    let says = async |text: &str| table.act("rule", &[("text", text), ("result", ""), ("clause", "")]).await;
    let open =
        async || anyhow::Ok(browser.client.execute(ALERTS, vec![]).await?.as_str().unwrap_or_default().to_owned());
    says("The round stands").await?;
    browser.until("The round stands").await?;
    ensure!(open().await?.contains("The round stands"), "{}", open().await?);
    browser.picture("steady-ruling-phone").await?;
    browser.client.find(Locator::Css(".table-alerts button")).await?.click().await?;
    ensure!(open().await?.is_empty(), "it closes");
    let loads_again = async || -> Result<()> {
        browser.client.refresh().await?;
        browser.until("This browser signs what you send").await
    };
    // Of several the newest is shown, and the number of the others is what is left of them.
    for text in ["The chat is slow", "Wait for it", "Go on now"] {
        says(text).await?;
        browser.until(text).await?;
    }
    // A dialog tells that it is closed a moment later.
    let more = async |words: &str| {
        until(async || {
            let said = browser.text_of(".more-alerts > summary").await?;
            ensure!(said == words, "{said}, not {words}");
            Ok(())
        })
        .await
    };
    more("2 more").await?;
    browser.press(".more-alerts > summary").await?;
    browser.press(".more-alerts dialog button").await?;
    more("1 more").await?;
    browser.press(".table-alerts [data-region=umpire] > dialog button").await?;
    more("1 from the umpire").await?;
    browser.press(".more-alerts dialog[open] button").await?;
    until(async || {
        ensure!(!browser.displays(".more-alerts").await?, "none is left of them");
        Ok(())
    })
    .await?;
    ensure!(open().await?.is_empty(), "all are closed: {}", open().await?);
    loads_again().await?;
    ensure!(open().await?.is_empty(), "it is back after the page was loaded again: {}", open().await?);
    // What was read stays closed when something new comes, and that is shown however often the page is loaded.
    says("Hurry a little").await?;
    browser.until("Hurry a little").await?;
    for _ in 0..2 {
        ensure!(
            open().await?.contains("Hurry a little") && !open().await?.contains("The round stands"),
            "{}",
            open().await?
        );
        loads_again().await?;
    }
    browser.close().await
}

#[tokio::test]
async fn what_the_umpire_says_goes_by_itself_and_stays_in_the_list() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(390, false, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    table.act("rule", &[("text", "The round stands"), ("result", ""), ("clause", "")]).await?;
    browser.client.wait().for_element(Locator::Css(".table-alerts dialog[open]")).await?;
    until(async || {
        let open = browser.client.execute(ALERTS, vec![]).await?;
        ensure!(open == json!(""), "it stays: {open}");
        Ok(())
    })
    .await?;
    let listed = "return document.getElementById('more').textContent.includes('The round stands')";
    assert_eq!(browser.client.execute(listed, vec![]).await?, json!(true), "it is lost");
    browser.close().await
}

/// True if no alert lies over what is said of the player's own late moves.
const LATE_IS_READ: &str = "const box = (css) => document.querySelector(css).getBoundingClientRect(); \
    return box('[data-region=late] .notice').bottom <= box('.table-alerts dialog').top";

#[tokio::test]
async fn what_the_umpire_says_covers_nothing_that_is_said_of_the_players_own_move() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let decision = table.p1.page().await?.field("decision")?;
    table.closes().await?;
    table.p1.sends(&decision, &table.fresh("late"), "grow").await?.is(StatusCode::CONFLICT)?;
    table.act("rule", &[("text", "The round stands"), ("result", ""), ("clause", "")]).await?;
    let browser = Browser::open(1280, false, true).await?;
    browser.resize((390, 664)).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("The round stands").await?;
    ensure!(browser.client.execute(LATE_IS_READ, vec![]).await? == json!(true), "it is covered");
    browser.picture("steady-late-phone").await?;
    browser.close().await
}

#[tokio::test]
async fn three_cards_turn_up_and_nothing_moves() -> Result<()> {
    nothing_moves("three", "three-card/simply-genius", &["grow / claim", "claim / steal grow", "grow / grow"]).await
}

#[tokio::test]
async fn a_hand_is_filled_and_challenged_and_nothing_moves() -> Result<()> {
    let selects = ["TH / 2C", "back / front", "9D / 3C", "middle / front", "p2: challenge"];
    nothing_moves("thwart", "thwart-13/dm-colosseum-2", &selects).await
}

#[tokio::test]
async fn piles_are_divided_and_bets_are_made_and_nothing_moves() -> Result<()> {
    let offer = "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6";
    let divided = "p1: divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7";
    let refilled = [&DEALT[..], &["p1: refill", offer, divided]].concat();
    nothing_moves("deal-refill", "devils-deal/blooming-genius", &refilled).await?;
    let stood = [&DEALT[..], &["p1: stand", "p2: stand", "host: community R5", "G5 R2 / B3 R8"]].concat();
    nothing_moves("deal-bet", "devils-deal/blooming-genius", &stood).await
}

#[tokio::test]
async fn boards_are_laid_and_guessed_and_nothing_moves() -> Result<()> {
    let placed = placed();
    let placed: Vec<&str> = placed.iter().map(String::as_str).collect();
    let steps = [&["p2: colour cyan"], &placed[..], &["p2: board A first", "p2: turn a1", "p2: east higher"]];
    nothing_moves("boards", "higher-lower/tempo-up", &steps.concat()).await
}

#[tokio::test]
async fn what_was_sent_from_elsewhere_moves_nothing() -> Result<()> {
    let table = Table::typed("thwart-13/dm-colosseum-2").await?;
    for (seat, sent, size) in [("p1", "TH", (1280, 800)), ("p2", "2C", (390, 664))] {
        let browser = Browser::open(1280, false, true).await?;
        browser.resize(size).await?;
        sits(&browser, &table, seat).await?;
        browser.until("This browser signs what you send").await?;
        browser.client.execute("scrollTo(0, 0)", vec![]).await?;
        browser.client.execute(NOTE, vec![]).await?;
        table.types(seat, sent).await?;
        browser.client.wait().for_element(Locator::Css(".sent")).await?;
        let told = browser.client.execute_async(CATCH_UP, vec![]).await?;
        ensure!(told == json!([]), "{seat} at {size:?}: {told}");
        // What was sent is said in the dock, and once something else is chosen, that goes.
        let shown = "return getComputedStyle(document.querySelector('.sent')).visibility";
        assert_eq!(browser.client.execute(shown, vec![]).await?, json!("visible"));
        let other = "document.querySelector('.deck-card input:not(:checked, :disabled)').click()";
        browser.client.execute(other, vec![]).await?;
        browser.client.wait().for_element(Locator::Css("form[data-dirty] .readback b")).await?;
        assert_eq!(browser.client.execute(shown, vec![]).await?, json!("hidden"));
        browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
        browser.close().await?;
    }
    Ok(())
}

/// Where everything is that can be pressed, and what is above it. A question that is drawn anew has new parts, which no note
/// of the browser's counts as moved: so they are compared by name.
const PLACES: &str = r#"
    const places = {};
    const note = (name, one) => { const { x, y, width, height } = one.getBoundingClientRect(); places[name] = [x, y, width, height].map(Math.round).join(" "); };
    // A chosen card is lifted where it lies.
    const lie = (name, { offsetLeft, offsetTop, offsetWidth, offsetHeight }) => { places[name] = [offsetLeft, offsetTop, offsetWidth, offsetHeight].join(" "); };
    const form = document.querySelector("form[data-asked]");
    for (const input of form.querySelectorAll(".pick-main input, .target input")) lie(`${input.name} ${input.value}`, input.closest(".pick, .target"));
    for (const css of [".bar", ".plate.them", ".plate.me", ".dock"]) note(css, document.querySelector(css));
    // On a desk the bar goes on below: there it grows with what it says.
    if (innerWidth < 600) note("the button", form.querySelector(".act-buttons > .send"));
    return places;
"#;

/// True if what the bar says is in one line, and nothing of it lies over anything else.
const BAR: &str = "const parts = [...document.querySelectorAll('.bar h1, .bar .clock, .bar .lamp')]\
    .map((one) => one.getBoundingClientRect()); \
    return parts.length === 3 && document.querySelector('.bar').offsetHeight <= 68 \
        && parts.every(({ right }, at) => right <= (parts[at + 1]?.left ?? innerWidth))";

/// The cards and the targets among the places.
fn cards(places: &Value) -> Vec<String> {
    let named = |name: &str| name.starts_with("pick ") || name.starts_with("target-");
    let all = places.as_object().into_iter().flatten().filter(|(name, _)| named(name));
    all.map(|(name, place)| format!("{name}: {place}")).collect()
}

#[tokio::test]
async fn a_clock_that_starts_and_a_card_that_is_picked_move_nothing() -> Result<()> {
    for size in [(390, 664), (360, 640), (1280, 800)] {
        let site = Site::seeded("a live match").await?;
        let table = Table::opened(site, RULESET, Some("posted"), &["p2"], &[]).await?;
        let browser = Browser::open(1280, false, true).await?;
        browser.resize(size).await?;
        sits(&browser, &table, "p1").await?;
        browser.until("This browser signs what you send").await?;
        browser.client.execute("scrollTo(0, 0)", vec![]).await?;
        browser.client.execute(NOTE, vec![]).await?;
        // The lobby goes once this player is ready.
        browser.press("[data-region=board] form .btn").await?;
        browser.client.wait().for_element(Locator::Css(".offer .pick")).await?;
        browser.client.execute(NOTE, vec![]).await?;
        let places = async || anyhow::Ok(browser.client.execute(PLACES, vec![]).await?);
        let picks = async |word: &str| -> Result<()> {
            let press = "document.querySelector(`.pick-main input[value=${arguments[0]}]`).click()";
            browser.client.execute(press, vec![json!(word)]).await?;
            Ok(())
        };
        let first = places().await?;
        table.clock("run", &[]).await?;
        browser.until("You can change your move until").await?;
        browser.client.execute_async(CATCH_UP, vec![]).await?;
        assert_eq!(places().await?, first, "{size:?}, after the start of the clock");
        picks("grow").await?;
        browser.client.wait().for_element(Locator::Css(".readback b")).await?;
        assert_eq!(places().await?, first, "{size:?}, after a card was picked");
        table.clock("pause", &[]).await?;
        browser.until("Paused. ").await?;
        assert_eq!(places().await?, first, "{size:?}, after a pause");
        browser.picture(&format!("steady-clock-{}", size.0)).await?;
        // Nor do a move that is sent and a change of it, where the bar lies at the foot of the screen.
        if size.0 < 600 {
            let submit = "document.querySelector('form[data-asked] .act-buttons > .send').click()";
            browser.client.execute(submit, vec![]).await?;
            browser.client.wait().for_element(Locator::Css(".sent")).await?;
            browser.until("This browser signs what you send").await?;
            assert_eq!(cards(&places().await?), cards(&first), "{size:?}, after it was sent");
            picks("claim").await?;
            browser.client.wait().for_element(Locator::Css(".readback b")).await?;
            assert_eq!(cards(&places().await?), cards(&first), "{size:?}, after a change");
            ensure!(browser.text_of(".send").await?.contains("Send the change"), "the change is not offered");
            assert_eq!(browser.client.execute(BAR, vec![]).await?, json!(true), "{size:?}, the bar");
            ensure!(!cards(&first).is_empty(), "no card was found");
        }
        browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
        browser.close().await?;
    }
    Ok(())
}
