//! How fast a seat's page and the console are: benchmarks with a real browser, which fail above their aims. They need a
//! quiet machine.
//! `cargo test --release -p matchbook-tests play::timing -- --ignored --nocapture`, with a database as in `make test`.

use anyhow::{Context, Result, ensure};
use fantoccini::key::Key;
use serde_json::json;

use super::scripts::sits;
use super::table::{RULESET, Table};
use super::taps;
use crate::browser::Browser;
use crate::site::Site;

/// How many rounds are closed.
const ROUNDS: usize = 20;
const MATCHES: usize = 5;
/// The aims, in milliseconds: a tap is answered, a result is on the page after its close, and a round is recorded.
const TAP: f64 = 100.0;
const RESULT: f64 = 300.0;
const RECORDED: f64 = 2_500.0;

/// Notes the time at which each round stands on the page.
const NOTE: &str = "
    window.shown = [];
    const read = () => document.querySelector('[data-region=last] h2')?.textContent ?? '';
    let before = read();
    new MutationObserver(() => { if (read() !== before) { before = read(); window.shown.push(Date.now() * 1000); } })
        .observe(document.querySelector('main'), { childList: true, subtree: true });
";

fn at(sorted: &[f64], part: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * part).ceil() as usize]
}

/// Says these times, and fails if the slowest in a hundred is over the aim.
fn judged(what: &str, mut all: Vec<f64>, aim: f64) -> Result<()> {
    ensure!(!all.is_empty(), "no {what}");
    all.sort_by(f64::total_cmp);
    let [half, slow, most] = [0.5, 0.99, 1.0].map(|part| at(&all, part));
    println!("{} {what}: p50 {half:.0} ms, p99 {slow:.0} ms, most {most:.0} ms", all.len());
    ensure!(slow <= aim, "{what}: p99 is {slow:.0} ms, and the aim {aim} ms");
    Ok(())
}

#[tokio::test]
#[ignore = "a benchmark"]
async fn taps_are_answered() -> Result<()> {
    let (mut slow, mut taps) = (Vec::new(), 0);
    // Once each: every site keeps its connections to the end of the test.
    for case in taps::all() {
        let pressed = case.is_pressed().await?;
        taps += pressed.taps;
        slow.extend(pressed.slow);
    }
    // Whatever is not told took less than 16 ms.
    let mut all = vec![15.0; taps.saturating_sub(slow.len())];
    all.extend(slow);
    judged("taps", all, TAP)
}

#[tokio::test]
#[ignore = "a benchmark"]
async fn results_come_after_the_close() -> Result<()> {
    let mut all = Vec::new();
    for _ in 0..MATCHES {
        let more = [("draws", "umpire"), ("event", "Cup")];
        let table = Table::set(Site::start().await?, RULESET, false, &["p1", "p2"], &more).await?;
        let browser = Browser::open(390, false, true).await?;
        browser.resize((390, 664)).await?;
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
    judged("closes", all, RESULT)
}

#[tokio::test]
#[ignore = "a benchmark"]
async fn rounds_are_recorded_by_keyboard() -> Result<()> {
    let (mut all, enter) = (Vec::new(), char::from(Key::Enter).to_string());
    let browser = Browser::open(1280, false, true).await?;
    browser.resize((1280, 800)).await?;
    for _ in 0..MATCHES {
        let table = Table::recorded(Site::start().await?, RULESET).await?;
        browser.client.goto(&table.site.sign_in_link().await?).await?;
        browser.sign_in().await?;
        browser.client.goto(&format!("{}{}", table.site.address, table.console)).await?;
        for round in 1..=ROUNDS {
            browser.until(&format!("Round {round}:")).await?;
            browser.at("input[name=p1]").await?;
            let begun = tokio::time::Instant::now();
            let text = if round % 2 == 0 { "claim" } else { "grow" };
            for seat in ["p1", "p2"] {
                browser.at(&format!("input[name={seat}]")).await?;
                browser.type_keys(&format!("{text}{enter}")).await?;
            }
            browser.until("Ready. Nothing is recorded yet.").await?;
            browser.at("button[data-record]").await?;
            browser.type_keys(&enter).await?;
            browser.until(&format!("Round {}:", round + 1)).await?;
            browser.at("input[name=p1]").await?;
            all.push(begun.elapsed().as_secs_f64() * 1e3);
        }
    }
    browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
    browser.close().await?;
    judged("rounds by keyboard", all, RECORDED)
}
