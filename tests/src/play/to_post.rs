//! What the umpire posts in a chat: the console has a text for every act, and one key copies the newest.

use anyhow::{Context, Result, ensure};
use fantoccini::Locator;

use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::site::Guest;

/// Fails unless the newest text to post has this title, begins with these lines, and ends with the match's address.
async fn newest(table: &Table, title: &str, lines: &[&str]) -> Result<()> {
    newest_of(&table.umpire, table, title, lines).await
}

/// The same on the console of this umpire.
async fn newest_of(umpire: &Guest, table: &Table, title: &str, lines: &[&str]) -> Result<()> {
    let page = umpire.get(&table.console).await?;
    assert_eq!(page.content("[data-newest] h2")?, format!("{title}, ready to post"));
    let text = page.content("[data-newest] pre")?;
    let begins = text.lines().take(lines.len()).collect::<Vec<_>>();
    assert_eq!(begins, lines, "{text}");
    let address = text.lines().last().context("a line")?;
    ensure!(address.contains(&table.public()), "{text}");
    Ok(())
}

/// An act with the last form of the console that is sent there.
async fn acts(umpire: &Guest, table: &Table, what: &str, typed: &[(&str, &str)]) -> Result<()> {
    let page = umpire.get(&table.console).await?;
    let done = umpire.fills_in(&page, &format!("{}/{what}", table.console), typed).await?;
    ensure!(done.status.is_success(), "{what}: {}", done.text);
    Ok(())
}

#[tokio::test]
async fn every_act_has_a_text_to_post() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    let vera = table.site.umpire_called("Vera").await?;
    newest(&table, "First question", &["Ada – Bo: Five-Card Trick, DM Colosseum 2"]).await?;
    acts(&table.umpire, &table, "warn", &[("seat", "p2"), ("text", "slow"), ("clause", "1.8")]).await?;
    newest(&table, "Warning to Bo", &["Warning to Bo, rule 1.8: Slow."]).await?;
    table.p1.submits("grow").await?.says("move received.")?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    let round = table.umpire.get(&table.console).await?.content("[data-newest] pre")?;
    ensure!(round.starts_with("Round 1: Ada ") && round.contains("\nAda: Grow\nBo: Claim\n"), "{round}");
    acts(&table.umpire, &table, "note", &[("text", "rain")]).await?;
    newest(&table, "Remark", &["Remark: Rain."]).await?;
    acts(&table.umpire, &table, "rule", &[("text", "round 1 counts"), ("result", ""), ("clause", "")]).await?;
    newest(&table, "Ruling", &["Ruling: Round 1 counts."]).await?;
    table.clock("pause", &[("reason", "a break")]).await?;
    newest(&table, "Pause", &["The clock is paused. A break."]).await?;
    table.passes(20);
    table.clock("run", &[]).await?;
    newest(&table, "End of the pause", &["The clock runs again. The pause took 20 s, which do not count."]).await?;
    let decision = table.umpire.get(&table.console).await?.field("decision")?;
    table.clock("extend", &[("decision", &decision), ("seconds", "30"), ("reason", "the chat was down")]).await?;
    newest(&table, "More time", &["30 s more. The chat was down."]).await?;
    let corrected = [("step", "1"), ("p1", "score"), ("p2", "claim"), ("reason", "misheard"), ("do", "correct")];
    table.act("correct", &corrected).await?;
    newest(&table, "Correction", &["Correction, round 1: Misheard.", "Ada: Score; before: Grow"]).await?;
    table.act("strike", &[("from", "1"), ("reason", "misheard again")]).await?;
    newest(&table, "Strike", &["Back to round 1: Misheard again."]).await?;
    let to = table.umpire.get(&table.console).await?.option("Vera")?;
    acts(&table.umpire, &table, "hand", &[("to", &to), ("text", "Ursula has to go")]).await?;
    newest_of(&vera, &table, "Another umpire", &["Another umpire takes over. Ursula has to go."]).await?;
    acts(&vera, &table, "decide", &[("decided", "forfeit-p2"), ("text", "Bo left")]).await?;
    acts(&vera, &table, "end", &[]).await?;
    let page = vera.get(&table.console).await?;
    assert_eq!(page.content("[data-newest] h2")?, "The result, ready to post");
    let result = page.content("[data-newest] pre")?;
    ensure!(result.starts_with("Ada won: ") && result.contains("Bo left") && result.contains("\nAda "), "{result}");
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
