//! A player's seat in a real browser, with scripts. Every other test of the seat does without.

use anyhow::{Context, Result, ensure};
use engine::Seat;
use fantoccini::Locator;
use fantoccini::key::Key;
use ledger::Policy;
use record::receipts::{ReceiptFile, Standing};

use super::table::{RULESET, Table};
use crate::browser::Browser;

async fn types(browser: &Browser, text: &str) -> Result<()> {
    browser.client.find(Locator::Css("input[name=move]")).await?.send_keys(text).await?;
    browser.client.find(Locator::Css("form[data-asked] button:not(.quiet)")).await?.click().await?;
    Ok(())
}

async fn sits(browser: &Browser, table: &Table, seat: &str) -> Result<()> {
    browser.client.goto(&table.link(seat).await?).await?;
    browser.client.find(Locator::Css("main form button")).await?.click().await?;
    browser.until("Your receipts").await
}

#[tokio::test]
async fn a_browser_makes_its_key_signs_and_gets_proofs() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(1100, false, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    for (round, moves) in [("1", ["grow", "claim"]), ("2", ["score grow", "grow"])] {
        types(&browser, moves[0]).await?;
        browser.until("Received and kept.").await?;
        browser.until("signed by your browser").await?;
        table.p2.submits(moves[1]).await?.says("Received and kept.")?;
        table.closes().await?;
        table.until(&format!("recorded {round}.")).await?;
        browser.client.goto(&format!("{}{}", table.site.address, table.p1.home)).await?;
        browser.until("is in the record").await?;
    }
    // The rules' word stands beside the line, and nothing was sent.
    types(&browser, "nonsense").await?;
    browser.until("nonsense").await?;
    browser.until("What this browser has kept of them").await?;
    browser.picture("seat").await?;
    browser.fits("the seat").await?;

    let history = table.site.book.history_of(&table.slug).await?;
    ensure!(history.keys[Seat::P1].is_some(), "the browser registered its key");
    let (_, report) = table.site.book.check(history.match_id).await?;
    let grades: Vec<&str> = report.findings[2].details.iter().map(|detail| detail.text.as_str()).collect();
    assert_eq!(grades.first(), Some(&"Ada: 2 submissions signed"), "{grades:?}");
    let seen = history.seals.iter().filter_map(|seal| seal.signature).map(|signature| signature.tree.size);
    let seen: Vec<u64> = seen.collect();
    ensure!(seen.windows(2).all(|pair| pair[0] < pair[1]), "each signature names a later tree: {seen:?}");

    // The receipt's page has become a proof, which holds without the server.
    let receipt = browser.client.find(Locator::Css("li[data-receipt] a")).await?.attr("href").await?;
    browser.client.goto(&format!("{}{}", table.site.address, receipt.context("a receipt")?)).await?;
    browser.until("Download the proof").await?;
    browser.picture("receipt").await?;
    let link = browser.client.find(Locator::Css("a[download]")).await?.attr("href").await?.context("a file")?;
    let script = "const done = arguments[arguments.length - 1]; fetch(arguments[0]).then((a) => a.text()).then(done)";
    let file = browser.client.execute_async(script, vec![link.into()]).await?;
    let file = ReceiptFile::read(file.as_str().context("text")?.as_bytes())?;
    for checked in file.check(&Policy::read(b"quorum none\n")?) {
        ensure!(matches!(checked.standing, Standing::Proven { counted: true, .. }), "{checked:?}");
    }
    browser.close().await
}

#[tokio::test]
async fn a_second_browser_does_not_sign_for_the_seat() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let (first, second) = (Browser::open(1100, false, true).await?, Browser::open(1100, false, true).await?);
    sits(&first, &table, "p1").await?;
    first.until("This browser signs what you send").await?;
    sits(&second, &table, "p1").await?;
    second.until("This seat signs with the key of another browser").await?;
    types(&second, "grow").await?;
    second.until("Send it from that browser").await?;
    types(&first, "claim").await?;
    first.until("Received and kept.").await?;
    first.close().await?;
    second.close().await
}

#[tokio::test]
async fn without_scripts_a_seat_is_played_by_keyboard_on_a_phone() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(320, true, false).await?;
    // By keyboard alone: where scripts are blocked, the driver's touch waits for a timer of the page, which never runs.
    let enter = char::from(Key::Enter).to_string();
    browser.client.goto(&table.link("p1").await?).await?;
    browser.type_keys(&enter).await?;
    browser.until("Your receipts").await?;
    browser.until("the server seals what you send").await?;
    browser.type_keys(&format!("grow{enter}")).await?;
    browser.until("Received and kept.").await?;
    browser.until("sealed by the server, unsigned").await?;
    browser.picture("seat-phone-dark").await?;
    browser.type_keys(&format!("nonsense{enter}")).await?;
    browser.until("Nothing was stored").await?;
    table.p2.submits("claim").await?.says("Received and kept.")?;
    table.closes().await?;
    browser.client.goto(&format!("{}{}", table.site.address, table.p1.home)).await?;
    browser.until("is in the record").await?;
    browser.close().await
}
