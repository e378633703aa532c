//! "Your turn" on a page that nobody looks at: its title says it and its bell rings as soon as it is asked.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::scripts::{sits, types};
use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::site::Site;
use crate::wait::until;

/// Counts what rings and shakes, and how often the page leaves the stream that it shares. A minute is over at once, and the page looks at nothing by
/// itself any more: only the stream can tell it something.
const PATCH: &str = r#"
    Object.assign(window, { rings: 0, shakes: 0, left: 0, dropped: 0 });
    window.AudioContext = class { constructor() { window.rings += 1; } };
    navigator.vibrate = () => { window.shakes += 1; };
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (said) { if (!said.match) window.left += 1; post.call(this, said); };
    window.timer = window.setTimeout.bind(window);
    window.setTimeout = (act, ms = 0, ...more) => {
        if (ms === 60000) return window.timer(act, 0, ...more);
        if (ms < 1500) return window.timer(act, ms, ...more);
        window.dropped += 1;
        return 0;
    };
"#;
/// Hides the page, and gives how often its stream was left once the minute is over.
const HIDE: &str = r#"
    const done = arguments[arguments.length - 1];
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    window.timer(() => window.timer(() => done(window.left)));
"#;

/// The first seat sent its move, and its page is hidden; gives how often the stream was left.
async fn hidden(browser: &Browser, table: &Table, bell: bool) -> Result<Value> {
    sits(browser, table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    if bell {
        browser.press("[data-bell]").await?;
    }
    types(browser, "grow").await?;
    browser.until("move received.").await?;
    browser.until("This browser signs what you send").await?;
    browser.client.execute(PATCH, vec![]).await?;
    until(async || {
        let dropped = browser.client.execute("return window.dropped", vec![]).await?;
        ensure!(dropped.as_u64() > Some(0), "the page still looks by itself");
        Ok(())
    })
    .await?;
    Ok(browser.client.execute_async(HIDE, vec![]).await?)
}

#[tokio::test]
async fn a_hidden_page_with_its_bell_on_rings_when_the_next_round_is_asked() -> Result<()> {
    let table = Table::on(Site::start().await?, RULESET, false, &["p2"]).await?;
    let browser = Browser::open(1100, false, true).await?;
    assert_eq!(hidden(&browser, &table, true).await?, json!(0), "it stays on its stream");
    assert_eq!(browser.client.title().await?, "Ada against Bo · Matchbook");
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    until(async || {
        let title = browser.client.title().await?;
        ensure!(title.starts_with("Your turn: Ada against Bo"), "{title}");
        Ok(())
    })
    .await?;
    let rung = browser.client.execute("return [window.rings, window.shakes]", vec![]).await?;
    assert_eq!(rung, json!([1, 1]));
    browser.close().await
}

#[tokio::test]
async fn a_hidden_page_without_its_bell_leaves_its_stream() -> Result<()> {
    let table = Table::on(Site::start().await?, RULESET, false, &["p2"]).await?;
    let browser = Browser::open(1100, false, true).await?;
    assert_eq!(hidden(&browser, &table, false).await?, json!(1));
    browser.close().await
}
