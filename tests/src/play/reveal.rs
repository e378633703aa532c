//! The reveal of a round: cards turn, chips travel and what failed is torn, all within two seconds, and nothing moves for
//! somebody who does not want it.

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::forms::{DEALT, at, placed};
use super::hidden::plays;
use super::scripts::sits;
use super::table::RULESET;
use crate::browser::Browser;
use crate::wait::until;

/// The longest reveal, in milliseconds.
const LONGEST: f64 = 1_500.0;

/// Notes every animation of the next reveal: its name, what it moves, and when it ends.
const NOTE: &str = r#"
    window.moves = null;
    new MutationObserver((list, observer) => {
        if (!document.querySelector("[data-region=board].play")) return;
        observer.disconnect();
        window.moves = document.getAnimations().map(({ animationName, effect }) =>
            [`${animationName ?? "moves"} ${[...effect.target.classList].join(" ")}`, effect.getComputedTiming().endTime]);
    }).observe(document.querySelector("main"), { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
"#;

/// The animations that this line begins on the first seat's phone.
async fn moves(ruleset: &str, before: &[&str], line: &str, still: bool) -> Result<Vec<(String, f64)>> {
    let table = at(ruleset, before).await?;
    let id = table.site.app.matches.match_of(&table.slug).await?;
    let browser = Browser::open(390, false, true).await?;
    browser.resize((390, 664)).await?;
    let motion = if still { "reduce" } else { "no-preference" };
    let features = json!([{ "name": "prefers-reduced-motion", "value": motion }]);
    browser.tells("Emulation.setEmulatedMedia", json!({ "features": features })).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("This browser signs what you send").await?;
    browser.client.execute(NOTE, vec![]).await?;
    plays(&table, id, line).await?;
    // Where nothing moves, the page says what happened.
    let told = "return document.querySelector('.mid .why') && document.getAnimations().map((one) => [`${one.animationName}`, 0])";
    let told = if still { told } else { "return window.moves" };
    let found = until(async || {
        let found = browser.client.execute(told, vec![]).await?;
        found.as_array().cloned().context("nothing is revealed")
    });
    let found = found.await?;
    let unsaid = "return document.querySelectorAll('.mid li:has(.torn):not(:has(.why))').length";
    ensure!(browser.client.execute(unsaid, vec![]).await? == json!(0), "a torn card does not say why");
    browser.picture(&format!("reveal-{}-{still}", ruleset.split('/').next().unwrap_or_default())).await?;
    browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
    browser.close().await?;
    let read = |one: &serde_json::Value| Some((one[0].as_str()?.to_owned(), one[1].as_f64()?));
    found.iter().map(|one| read(one).with_context(|| format!("{one}"))).collect()
}

fn has(moves: &[(String, f64)], words: &str) -> Result<()> {
    ensure!(moves.iter().any(|(name, _)| name.contains(words)), "no {words}: {moves:?}");
    let late = moves.iter().find(|(_, ends)| *ends > LONGEST);
    ensure!(late.is_none(), "it takes too long: {late:?}");
    Ok(())
}

#[tokio::test]
async fn what_failed_is_torn_and_chips_go_to_their_seat() -> Result<()> {
    let moves = moves(RULESET, &["score / grow"], "score claim / claim grow", false).await?;
    for words in ["turn turn", "tear-a w", "tear-b s", "moves chip fly"] {
        has(&moves, words)?;
    }
    Ok(())
}

#[tokio::test]
async fn cards_and_cells_turn_up() -> Result<()> {
    has(&moves("thwart-13/dm-colosseum-2", &["TH / 2C"], "back / front", false).await?, "turn turn")?;
    has(&moves("devils-deal/blooming-genius", &[], DEALT[0], false).await?, "turn pc")?;
    let placed = placed();
    let placed: Vec<&str> = placed.iter().map(String::as_str).collect();
    let laid = [&["p2: colour cyan"], &placed[..], &["p2: board A first"]].concat();
    has(&moves("higher-lower/tempo-up", &laid, "p2: turn a1", false).await?, "turn cell")
}

#[tokio::test]
async fn nothing_moves_for_somebody_who_wants_no_motion() -> Result<()> {
    let moves = moves(RULESET, &["score / grow"], "score claim / claim grow", true).await?;
    ensure!(moves.is_empty(), "{moves:?}");
    Ok(())
}
