//! A seat in a browser that knew the log's key before it was changed.

use ::record::succession::Succession;
use anyhow::{Result, ensure};
use app::keys::Keys;
use app::system::System;
use ledger::{Checkpoint, Hash, KeyName, Note, SignerKey};
use serde_json::json;

use super::scripts::{sits, types};
use super::table::{RULESET, Table};
use crate::browser::Browser;

/// The checkpoint is this one.
const SHOWS: &str = r#"
    const [note] = arguments;
    const ask = window.ask ??= window.fetch.bind(window);
    window.fetch = (address, options) => String(address).startsWith("/checkpoint") ? Promise.resolve(new Response(note)) : ask(address, options);
"#;

#[tokio::test]
async fn a_browser_follows_the_log_to_the_key_that_the_one_before_named() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::open(1100, false, true).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;

    let shown: Note = table.site.visitor()?.get("/checkpoint").await?.text.parse()?;
    let (first, tree) = (table.site.app.origin(), Checkpoint::read(shown.text())?.tree());
    let key = |name: &str, seed| Ok::<_, anyhow::Error>(SignerKey::from_seed(name.parse()?, &[seed; 32]));
    let (second, third) = (key(&format!("{first}/2"), 2)?, key(&format!("{first}/3"), 3)?);
    let line = |before: &str, next: &SignerKey| Succession {
        before: before.to_owned(),
        common: tree,
        key: next.verifier().clone(),
        host: Hash::new([9; 32]),
        last: tree,
        named: None,
    };
    let keys = Keys::open(table.site.data.path(), &System::real())?;
    let log = keys.log().named(KeyName::from(first)).expect("a key in a file");
    let thief = key(first.as_str(), 77)?;
    let lost = line(&format!("{first}/2"), &third).to_string();
    let note = |before: Succession| {
        let text = format!("{first}/3\n{}\n{}\n{before}\n{lost}\n", tree.size, tree.root.to_base64());
        Ok::<_, anyhow::Error>(Note::sign(text.parse()?, &third).to_string())
    };
    let named = line(first.as_str(), &second);
    let shows = async |note: String| browser.client.execute(SHOWS, vec![json!(note)]).await;
    shows(note(named.clone().named_by(&thief))?).await?;
    types(&browser, "grow").await?;
    browser.until("is not signed by the key that this browser knows. Nothing was sent").await?;
    ensure!(table.history().await?.seals.is_empty());
    shows(note(named.named_by(&log))?).await?;
    browser.press("form[data-asked] .act-buttons .send").await?;
    browser.until("Round 1: Grow").await?;
    browser.until("signed with your key").await?;
    browser.close().await
}
