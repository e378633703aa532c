//! Actions as cards: face down while they are chosen, turned up by a step on, and what failed is torn. Who asked for reduced
//! motion sees the end of it at once.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{COLOSSEUM, found};
use crate::browser::Browser;
use crate::page::Page;
use crate::pages::import;
use crate::site::{Guest, Site};
use crate::whole_match::fixture;

/// What failed in a round.
const FAILED: &str = ".told-steps .played-card:is([data-fate=failed], [data-fate=blocked], [data-fate=cancelled])";

/// The address of the first round in which something failed, and its page.
async fn failed(anybody: &Guest, public: &str) -> Result<(String, Page)> {
    for round in 1..=25 {
        let address = format!("{public}/r/{round}");
        let page = found(anybody, &format!("{address}/after")).await?;
        if !page.contents(FAILED)?.is_empty() {
            return Ok((address, page));
        }
    }
    anyhow::bail!("nothing ever failed")
}

#[tokio::test]
async fn cards_lie_face_down_until_what_they_did_is_told() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let public = import(&umpire, &fixture(COLOSSEUM)?.text).await?.address.replace(&site.address, "");
    let (address, after) = failed(&anybody, &public).await?;
    let names = after.contents(".told-steps .played-card .act-name")?;
    ensure!(after.contents(".told-steps .played-card .icon")?.len() == names.len(), "each has its icon: {names:?}");
    ensure!(after.contents(".played-card.is-down")?.is_empty(), "none is face down any more");
    let words = after.contents(FAILED)?;
    ensure!(words.iter().all(|words| ["failed", "blocked", "cancelled"].iter().any(|fate| words.contains(fate))));
    let choices = found(&anybody, &format!("{address}/choices")).await?;
    let down = choices.contents(".told-steps .played-card")?;
    assert_eq!(down.len(), names.len(), "as many as were turned up");
    ensure!(down.iter().all(String::is_empty) && choices.contents(".played-card .icon")?.is_empty(), "{down:?}");
    let told = choices.contents(".told-steps .words")?.concat();
    for name in &names {
        let action = name.split(' ').next().unwrap_or_default();
        ensure!(told.contains(action), "the words of the move are next to the cards: {name} in {told}");
    }
    Ok(())
}

/// Steps on, and names what moves in the moment that is shown then.
const STEPS_ON: &str = r#"
    const done = arguments[arguments.length - 1];
    document.addEventListener("matchbook:shown", () => {
        const cards = document.querySelectorAll(".told-steps .played-card:not(.is-down)").length;
        const halves = [...document.querySelectorAll(".torn > .played-card")].filter((one) => one.checkVisibility()).length;
        done([halves > 0 && halves % 2 === 0 ? cards : 0, [...new Set(document.getAnimations().map((one) => one.animationName))].sort()]);
    }, { once: true });
    document.querySelector("a[rel=next]").click();
"#;

#[tokio::test]
async fn a_step_on_turns_cards_up_and_nothing_moves_for_who_asked_for_that() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let public = import(&umpire, &fixture(COLOSSEUM)?.text).await?.address.replace(&site.address, "");
    let (address, _) = failed(&site.visitor()?, &public).await?;
    let choices = format!("{}{address}/choices", site.address);
    let browser = Browser::open(390, false, true).await?;
    for still in [false, true] {
        if still {
            browser.reduces_motion().await?;
        }
        browser.client.goto(&choices).await?;
        let told = browser.client.execute_async(STEPS_ON, vec![]).await?;
        ensure!(told[0].as_u64().context("cards")? > 1, "{told}");
        let moves: Vec<&str> = told[1].as_array().context("names")?.iter().filter_map(Value::as_str).collect();
        if still {
            ensure!(moves.is_empty(), "{moves:?}");
        } else {
            for name in ["chips-", "grow", "tear-away", "tear-off", "turn-up"] {
                ensure!(moves.iter().any(|moves| moves.starts_with(name)), "{name} of {moves:?}");
            }
        }
        // A page that is opened shows the end at once.
        browser.client.goto(&format!("{}{address}/after", site.address)).await?;
        let moving = browser.client.execute("return document.getAnimations().length", vec![]).await?;
        assert_eq!(moving, json!(0));
    }
    browser.close().await
}
