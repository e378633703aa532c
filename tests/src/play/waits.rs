//! A match that waits for witnesses, in browsers: the pages count the seconds and move on by themselves.

use anyhow::{Result, ensure};
use app::cosigning::SitePolicy;
use fantoccini::Locator;
use ledger::{Policy, TreeSize};

use super::scripts::{sits, types};
use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::held_witness::HeldWitness;
use crate::site::Site;
use crate::wait::until;

const WAITING: &str = "Sealed, and waiting for witnesses";

/// Waits until the page's script counts the seconds, while the site's clock stands still.
async fn counts(browser: &Browser) -> Result<()> {
    until(async || {
        let counted = browser.text_of("[data-elapsed] b").await?;
        ensure!(counted.parse::<f64>()? > 0.0, "{counted} s");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn pages_count_the_seconds_and_show_what_came_of_it() -> Result<()> {
    let site = Site::seeded("counted seconds").await?;
    let [one, two] = ["one", "two"].map(|name| HeldWitness::beside(name, &site));
    let (one, two) = (one.await?, two.await?);
    let policy = format!("{}{}group both all one two\nquorum both\n", one.line("one"), two.line("two"));
    site.app.public_log.ask_witnesses(SitePolicy::of(Policy::read(policy.as_bytes())?)?).await?;
    site.app.public_log.confirm_last_checkpoint(TreeSize(0)).await?;
    let table = Table::opened(site, RULESET, None, &["p2"], &[("wait", "600")]).await?;
    let (player, watcher) = (Browser::open(1100, false, true).await?, Browser::open(320, true, true).await?);
    sits(&player, &table, "p1").await?;
    player.until("or after 600 seconds without them").await?;
    watcher.client.goto(&format!("{}{}/live", table.site.address, table.public())).await?;
    types(&player, "grow").await?;
    player.until("move received.").await?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    for browser in [&player, &watcher] {
        browser.until(WAITING).await?;
        counts(browser).await?;
        browser.fits("a page that waits").await?;
    }
    player.until("0 of 2 witnesses have seen what is sealed").await?;
    one.is_quick();
    player.until("1 of 2 witnesses has seen what is sealed; it opens once at least 2 have.").await?;
    player.picture("seat-waits").await?;
    watcher.picture("live-waits").await?;
    two.is_quick();
    player.until("It opened once enough of the log\u{2019}s witnesses had seen it").await?;
    watcher.until("Round 1").await?;
    for browser in [&player, &watcher] {
        until(async || {
            ensure!(browser.client.find_all(Locator::Css("[data-waits]")).await?.is_empty(), "it still waits");
            Ok(())
        })
        .await?;
    }
    player.close().await?;
    watcher.close().await
}
