//! The console in a real browser, while others act.

use anyhow::{Result, ensure};
use fantoccini::Locator;
use fantoccini::key::Key;
use reqwest::StatusCode;
use serde_json::json;

use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::site::Site;
use crate::wait::until;

/// The next answer ends before its page is there.
const CUT_ONCE: &str = "
    const ask = window.fetch.bind(window);
    window.fetch = (...asked) => {
        if (window.cut) return ask(...asked);
        window.cut = true;
        return Promise.resolve(new Response(new ReadableStream({ start: (body) => body.error(new TypeError('cut')) })));
    };
";
/// Counts the answers that were looked at.
const COUNTS_LOOKS: &str = "
    const ask = window.fetch.bind(window);
    window.looks = 0;
    window.fetch = (...asked) => { window.looks += 1; return ask(...asked); };
";

/// Waits until two answers were looked at: the third was asked for then.
async fn looks_twice(browser: &Browser) -> Result<()> {
    until(async || {
        let looks = browser.client.execute("return window.looks", vec![]).await?;
        ensure!(looks.as_u64().is_some_and(|looks| looks > 2), "{looks}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_button_of_the_console_is_not_replaced_while_it_says_the_same() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    let page = table.p1.page().await?;
    let clock = table.open_clock().await?;
    table.passes(clock + 2);
    table.until("recorded round 1:").await?;
    table.p1.sends(&page.field("decision")?, &table.fresh("late"), "steal").await?.is(StatusCode::CONFLICT)?;
    let browser = Browser::open(1280, false, true).await?;
    browser.client.goto(&table.site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    browser.client.goto(&format!("{}{}", table.site.address, table.console)).await?;
    let button = "[data-renewed=late] form button";
    browser.client.wait().for_element(Locator::Css(button)).await?;
    let focus = "document.querySelector(arguments[0]).focus()";
    browser.client.execute(&format!("{focus}; {COUNTS_LOOKS}"), vec![json!(button)]).await?;
    looks_twice(&browser).await?;
    browser.at(button).await?;
    browser.close().await
}

#[tokio::test]
async fn who_is_dismissed_while_typing_reads_it_beside_what_is_typed() -> Result<()> {
    let table = Table::opened(Site::start().await?, RULESET, Some("posted"), &["p1"], &[]).await?;
    table.helper("Vera").await?;
    let browser = Browser::open(1280, false, true).await?;
    browser.client.goto(&table.site.sign_in_link_of("Vera").await?).await?;
    browser.sign_in().await?;
    browser.client.goto(&format!("{}{}", table.site.address, table.console)).await?;
    browser.until("You are a helper in it").await?;
    browser.type_keys(&char::from(Key::Escape).to_string()).await?;
    browser.type_keys("j").await?;
    browser.at("#private-note").await?;
    browser.type_keys("a long draft").await?;
    let links = format!("{}/links", table.console);
    let id = table.umpire.get(&links).await?.attribute("[name=dismiss]", "value")?;
    table.umpire.post(&links, &[("dismiss", &id)]).await?.says("No helpers.")?;
    browser.until("You may not act in this match any more").await?;
    browser.until("What you typed cannot be sent: copy it if it is still needed.").await?;
    // It stays as it is: a screen reader is told once, and whoever is on its link keeps the focus.
    let note = "[data-since] a";
    let focus = "document.querySelector(arguments[0]).focus()";
    browser.client.execute(&format!("{focus}; {COUNTS_LOOKS}"), vec![json!(note)]).await?;
    looks_twice(&browser).await?;
    browser.at(note).await?;
    let typed = browser.client.execute("return document.querySelector('#private-note').value", vec![]).await?;
    assert_eq!(typed, json!("a long draft"));
    browser.close().await
}

#[tokio::test]
async fn an_open_console_counts_the_time_and_shows_what_others_do() -> Result<()> {
    let table = Table::opened(Site::start().await?, RULESET, Some("posted"), &["p1"], &[]).await?;
    let vera = table.helper("Vera").await?;
    let browser = Browser::open(1100, false, true).await?;
    let client = &browser.client;
    client.goto(&table.site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    client.goto(&format!("{}{}", table.site.address, table.console)).await?;
    browser.until("no link yet").await?;
    // A connection that ends in the middle of an answer ends nothing else.
    client.execute(CUT_ONCE, vec![]).await?;
    until(async || {
        ensure!(client.execute("return window.cut", vec![]).await? == json!(true), "nothing was cut");
        Ok(())
    })
    .await?;
    let escape = char::from(Key::Escape).to_string();
    // Parts without fields are updated while a line is typed.
    browser.type_keys(&escape).await?;
    browser.type_keys("j").await?;
    browser.at("#private-note").await?;
    browser.type_keys("a draft").await?;
    table.p1.guest.post(&format!("{}/ready", table.p1.home), &[]).await?;
    let page = vera.get(&table.console).await?;
    vera.fills_in(&page, &format!("{}/private-note", table.console), &[("text", "Ada was nervous")]).await?;
    browser.until("here, ready since").await?;
    browser.until("Ada was nervous").await?;
    browser.at("#private-note").await?;
    let field = client.find(Locator::Css("#private-note")).await?;
    assert_eq!(field.prop("value").await?.as_deref(), Some("a draft"));
    field.clear().await?;
    browser.type_keys(&escape).await?;
    browser.type_keys("g").await?;
    browser.until("Close round 1").await?;
    browser.client.wait().for_element(Locator::Css(".clock[data-deadline]")).await?;
    browser.picture("console-clock").await?;
    browser.type_keys(&escape).await?;
    for (key, css) in [("h", "#pause-reason"), ("x", "[data-extend]")] {
        browser.type_keys(key).await?;
        browser.at(css).await?;
        browser.type_keys(&escape).await?;
    }
    browser.close().await
}

/// Longer than a press is ignored after the one button became another.
const GUARD: std::time::Duration = std::time::Duration::from_secs(1);

/// The answer to "Close round 1" has an address of its own, and the console goes on there.
#[tokio::test]
async fn the_question_whether_to_close_without_a_move_ends_when_the_move_comes() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let browser = Browser::open(1280, false, true).await?;
    browser.client.goto(&table.site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    browser.client.goto(&format!("{}{}", table.site.address, table.console)).await?;
    table.p2.submits("claim").await?.says("move received.")?;
    browser.until("Bo").await?;
    browser.press("[data-close]").await?;
    browser.until("Close without Ada’s move").await?;
    let streams = "return performance.getEntriesByType('resource').map((one) => one.name).filter((name) => name.endsWith('/events'))";
    let streams = browser.client.execute(streams, vec![]).await?;
    ensure!(
        streams.as_array().is_none_or(|all| all.iter().all(|one| !one.to_string().contains("/close/"))),
        "{streams}"
    );
    table.p1.submits("grow").await?.says("move received.")?;
    until(async || {
        let button = browser.text_of("[data-close]").await?;
        ensure!(button.starts_with("Close round 1") && button.contains("All have sent"), "{button}");
        Ok(())
    })
    .await?;
    let asks = "return [document.querySelector('[data-unsure]'), document.querySelector('[data-close]').name]";
    assert_eq!(browser.client.execute(asks, vec![]).await?, json!([null, ""]));
    // What is in the record comes there, too. A press at once would have been meant for the button before.
    tokio::time::sleep(GUARD).await;
    browser.press("[data-close]").await?;
    browser.until("recorded round 1:").await?;
    browser.close().await
}
