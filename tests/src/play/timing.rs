//! How fast a seat's page is: a benchmark with a real browser, which says figures and judges none.
//! `cargo test --release -p matchbook-tests play::timing -- --ignored --nocapture`, with a database as in `make test`.

use anyhow::{Context, Result};
use serde_json::json;

use super::screens::resize;
use super::scripts::sits;
use super::table::{RULESET, Table};
use super::taps;
use crate::browser::Browser;
use crate::site::Site;

/// How often each kind of question is answered.
const TIMES: usize = 5;
/// How many rounds are closed.
const ROUNDS: usize = 20;
const MATCHES: usize = 5;

/// Notes the time at which each round stands on the page.
const NOTE: &str = "
    window.shown = [];
    const read = () => document.querySelector('[data-region=last] h2')?.textContent ?? '';
    let before = read();
    new MutationObserver(() => { if (read() !== before) { before = read(); window.shown.push(Date.now() * 1000); } })
        .observe(document.querySelector('.table-screen'), { childList: true, subtree: true });
";

fn at(sorted: &[f64], part: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * part).ceil() as usize]
}

#[tokio::test]
#[ignore = "a benchmark"]
async fn taps_are_answered() -> Result<()> {
    let (mut slow, mut taps) = (Vec::new(), 0);
    for _ in 0..TIMES {
        for case in taps::all() {
            let pressed = case.is_pressed().await?;
            taps += pressed.taps;
            slow.extend(pressed.slow);
        }
    }
    // Whatever is not told took less than 16 ms.
    let mut all = vec![15.0; taps.saturating_sub(slow.len())];
    all.extend(slow);
    all.sort_by(f64::total_cmp);
    println!("{taps} taps: p50 {} ms, p99 {} ms, most {} ms", at(&all, 0.5), at(&all, 0.99), at(&all, 1.0));
    Ok(())
}

#[tokio::test]
#[ignore = "a benchmark"]
async fn results_come_after_the_close() -> Result<()> {
    let mut all = Vec::new();
    for _ in 0..MATCHES {
        let more = [("draws", "umpire"), ("event", "Cup")];
        let table = Table::set(Site::start().await?, RULESET, false, &["p1", "p2"], &more).await?;
        let browser = Browser::open(390, false, true).await?;
        resize(&browser, (390, 664)).await?;
        sits(&browser, &table, "p1").await?;
        browser.until("This browser signs what you send").await?;
        browser.client.execute(NOTE, vec![]).await?;
        for round in 1..=ROUNDS {
            for seat in ["p1", "p2"] {
                table.types(seat, "grow").await?;
            }
            table.closes().await?;
            let look = format!("return window.shown.length >= {round}");
            while browser.client.execute(&look, vec![]).await? != json!(true) {}
        }
        let shown = browser.client.execute("return window.shown", vec![]).await?;
        let history = table.history().await?;
        // A decision closes with its first seal.
        let mut closed: Vec<_> = history.seals.iter().map(|seal| (seal.decision.clone(), seal.at)).collect();
        closed.dedup_by(|next, first| next.0 == first.0);
        for ((_, closed), shown) in closed.iter().zip(shown.as_array().context("a list")?) {
            all.push((shown.as_f64().context("a time")? - closed.micros() as f64) / 1e3);
        }
        browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
        browser.close().await?;
    }
    all.sort_by(f64::total_cmp);
    println!(
        "{} closes: p50 {:.0} ms, p99 {:.0} ms, most {:.0} ms",
        all.len(),
        at(&all, 0.5),
        at(&all, 0.99),
        at(&all, 1.0)
    );
    Ok(())
}
