//! A player carries a seat's key from one browser to another, as a code.

use anyhow::{Context, Result, ensure};
use ledger::PlayerKey;
use ledger::ed25519::SecretKey;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::scripts::{sits, types};
use super::table::{RULESET, Table};
use crate::browser::Browser;

const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Records the page's requests with bodies from here on.
const LISTEN: &str = "const ask = fetch; window.asked = []; \
    window.fetch = (...what) => { window.asked.push(`${what[0]} ${what[1]?.body}`); return ask(...what); }";

/// The code of a key, as defined in docs/record-format.md.
fn code(seed: &[u8; 32]) -> String {
    let sum = Sha256::new().chain_update("matchbook/seat-key/1\n").chain_update(seed).finalize();
    let bits: Vec<bool> = seed
        .iter()
        .chain(sum.iter().take(3))
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1))
        .collect();
    let five = bits.chunks(5).map(|five| five.iter().fold(0, |sum, bit| sum * 2 + usize::from(*bit)));
    let letters: Vec<u8> = five.map(|five| LETTERS[five]).collect();
    letters.chunks(4).map(String::from_utf8_lossy).collect::<Vec<_>>().join(" ")
}

fn seed(code: &str) -> Result<[u8; 32]> {
    let mut bits = Vec::new();
    for letter in code.bytes().filter(|letter| *letter != b' ') {
        let five = LETTERS.iter().position(|known| *known == letter).context("a letter")?;
        bits.extend((0..5).rev().map(|bit| five >> bit & 1 == 1));
    }
    let bytes = bits.chunks(8).map(|byte| byte.iter().fold(0, |sum, bit| sum * 2 + u8::from(*bit)));
    bytes.take(32).collect::<Vec<u8>>().try_into().ok().context("32 bytes")
}

async fn shown(browser: &Browser) -> Result<String> {
    let text = browser.client.execute("return document.getElementById('seat-code-text').textContent", vec![]).await?;
    Ok(text.as_str().context("text")?.to_owned())
}

async fn puts_in(browser: &Browser, code: &str) -> Result<()> {
    // On a phone it is behind the menu.
    let fill = "const more = document.getElementById('more'); if (!more.checkVisibility()) more.showPopover(); \
        document.getElementById('seat-key').value = arguments[0]";
    browser.client.execute(fill, vec![json!(code)]).await?;
    browser.press("form[data-take] button").await
}

/// The code that a browser shows: not before the player asks for it, nor after it is hidden. It is the seat's key.
async fn shows_its_code(first: &Browser) -> Result<String> {
    first.press("details[data-give] summary").await?;
    first.until("Whoever has the code can play for this seat.").await?;
    assert_eq!(shown(first).await?, "");
    first.press("[data-show]").await?;
    first.until("Hide the code").await?;
    let carried = shown(first).await?;
    first.axe("a seat that shows its code").await?;
    first.picture("seat-code").await?;
    first.press("[data-show]").await?;
    first.until("Show the code").await?;
    assert_eq!(shown(first).await?, "");
    let key: PlayerKey = seat_key(first).await?.parse()?;
    assert_eq!(SecretKey::from_seed(&seed(&carried)?).public().bytes(), key.bytes());
    assert_eq!(code(&seed(&carried)?), carried);
    Ok(carried)
}

/// The seat's key, as its page has it.
async fn seat_key(browser: &Browser) -> Result<String> {
    let key = browser.attribute("[data-play]", "data-key").await?;
    key.filter(|key| !key.is_empty()).context("a key")
}

/// A text that is not a code, has a typo, or belongs to another seat changes nothing and is reported.
async fn refuses_wrong_codes(second: &Browser, carried: &str) -> Result<()> {
    let slip = carried.replacen(&carried[..1], if carried.starts_with('7') { "8" } else { "7" }, 1);
    for (wrong, why) in [
        ("7777 7777", "A code has 14 groups of four; here are 8"),
        (&carried.replacen(' ', " € ", 1), "No code has “€” in it"),
        (&slip, "There is a slip in this code"),
        (&code(&[7; 32]), "This is the code of another key"),
    ] {
        puts_in(second, wrong).await?;
        second.until(why).await?;
        second.at("#seat-key[aria-invalid]").await?;
    }
    second.fits("a code that is wrong").await?;
    second.axe("a code that is wrong").await?;
    second.picture("seat-code-wrong-phone").await
}

/// Typed by hand in another spelling, it is the same code. The code itself is sent nowhere.
async fn takes_the_code(second: &Browser, carried: &str) -> Result<()> {
    second.client.execute(LISTEN, vec![]).await?;
    puts_in(second, &carried.to_lowercase().replace(' ', " \u{2013}").replace('0', "o").replace('1', "l")).await?;
    second.until("This browser signs what you send").await?;
    second.until("This browser can sign now, too.").await?;
    second.at("form[data-asked] :is(input, select)").await?;
    types(second, "nonsense").await?;
    second.until("nonsense").await?;
    let asked = second.client.execute("return window.asked", vec![]).await?;
    let asked: Vec<&str> = asked.as_array().context("what was asked")?.iter().filter_map(Value::as_str).collect();
    ensure!(asked.iter().any(|what| what.contains("nonsense")), "{asked:?}");
    let letters = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_uppercase();
    let group = letters(carried)[..8].to_owned();
    ensure!(asked.iter().all(|what| !letters(what).contains(&group)), "{asked:?}");
    ensure!(second.attribute("form[data-take] input", "name").await?.is_none());
    Ok(())
}

#[tokio::test]
async fn two_browsers_of_a_player_sign_with_one_key() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let (first, second) = (Browser::open(1100, false, true).await?, Browser::open(320, true, true).await?);
    sits(&first, &table, "p1").await?;
    types(&first, "grow").await?;
    first.until("signed with your key").await?;
    sits(&second, &table, "p1").await?;
    second.until("Another browser has sent for your seat.").await?;
    second.fits("a seat for which another browser has sent").await?;
    second.axe("a seat for which another browser has sent").await?;

    let carried = shows_its_code(&first).await?;
    refuses_wrong_codes(&second, &carried).await?;
    takes_the_code(&second, &carried).await?;

    // Each replaces the other's submission, and the last counts.
    for (browser, text) in [(&second, "claim"), (&first, "steal"), (&second, "score")] {
        browser.client.goto(&format!("{}{}", table.site.address, table.p1.home)).await?;
        browser.until("This browser signs what you send").await?;
        types(browser, text).await?;
        browser.until("move received.").await?;
        browser.until("signed by the browser that sent it").await?;
    }
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    // The next round from the other browser.
    first.until("Round 1: what happened").await?;
    first.until("Score").await?;
    types(&first, "grow").await?;
    first.until("move received.").await?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    let report = table.checked().await?;
    let grades: Vec<&str> = report.findings[2].details.iter().map(|detail| detail.text.as_str()).collect();
    assert_eq!(grades.first(), Some(&"Ada: 2 submissions signed"), "{grades:?}");
    assert_eq!(
        report.verdict.to_string(),
        "so far verified (moves of seat 2 sealed by the server, unsigned)",
        "of the other seat"
    );
    second.close().await?;
    first.close().await
}

#[tokio::test]
async fn two_windows_of_a_browser_make_one_key() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(1100, false, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    // Separate modules share only the browser's storage, like separate windows.
    let script = "const done = arguments[arguments.length - 1]; \
        const windows = Promise.all([1, 2, 3].map((n) => import(`/assets/play-seal.js?window=${n}`))); \
        windows.then((all) => Promise.all(all.map((one) => one.speak()))) \
            .then((all) => done(all.map((one) => one.signs ? one.mine.public : one.why)), (error) => done(String(error)))";
    let keys = browser.client.execute_async(script, vec![]).await?;
    let key = seat_key(&browser).await?;
    assert_eq!(keys, json!([key, key, key]));
    browser.client.refresh().await?;
    browser.until("This browser signs what you send").await?;
    browser.close().await
}

#[tokio::test]
async fn a_key_that_was_made_to_stay_is_said_to_stay() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(1100, false, true).await?;
    // A key as it was created before keys could be carried over, kept before the page is opened.
    browser.client.goto(&format!("{}{}", table.site.address, table.public())).await?;
    let history = table.history().await?;
    let name = format!("{}/{}/p1", history.origin, history.match_id);
    let signer = table.site.app.signer();
    let log = signer.verifier(&signer.origin()).to_string();
    let script = "const [name, log, done] = arguments; (async () => { \
        const made = await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify']); \
        const raw = new Uint8Array(await crypto.subtle.exportKey('raw', made.publicKey)); \
        const kept = { log, receipts: [], key: made.privateKey, public: btoa(String.fromCharCode(...raw)) }; \
        const opening = indexedDB.open('matchbook-play', 1); \
        opening.onupgradeneeded = () => opening.result.createObjectStore('seats'); \
        await new Promise((ready) => { opening.onsuccess = ready; }); \
        const writing = opening.result.transaction('seats', 'readwrite'); \
        writing.objectStore('seats').put(kept, name); \
        await new Promise((ready) => { writing.oncomplete = ready; }); \
        opening.result.close(); })().then(done, done)";
    browser.client.execute_async(script, vec![name.into(), log.into()]).await?;
    sits(&browser, &table, "p1").await?;
    types(&browser, "grow").await?;
    browser.until("signed with your key").await?;
    browser.press("details[data-give] summary").await?;
    browser.until("no other browser can sign for your seat in this match").await?;
    ensure!(!browser.displays("[data-show]").await?, "there is nothing to show");
    browser.close().await
}
