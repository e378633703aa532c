//! Taps to a valid move, on a phone: each kind of question of every game is answered by pressing, with the button that sends,
//! in at most two taps more than the move has parts. `fixtures/taps.md` has the same numbers.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use engine::Seat;
use fantoccini::Locator;
use serde_json::json;

use super::forms::{DEALT, at, placed};
use super::hidden::plays;
use super::screens::{family, questions};
use super::scripts::sits;
use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::site::Site;
use crate::wait::until;

/// The largest number of taps beyond the parts of a move.
const SPARE: usize = 2;
const TABLE: &str = include_str!("../../../fixtures/taps.md");

/// Notes how long the page took to show an answer to each press, in milliseconds: whatever took less than 16 is not told.
const NOTE: &str = "
    window.answers = new Map();
    const keep = (list) => { for (const { interactionId, duration } of list) if (interactionId) {
        window.answers.set(interactionId, Math.max(duration, window.answers.get(interactionId) ?? 0)); } };
    const observer = new PerformanceObserver((list) => keep(list.getEntries()));
    observer.observe({ type: 'event', durationThreshold: 16 });
    window.answered = () => { keep(observer.takeRecords()); return [...window.answers.values()]; };
";
/// The answers once the page has drawn the last one; nothing before. A browser that has nothing to draw gives no frame.
const ANSWERED: &str = "
    if (!('drawn' in window)) {
        window.drawn = false;
        const tell = () => { window.drawn = true; };
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(tell)));
        setTimeout(tell, 1000);
    }
    return window.drawn ? window.answered?.() ?? [] : null;
";

/// A question, the move that answers it, and the way of pressing it.
pub(super) struct Case {
    ruleset: &'static str,
    /// Fields of the form that opens the match.
    opened: &'static [(&'static str, &'static str)],
    steps: Vec<String>,
    seat: Seat,
    what: &'static str,
    /// The move in notation, of which each word is a part, and so is each place that words are laid into. Nothing for a
    /// share of the draws, which the browser makes.
    text: &'static str,
    /// What is pressed, in order: `:word` is a choice, `card word` one that lies on the table, `place n` a place, and
    /// anything else a selector. `type n` types a figure. Nothing where the button alone answers.
    taps: &'static str,
}

/// The parts of a move: its words without the verb, and the places if there are several.
fn parts(text: &str) -> usize {
    let verbs = ["divide", "discard", "take", "assign", "hands", "aside", "use"];
    let places = text.split('|').count();
    let words = text.split([' ', ':', '|']).filter(|word| !word.is_empty() && !verbs.contains(word)).count();
    words + if places > 1 { places } else { 0 }
}

fn css(tap: &str) -> String {
    match tap.split_once(' ') {
        Some(("card", word)) => format!(".place-thing[data-thing='{word}']"),
        Some(("place", number)) => format!("[data-slot='{number}'] .place-name"),
        _ => match tap.strip_prefix(':') {
            Some(word) => format!(":is(.pick-main, .deck-card, .cell-pick, .target):has([value='{word}'])"),
            None => tap.to_owned(),
        },
    }
}

/// A move that was pressed.
pub(super) struct Pressed {
    /// The beginning and the end of its line of the table.
    row: [String; 2],
    pub(super) taps: usize,
    /// How long the page took to answer a tap, in milliseconds, where it was 16 or more.
    pub(super) slow: Vec<f64>,
}

/// The button that sends.
const SENDS: &str = ".act-buttons > .send";
const TYPED: &[(&str, &str)] = &[("draws", "umpire"), ("event", "Cup")];

impl Case {
    async fn table(&self) -> Result<Table> {
        let site = Site::seeded("a live match").await?;
        let table = Table::set(site, self.ruleset, false, &["p1", "p2"], self.opened).await?;
        let id = table.site.app.matches.match_of(&table.slug).await?;
        for line in &self.steps {
            plays(&table, id, line).await.with_context(|| line.clone())?;
        }
        Ok(table)
    }

    /// Presses it on a phone.
    pub(super) async fn is_pressed(&self) -> Result<Pressed> {
        let table = self.table().await?;
        let (id, history) = (table.site.app.matches.match_of(&table.slug).await?, table.history().await?);
        let asks = |open: &&record::OpenDecision| open.asked.what == self.what && app::recorder::asks(open, self.seat);
        let open = history.open.iter().find(asks).with_context(|| format!("{} is not asked", self.what))?;
        let decision = &open.asked.decision;
        let browser = Browser::open(390, false, true).await?;
        browser.resize((390, 664)).await?;
        sits(&browser, &table, self.seat.word()).await?;
        browser.until("This browser signs what you send").await?;
        browser.client.execute(NOTE, vec![]).await.context("taps cannot be noted")?;
        let ask = format!("[data-question='{decision}']");
        let mut count = 0;
        for tap in self.taps.split(", ").filter(|tap| !tap.is_empty()) {
            count += 1;
            match tap.strip_prefix("type ") {
                Some(figure) => browser.type_keys(figure).await?,
                None => browser.press(&format!("{ask} {}", css(tap))).await?,
            }
        }
        // Some buttons say what they send, and send it.
        let sends = ["[name=only]", "[name=target]"].iter().any(|one| self.taps.contains(one));
        let (ready, button) = if self.taps.contains(".ask-single") {
            (".ask-single[open]", "button.grave")
        } else if self.text.is_empty() {
            ("[data-keeps]:not([hidden])", SENDS)
        } else {
            (".line[data-state=valid]", SENDS)
        };
        if !sends {
            browser.client.wait().for_element(Locator::Css(&format!("{ask} {ready}"))).await?;
            browser.press(&format!("{ask} {button}")).await?;
            count += 1;
        }
        until(async || {
            let history = table.history().await?;
            let waits = table.site.app.submissions.received(id, decision).await?;
            let open = history.open.iter().any(|open| open.asked.decision == *decision);
            ensure!(!waits.is_empty() || !open, "{} never arrives", self.text);
            Ok(())
        })
        .await?;
        let slow = until(async || {
            let answered = browser.client.execute(ANSWERED, vec![]).await?;
            let slow = answered.as_array().context("nothing is drawn yet")?;
            anyhow::Ok(slow.iter().filter_map(serde_json::Value::as_f64).collect())
        })
        .await?;
        browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
        browser.close().await?;
        let (game, parts) = (self.ruleset.split('/').next().unwrap_or_default(), parts(self.text));
        ensure!(count <= parts + SPARE, "{game}, {}: {count} taps for {parts} parts", self.text);
        let moved = match self.text {
            "" => "nothing to enter".to_owned(),
            text => format!("`{}`", text.replace('|', "\\|")),
        };
        let begins = format!("| {game} | {} | {moved} | {parts} | ", self.what);
        let row = [begins, format!(" | {count} |")];
        Ok(Pressed { row, taps: count, slow })
    }
}

async fn in_the_table(cases: Vec<Case>) -> Result<()> {
    let mut missing = Vec::new();
    for case in cases {
        let Pressed { row, .. } = case.is_pressed().await.with_context(|| format!("{}: {}", case.what, case.text))?;
        let [begins, ends] = &row;
        if !TABLE.lines().any(|line| line.starts_with(begins) && line.ends_with(ends)) {
            missing.push(row.join("…"));
        }
    }
    ensure!(missing.is_empty(), "fixtures/taps.md has not these rows:\n{}", missing.join("\n"));
    Ok(())
}

fn owned(steps: &[&str]) -> Vec<String> {
    steps.iter().map(|&step| step.to_owned()).collect()
}

fn actions() -> Vec<Case> {
    let case =
        |ruleset, text, taps| Case { ruleset, opened: TYPED, steps: vec![], seat: Seat::P1, what: "round", text, taps };
    let last = "five-card-trick/zeros-gauntlet-final";
    let window = case(last, "use claim-priority", "[name=only][value='use claim-priority']");
    let item = &[("item-claim-priority", "p1"), ("event", "Cup")];
    vec![
        case(RULESET, "grow claim", ":grow, :claim"),
        case(RULESET, "block:score", "[data-target-of=target-block] .target:has([value=score])"),
        case(last, "score score", ".again:has([value=score])"),
        Case { opened: item, steps: owned(&["score claim / claim grow"]), what: "claim-priority", ..window },
        case("three-card/simply-genius", "grow steal", ":grow, :steal"),
    ]
}

fn hands() -> Vec<Case> {
    let selects = ["TH / 2C", "back / front", "9D / 3C", "middle / front"];
    let selected = [&selects[..], &["KS / QS"]].concat();
    let challenged = [&selects[..], &["p2: challenge"]].concat();
    let case = |steps: &[&str], what, text, taps| {
        let (ruleset, steps) = ("thwart-13/dm-colosseum-2", owned(steps));
        Case { ruleset, opened: TYPED, steps, seat: Seat::P1, what, text, taps }
    };
    vec![
        case(&selects, "select", "AS", ":AS"),
        case(&selects, "challenge", "challenge", ".ask-single > summary"),
        case(&selected, "action", "middle", ":middle"),
        case(
            &challenged,
            "answer",
            "hands 4C 5C 6C | 5D 6D 7D 8D | JH QH KH AH",
            "card 4C, card 5C, card 6C, card 5D, card 6D, card 7D, card 8D, card JH, card QH, card KH, card AH",
        ),
    ]
}

fn piles() -> Vec<Case> {
    let offer = "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6";
    let divided = "p1: divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7";
    let offered = [&DEALT[..], &["p1: refill", offer]].concat();
    let parted = [&offered[..], &[divided]].concat();
    let left = [&offered[..], &["p1: divide B9 | G8 G1 | aside R7 G2"]].concat();
    let stood = [&DEALT[..], &["p1: stand", "p2: stand", "host: community R5"]].concat();
    let shown = [&stood[..], &["G5 R2 / B3 R8"]].concat();
    let case = |steps: &[&str], seat, what, text, taps| {
        let (ruleset, steps) = ("devils-deal/blooming-genius", owned(steps));
        Case { ruleset, opened: TYPED, steps, seat, what, text, taps }
    };
    vec![
        Case { opened: &[], ..case(&[], Seat::P1, "share", "", "") },
        case(&DEALT[..1], Seat::P2, "start", "start", "[name=only].seat"),
        case(&DEALT, Seat::P1, "refill", "refill", "[name=only][value=refill]"),
        case(
            &offered,
            Seat::P1,
            "divide",
            "divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7",
            "card R2, card R3, card B9, place 1, card B3, card G5, card G6, place 2, card B6, card G8, place 6, card G2, \
             card B5, card R7",
        ),
        case(&parted, Seat::P1, "discard", "discard B1 R2 B3", "card B1, card R2, card B3"),
        case(&left, Seat::P2, "take", "take G5", ":take G5"),
        case(&stood, Seat::P1, "private", "G5 R2", "card G5, card R2"),
        case(&shown, Seat::P1, "bet", "raise 3", "[name=amount-raise][type=number], type 3, [name=only][value=raise]"),
    ]
}

fn boards() -> Vec<Case> {
    let placed = placed();
    let placed: Vec<&str> = placed.iter().map(String::as_str).collect();
    let laid = [&["p2: colour cyan"], &placed[..]].concat();
    let first = [&laid[..], &["p2: board A first"]].concat();
    let turned = [&first[..], &["p2: turn a1"]].concat();
    let case = |steps: &[&str], seat, what, text, taps| {
        let (ruleset, steps) = ("higher-lower/tempo-up", owned(steps));
        Case { ruleset, opened: TYPED, steps, seat, what, text, taps }
    };
    vec![
        Case { opened: &[], ..case(&[], Seat::P1, "share", "", "") },
        case(&[], Seat::P2, "colour", "cyan", "[name=only][value=cyan]"),
        // All cards lie in groups already, and Send alone takes them as they lie.
        case(&["p2: colour pink"], Seat::P1, "assign", "assign", ""),
        case(&laid, Seat::P2, "board", "A first", ":A"),
        case(&first, Seat::P2, "turn", "a1", ":a1"),
        case(&turned, Seat::P2, "guess", "east higher", ":east, [name=target][value=higher]"),
    ]
}

/// Every kind of question of every game.
pub(super) fn all() -> Vec<Case> {
    [actions(), hands(), piles(), boards()].into_iter().flatten().collect()
}

#[test]
fn no_question_is_left_out_of_the_taps() {
    let pressed: BTreeSet<_> = all().iter().map(|case| (family(case.ruleset), case.what.into())).collect();
    assert_eq!(pressed, questions());
}

#[tokio::test]
async fn actions_take_a_tap_each() -> Result<()> {
    in_the_table(actions()).await
}

#[tokio::test]
async fn a_card_and_its_hand_take_a_tap_each() -> Result<()> {
    in_the_table(hands()).await
}

#[tokio::test]
async fn piles_and_bets_take_a_tap_each() -> Result<()> {
    in_the_table(piles()).await
}

#[tokio::test]
async fn boards_and_guesses_take_a_tap_each() -> Result<()> {
    in_the_table(boards()).await
}

/// The name of the field with the focus, if it is one that opens a keyboard; otherwise nothing.
const KEYBOARD: &str = "
    const at = document.activeElement;
    return at?.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=hidden])') ? at.name || at.id : '';
";

#[tokio::test]
async fn nothing_takes_the_focus_on_touch() -> Result<()> {
    let free = async |browser: &Browser, when: &str| -> Result<()> {
        let field = browser.client.execute(KEYBOARD, vec![]).await?;
        ensure!(field == json!(""), "{when} a keyboard opens for {field}");
        Ok(())
    };
    for (width, height) in [(390, 664), (1280, 800)] {
        for case in all().into_iter().filter(|case| ["answer", "divide", "board"].contains(&case.what)) {
            let table = case.table().await?;
            let browser = Browser::open(390, false, true).await?;
            let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": true });
            browser.tells("Emulation.setDeviceMetricsOverride", metrics).await?;
            sits(&browser, &table, case.seat.word()).await?;
            browser.until("This browser signs what you send").await?;
            free(&browser, "at first").await?;
            let ask = "[data-question]:not(.is-optional)";
            browser.press(&format!("{ask} .act-buttons .send")).await?;
            browser.client.wait().for_element(Locator::Css(&format!("{ask} .line[data-state=invalid] .error"))).await?;
            free(&browser, "after a refusal").await?;
            table.act("rule", &[("text", "Hurry a little"), ("result", ""), ("clause", "")]).await?;
            browser.until("Hurry a little").await?;
            free(&browser, "after something new").await?;
            browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
            browser.close().await?;
        }
    }
    Ok(())
}

#[tokio::test]
async fn what_is_dim_says_why() -> Result<()> {
    let placed = placed();
    let placed: Vec<&str> = placed.iter().map(String::as_str).collect();
    let guessed = [&["p2: colour cyan"], &placed[..], &["p2: board A first", "p2: turn a1", "p2: east lower"]].concat();
    let selects = ["TH / 2C", "back / front"];
    for (ruleset, steps, seat, first, dim) in [
        ("thwart-13/dm-colosseum-2", &selects[..], "p1", vec![], ".deck-card.is-gone"),
        ("higher-lower/tempo-up", &guessed[..], "p1", vec![], ".cell-pick.is-gone"),
        (RULESET, &selects[..0], "p1", vec!["score", "grow"], ".pick-main:has([value=claim])"),
    ] {
        let table = at(ruleset, steps).await?;
        let browser = Browser::open(390, false, true).await?;
        browser.resize((390, 664)).await?;
        sits(&browser, &table, seat).await?;
        browser.until("This browser signs what you send").await?;
        for word in first {
            browser.press(&css(&format!(":{word}"))).await?;
        }
        browser.press(dim).await?;
        let why = "const label = document.querySelector(arguments[0]); \
                   return [label.control.disabled, label.title, label.textContent, label.closest('form').querySelector('[data-said]').textContent]";
        let told = browser.client.execute(why, vec![json!(dim)]).await?;
        let [Some(why), Some(name), Some(said)] = [&told[1], &told[2], &told[3]].map(serde_json::Value::as_str) else {
            anyhow::bail!("{told}")
        };
        ensure!(told[0] == json!(true) && why.len() > 5, "{told}");
        ensure!(name.contains(why), "a screen reader does not say why: {told}");
        ensure!(said.to_lowercase() == why.to_lowercase(), "the form does not say why: {told}");
        browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
        browser.close().await?;
    }
    Ok(())
}

/// What the form says of a Block: whether its button is dim, the words beside it, and whether its targets are faint.
const BLOCK: &str = "
    const form = document.querySelector('form[data-asked]');
    const button = form.querySelector('.act-buttons > .send');
    return [button.getAttribute('aria-disabled'), form.querySelector('[data-said]').textContent, form.querySelector('.targets').hasAttribute('data-idle')];
";

#[tokio::test]
async fn a_block_is_sent_once_it_has_a_target() -> Result<()> {
    let table = at(RULESET, &[]).await?;
    let history = table.history().await?;
    let decision = &history.open.first().context("an open question")?.asked.decision;
    let browser = Browser::open(390, false, true).await?;
    browser.resize((390, 664)).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    let says = async || anyhow::Ok(browser.client.execute(BLOCK, vec![]).await?);
    let submit = "form[data-asked] .act-buttons > .send";
    assert_eq!(says().await?, json!([null, "", true]));
    browser.press(&css(":block")).await?;
    assert_eq!(says().await?, json!(["true", "Choose what to block", false]));
    browser.picture("block-without-a-target").await?;
    browser.axe("a Block without a target").await?;
    browser.press(submit).await?;
    assert_eq!(says().await?, json!(["true", "Choose what to block", false]));
    // Beside another action it is the same, and without it nothing is missing.
    browser.press(&css(":grow")).await?;
    assert_eq!(says().await?, json!(["true", "Choose what to block", false]));
    browser.press(&css(":block")).await?;
    assert_eq!(says().await?, json!([null, "", true]));
    ensure!(table.site.app.submissions.received(history.match_id, decision).await?.is_empty(), "it was sent");
    // A press on a target chooses Block too.
    browser.press("[data-target-of=target-block] .target:has([value=score])").await?;
    assert_eq!(says().await?, json!([null, "2 of 2 chosen", false]));
    browser.press(submit).await?;
    browser.until("Round 1: Grow and Block on Score").await?;
    browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
    browser.close().await?;
    // The rules allow it, and whoever types it means it.
    table.p2.submits("block").await?.says("move received.")?.says("Block on nothing")?;
    Ok(())
}
