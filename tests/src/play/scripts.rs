//! A player's seat in a real browser, with scripts. All other tests of the seat work without scripts.

use anyhow::{Context, Result, bail, ensure};
use engine::Seat;
use fantoccini::Locator;
use fantoccini::key::Key;
use ledger::Policy;
use record::receipts::{ReceiptFile, ReceiptStatus};
use serde_json::json;

use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::site::Site;
use crate::wait::until;

/// Types into the line of the question, which is folded away.
pub(super) async fn fills(browser: &Browser, text: &str) -> Result<()> {
    let open = "for (const typed of document.querySelectorAll('details.typed')) typed.open = true";
    browser.client.execute(open, vec![]).await?;
    browser.types_into("input[name=move]:not([type=hidden])", text).await
}

pub(super) async fn types(browser: &Browser, text: &str) -> Result<()> {
    fills(browser, text).await?;
    browser.press("form[data-asked] .act-buttons .send").await
}

pub(super) async fn sits(browser: &Browser, table: &Table, seat: &str) -> Result<()> {
    browser.client.goto(&table.link(seat).await?).await?;
    browser.press("main form button").await?;
    browser.until("Your receipts").await
}

/// Takes the checkpoint away from the first attempt to seal, and notes of each submission whether it is sealed.
const FAILS_ONCE: &str = r#"
    const ask = window.fetch.bind(window);
    let failed = false;
    window.fetch = (address, options) => {
        if (String(address).startsWith("/checkpoint") && !failed) {
            failed = true;
            return Promise.reject(new TypeError("the network"));
        }
        if (String(address).endsWith("/submit")) {
            const kind = new URLSearchParams(options.body).has("sealed") ? "sealed" : "plain";
            sessionStorage.sent = `${sessionStorage.sent ?? ""}${kind} `;
        }
        return ask(address, options);
    };
"#;

/// The checkpoint is something else, and no signature can be read in it.
const NO_CHECKPOINT: &str = r#"
    const ask = window.fetch.bind(window);
    window.fetch = (address, options) => {
        if (String(address).startsWith("/checkpoint")) return Promise.resolve(new Response("a shopping list\n"));
        if (String(address).endsWith("/submit")) sessionStorage.sent = "something";
        return ask(address, options);
    };
"#;

#[tokio::test]
async fn nothing_is_sent_to_a_host_that_shows_no_checkpoint() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(1100, false, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    browser.client.execute(NO_CHECKPOINT, vec![]).await?;
    types(&browser, "grow").await?;
    browser.until("Nothing was sent; tell the umpire").await?;
    let sent = browser.client.execute("return sessionStorage.sent ?? null", vec![]).await?;
    assert_eq!(sent, json!(null));
    browser.close().await
}

#[tokio::test]
async fn what_cannot_be_sealed_at_first_is_sealed_later_and_never_sent_without() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(1100, false, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    browser.client.execute(FAILS_ONCE, vec![]).await?;
    types(&browser, "grow").await?;
    browser.until("Round 1: Grow").await?;
    browser.until("signed with your key").await?;
    let sent = browser.client.execute("return sessionStorage.sent", vec![]).await?;
    assert_eq!(sent, json!("sealed "));
    browser.close().await
}

/// Another machine answers: its checkpoint is the one that was kept before, and twice it cannot prove what it does not have yet.
const ANOTHER_MACHINE: &str = r#"
    const ask = window.fetch.bind(window);
    let behind = 2;
    window.fetch = (address, options) => {
        if (String(address).startsWith("/checkpoint")) return Promise.resolve(new Response(sessionStorage.older));
        const proves = String(address).startsWith("/api/v1/proof/consistency");
        if (proves && behind > 0) { behind -= 1; return Promise.resolve(new Response("{}", { status: 422 })); }
        return ask(address, options);
    };
"#;
/// The checkpoint that is shown now, and its size.
const KEEPS_CHECKPOINT: &str = "const done = arguments[0]; fetch('/checkpoint').then((answer) => answer.text()).then((note) => { \
    sessionStorage.older ??= note; done(Number(note.split('\\n')[1])); })";

#[tokio::test]
async fn a_machine_that_is_a_moment_behind_is_no_fork() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(1100, false, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    let size = async || -> Result<u64> {
        browser.client.execute_async(KEEPS_CHECKPOINT, vec![]).await?.as_u64().context("a size")
    };
    let older = size().await?;
    table.act("rule", &[("text", "Hurry a little"), ("result", ""), ("clause", "")]).await?;
    browser.until("Hurry a little").await?;
    until(async || {
        ensure!(size().await? > older, "the log has not grown");
        Ok(())
    })
    .await?;
    types(&browser, "grow").await?;
    browser.until("Round 1: Grow").await?;
    browser.until("signed with your key").await?;
    browser.client.execute(ANOTHER_MACHINE, vec![]).await?;
    types(&browser, "claim").await?;
    browser.until("Round 1: Claim").await?;
    table.closes().await?;
    // That the other seat sent nothing is the server's word.
    let verdict = table.checked().await?.verdict.to_string();
    assert_eq!(verdict, "so far verified with 1 ruling (moves of seat 2 sealed by the server, unsigned)");
    browser.close().await
}

/// A log whose key is written with two pluses, as the parts of the line that holds it are told apart by a plus.
const TWO_PLUSES: &str = "a log 6";

#[tokio::test]
async fn a_log_whose_key_holds_pluses_is_signed_for_too() -> Result<()> {
    let table = Table::on(Site::seeded(TWO_PLUSES).await?, RULESET, false, &["p2"]).await?;
    let log = table.site.app.signer().verifier(&table.site.app.signer().origin()).to_string();
    ensure!(log.matches('+').count() == 4, "not the key that this is about: {log}");
    let browser = Browser::open(1100, false, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    types(&browser, "grow").await?;
    browser.until("Round 1: Grow").await?;
    browser.until("signed with your key").await?;
    browser.close().await
}

#[tokio::test]
async fn a_browser_makes_its_key_signs_and_gets_proofs() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(1100, false, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    for (round, moves) in [("1", ["grow", "claim"]), ("2", ["score grow", "grow"])] {
        types(&browser, moves[0]).await?;
        browser.until("move received.").await?;
        browser.until("signed with your key").await?;
        table.p2.submits(moves[1]).await?.says("move received.")?;
        table.closes().await?;
        table.until(&format!("recorded round {round}:")).await?;
        browser.client.goto(&format!("{}{}", table.site.address, table.p1.home)).await?;
        browser.until("is in the record").await?;
    }
    // The error is shown beside the line, and nothing was sent.
    types(&browser, "nonsense").await?;
    browser.until("nonsense").await?;
    browser.until("Receipts saved in this browser").await?;
    browser.picture("seat").await?;
    browser.fits("the seat").await?;

    let history = table.history().await?;
    ensure!(history.keys[Seat::P1].is_some(), "the browser registered its key");
    let report = table.checked().await?;
    let grades: Vec<&str> = report.findings[2].details.iter().map(|detail| detail.text.as_str()).collect();
    assert_eq!(grades.first(), Some(&"Ada: 2 submissions signed"), "{grades:?}");
    let seen = history.seals.iter().filter_map(|seal| seal.signature).map(|signature| signature.tree.size);
    let seen: Vec<u64> = seen.collect();
    ensure!(seen.windows(2).all(|pair| pair[0] < pair[1]), "each signature names a later tree: {seen:?}");

    // The receipt's page now has a proof, which is valid without the server.
    let receipt = browser.attribute("li[data-receipt] a", "href").await?;
    browser.client.goto(&format!("{}{}", table.site.address, receipt.context("a receipt")?)).await?;
    browser.until("Download the proof").await?;
    browser.picture("receipt").await?;
    let link = browser.attribute("a[download]", "href").await?.context("a file")?;
    let script = "const done = arguments[arguments.length - 1]; fetch(arguments[0]).then((a) => a.text()).then(done)";
    let file = browser.client.execute_async(script, vec![link.into()]).await?;
    let file = ReceiptFile::read(file.as_str().context("text")?.as_bytes())?;
    for checked in file.check(&Policy::read(b"quorum none\n")?) {
        ensure!(matches!(checked.status, ReceiptStatus::Proven { counted: true, .. }), "{checked:?}");
    }
    browser.close().await
}

#[tokio::test]
async fn the_browser_that_sends_first_signs_and_another_one_plays_unsigned() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let (first, second) = (Browser::open(1100, false, true).await?, Browser::open(1100, false, true).await?);
    for browser in [&first, &second] {
        sits(browser, &table, "p1").await?;
        browser.until("This browser signs what you send").await?;
    }
    // Both are told of each other, until they close it. Opening the seat offers no key.
    second.until("Your seat has more than one link or browser.").await?;
    for browser in [&first, &second] {
        browser.press("dialog[data-alarm] button").await?;
    }
    let before = table.history().await?;
    types(&first, "claim").await?;
    first.until("move received.").await?;
    first.until("signed by the browser that sent it").await?;
    second.until("Another browser has sent for your seat.").await?;
    ensure!(table.history().await?.head == before.head, "an answer changes nothing in the record");
    table.closes().await?;
    let history = table.history().await?;
    let (key, seal) = (history.keys[Seat::P1].context("its key")?, history.seals.first().context("its seal")?);
    ensure!(key.entry < seal.entry, "the key enters in front of the answers");

    // From now on the other browser plays unsigned, and is told so beside the button.
    second.until("Your seat’s key is in another browser").await?;
    second.until("You are signed in to this seat on another device.").await?;
    second.axe("a seat whose key is elsewhere").await?;
    assert_eq!(second.text_of(".bar h1").await?, "Round 2\nFive-Card Trick");
    second.press("[data-remedy] button").await?;
    let seen = "const at = (css) => document.querySelector(css).getBoundingClientRect(); \
        return [at('label[for=seat-key]').top >= at('.bar').bottom, document.getElementById('seat-key-wrong').checkVisibility()]";
    assert_eq!(second.client.execute(seen, vec![]).await?, json!([true, false]));
    types(&second, "grow").await?;
    second.until("move received.").await?;
    types(&first, "score").await?;
    first.until("signed with your key").await?;
    second.until("signed with your key").await?;
    types(&second, "grow").await?;
    second.until("what your seat’s key signed is replaced only by what it signs").await?;
    table.closes().await?;
    let counted = table.history().await?.steps.last().context("a step")?.moves.p1.clone();
    assert_eq!(counted.as_deref(), Some("score"));
    // That the other seat sent nothing is the server's word.
    let verdict = table.checked().await?.verdict.to_string();
    assert_eq!(verdict, "so far verified (moves of seat 2 sealed by the server, unsigned)");
    second.close().await?;
    first.close().await
}

/// The pauses between the tries get long, and the first try after the network is back must not wait for one.
#[tokio::test]
async fn a_move_goes_out_at_once_when_the_network_is_back() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(1100, false, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    let network = async |offline: bool| {
        let how = json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        browser.tells("Network.emulateNetworkConditions", how).await
    };
    browser.tells("Network.enable", json!({})).await?;
    // The milliseconds from the network's return to the first try.
    let noted = "addEventListener('online', () => { const back = performance.now(); const ask = window.fetch; \
        window.fetch = (...what) => { if (`${what[0]}`.endsWith('/key')) sessionStorage.tried ??= performance.now() - back; \
        return ask(...what); }; }, { capture: true })";
    browser.client.execute(noted, vec![]).await?;
    network(true).await?;
    types(&browser, "grow").await?;
    browser.until("Trying again by itself (4)").await?;
    network(false).await?;
    browser.until("move received.").await?;
    let tried = browser.client.execute("return Number(sessionStorage.tried)", vec![]).await?;
    ensure!(tried.as_f64().is_some_and(|tried| tried < 300.0), "{tried}");
    browser.close().await
}

#[tokio::test]
async fn what_was_chosen_and_not_sent_stays_in_sight_after_the_close() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(320, true, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    let pick = "document.querySelector('.pick-main input[value=grow]').click()";
    browser.client.execute(pick, vec![]).await?;
    browser.until("Grow").await?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    browser.until("Round 1: not sent: Grow. The round was closed first.").await?;
    browser.fits("a seat with a move that was not sent").await?;
    browser.axe("a seat with a move that was not sent").await?;
    // Beside "Send it late" no button reads like agreement.
    let leaves = browser.client.find(Locator::Css("[data-unsent] button.quiet")).await?;
    assert_eq!(leaves.text().await?, "Do not send");
    leaves.click().await?;
    let left = browser.client.find_all(Locator::Css("[data-unsent] dialog[open]")).await?;
    ensure!(left.is_empty(), "it closes");
    ensure!(!table.p1.page().await?.text.contains("not sent"), "it is in the browser alone");
    let history = table.history().await?;
    let late = table.site.app.recorder.all_late_inputs(history.match_id).await?;
    ensure!(late.is_empty(), "nobody sent it: {late:?}");
    browser.close().await
}

#[tokio::test]
async fn what_was_not_sent_in_time_is_sent_late_for_its_own_round() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(320, true, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    let pick = "document.querySelector('.pick-main input[value=steal]').click()";
    browser.client.execute(pick, vec![]).await?;
    browser.until("Steal").await?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    browser.until("Round 1: not sent: Steal. The round was closed first. Sent late, it counts only if").await?;
    browser.client.wait().for_element(Locator::Css("[aria-labelledby='d2-prompt']")).await?;
    browser.press("[data-unsent] [data-send-late]").await?;
    browser.until("Round 1: too late, not counted. Steal, arrived ").await?;
    let left = browser.client.find_all(Locator::Css("[data-unsent] dialog")).await?;
    ensure!(left.is_empty(), "it was sent");
    browser.fits("a seat with a move that was sent late").await?;
    browser.axe("a seat with a move that was sent late").await?;
    // It is kept for the round that it answers, and nothing came for the next.
    let history = table.history().await?;
    let late = table.site.app.recorder.all_late_inputs(history.match_id).await?;
    let kept: Vec<_> = late.iter().map(|late| (late.decision.as_str(), late.seat, late.text())).collect();
    assert_eq!(kept, [("d1", Seat::P1, "steal")]);
    ensure!(late.iter().all(app::recorder::LateInput::is_of_player), "the player sent it");
    let next = table.site.app.submissions.received(history.match_id, &"d2".parse()?).await?;
    ensure!(next.is_empty(), "it answers another question");
    let console = table.umpire.get(&table.console).await?;
    console.says("Ada: came after the close, not counted.")?.says("Admit it: correct round 1")?;
    let corrected = [("step", "1"), ("p1", "steal"), ("p2", "claim"), ("reason", "A slow line"), ("do", "correct")];
    table.act("correct", &corrected).await?;
    browser.until("Round 1: your late move (Steal) counts: the umpire admitted it.").await?;
    browser.fits("a seat whose late move counts").await?;
    browser.axe("a seat whose late move counts").await?;
    browser.close().await
}

#[tokio::test]
async fn a_page_that_stays_open_becomes_true() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(1100, false, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("I am ready").await?;
    types(&browser, "grow").await?;
    browser.until("Round 1: move received.").await?;
    ensure!(!browser.client.current_url().await?.as_str().contains("received"), "loaded again it says nothing old");
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    for words in ["Round 1: what happened", "Your moves", "This is not what I sent"] {
        browser.until(words).await?;
    }
    // Screen readers get sentences, without the marks of the seats, the line numbers and the links.
    let read = browser.client.execute("return document.querySelector('[data-announce]').textContent", vec![]).await?;
    let read = read.as_str().context("text")?;
    ensure!(
        read.ends_with(
            "Round 1: what happened. Ada: Grow. Bo: Claim. Ada's Grow added 1 chip to the pot, making 2 chips. Bo's \
             Claim took the pot of 2 chips. The pot was empty and now holds 1 chip."
        ),
        "{read}"
    );
    let shown = browser.client.execute("return document.body.innerText", vec![]).await?;
    for gone in ["I am ready", "move received."] {
        ensure!(!shown.as_str().context("text")?.contains(gone), "{gone}: {shown}");
    }
    browser.picture("seat-second-round").await?;
    // A player writes an objection while the next round closes by default: both are kept.
    browser.press("[data-fold=moves] > summary").await?;
    browser.press("#step-1 summary").await?;
    browser.client.find(Locator::Css("#object-1")).await?.send_keys("I sent score").await?;
    table.p2.submits("grow").await?.says("move received.")?;
    table.closes().await?;
    browser.until("Round 2: what happened").await?;
    browser.until("no move").await?;
    browser.client.find(Locator::Css("#step-2")).await?;
    let written = browser.client.find(Locator::Css("#object-1")).await?.prop("value").await?;
    assert_eq!(written.as_deref(), Some("I sent score"));
    browser.at("#object-1").await?;
    browser.close().await
}

/// Presses Tab until the keyboard is at the element with this selector.
async fn comes_to(browser: &Browser, css: &str) -> Result<()> {
    let is_there = "return document.activeElement.matches(arguments[0])";
    for _ in 0..40 {
        if browser.client.execute(is_there, vec![json!(css)]).await? == json!(true) {
            return Ok(());
        }
        browser.type_keys(&char::from(Key::Tab).to_string()).await?;
    }
    bail!("the keyboard never comes to {css}")
}

#[tokio::test]
async fn without_scripts_a_seat_is_played_by_keyboard_on_a_phone() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(320, true, false).await?;
    // By keyboard only: with scripts blocked, the driver's touch waits for a timer of the page that never runs.
    let enter = char::from(Key::Enter).to_string();
    browser.client.goto(&table.link("p1").await?).await?;
    browser.type_keys(&enter).await?;
    browser.until("Your receipts").await?;
    browser.until("the server seals what you send").await?;
    let shown = browser.client.execute("return document.body.innerText", vec![]).await?;
    ensure!(!shown.as_str().context("text")?.contains("another device"), "without scripts there is no key to carry");
    comes_to(&browser, "input[value=grow]").await?;
    browser.type_keys(&format!(" {enter}")).await?;
    browser.until("move received.").await?;
    browser.until("sealed by the server, unsigned").await?;
    browser.picture("seat-phone-dark").await?;
    comes_to(&browser, ".typed summary").await?;
    browser.type_keys(&format!("{enter}{}nonsense{enter}", char::from(Key::Tab))).await?;
    browser.until("Not changed").await?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    browser.client.goto(&format!("{}{}", table.site.address, table.p1.home)).await?;
    browser.until("is in the record").await?;
    browser.close().await
}
