//! What the umpire posts in a chat: the console has a text for every act, and one key copies the newest.

use anyhow::{Result, ensure};
use fantoccini::Locator;

use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::site::Guest;

/// An act with the last form of the console that is sent there.
async fn acts(umpire: &Guest, table: &Table, what: &str, typed: &[(&str, &str)]) -> Result<()> {
    let page = umpire.get(&table.console).await?;
    let done = umpire.fills_in(&page, &format!("{}/{what}", table.console), typed).await?;
    ensure!(done.status.is_success(), "{what}: {}", done.text);
    Ok(())
}

#[tokio::test]
async fn one_key_copies_the_newest_text() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    acts(&table.umpire, &table, "warn", &[("seat", "p2"), ("text", "slow"), ("clause", "")]).await?;
    let text = table.umpire.get(&table.console).await?.content("[data-newest] pre")?;
    ensure!(text.starts_with("Warning to Bo: Slow."), "{text}");
    let browser = Browser::open(1280, false, true).await?;
    browser.client.goto(&table.site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    browser.client.goto(&format!("{}{}", table.site.address, table.console)).await?;
    browser.client.wait().for_element(Locator::Css("[data-newest] [data-copy]:not([hidden])")).await?;
    // A browser without a window has no clipboard of its own.
    let stub = "navigator.clipboard.writeText = async (text) => { document.body.dataset.copied = text; };";
    browser.client.execute(stub, vec![]).await?;
    browser.client.execute("document.activeElement.blur();", vec![]).await?;
    browser.type_keys("y").await?;
    browser.until("Copied.").await?;
    let copied = browser.client.execute("return document.body.dataset.copied;", vec![]).await?;
    assert_eq!(copied.as_str(), Some(text.as_str()));
    browser.close().await
}
