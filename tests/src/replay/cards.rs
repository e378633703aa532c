//! Actions as cards: face down while they are chosen, turned up by a step on, and what failed is torn. Who asked for reduced
//! motion sees the end of it at once.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{COLOSSEUM, found};
use crate::browser::Browser;
use crate::page::Page;
use crate::pages::import;
use crate::site::{Guest, Site};
use crate::wait::until;
use crate::whole_match::fixture;

/// What failed in a round.
const FAILED: &str = ".moved .played-card:is([data-fate=failed], [data-fate=blocked], [data-fate=cancelled])";

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
    let names = after.contents(".moved .played-card .act-name")?;
    ensure!(after.contents(".moved .played-card .icon")?.len() == names.len(), "each has its icon: {names:?}");
    ensure!(after.contents(".played-card.is-down")?.is_empty(), "none is face down any more");
    let words = after.contents(FAILED)?;
    ensure!(words.iter().all(|words| ["failed", "blocked", "cancelled"].iter().any(|fate| words.contains(fate))));
    // On the score sheet, each of these words leads to where it is explained.
    let sheet = found(&anybody, &public).await?;
    let explained = sheet.attributes(".sheet a.fate", "href")?;
    ensure!(explained.contains(&format!("{address}/after")), "{explained:?}");
    assert_eq!(explained.len(), sheet.contents(".sheet .fate")?.len(), "each is a link");
    // Above the sheet, what its letters and numerals mean.
    let key = sheet.content("#key")?;
    ensure!(key.contains("i before, ii the choices, iii after") && key.contains("T Steal"), "{key}");
    ensure!(sheet.text.find("id=\"key\"") < sheet.text.find("class=\"sheet\""), "it stands above");
    let choices = found(&anybody, &format!("{address}/choices")).await?;
    let down = choices.contents(".moved .played-card")?;
    assert_eq!(down.len(), names.len(), "as many as were turned up");
    ensure!(down.iter().all(String::is_empty) && choices.contents(".played-card .icon")?.is_empty(), "{down:?}");
    let told = choices.contents(".told-steps .words")?.concat();
    for name in &names {
        let action = name.split(' ').next().unwrap_or_default();
        ensure!(told.contains(action), "the words of the move are next to the cards: {name} in {told}");
    }
    Ok(())
}

/// Unfolds why something failed, just above the controls.
const UNFOLD: &str = "const why = document.querySelector('.stage-told .why'); \
    why.scrollIntoView({ block: 'end', behavior: 'instant' }); why.querySelector('summary').click();";

/// True if the reason can be read there, and nothing on the card is crossed out: it is torn.
const READABLE: &str = "const [text, bar] = ['.stage-told .why[open] p', '.stage-bar'].map((css) => document.querySelector(css)); \
    if (!text || text.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1) return false; \
    const card = document.querySelector(arguments[0]); \
    const [whole, name] = [card, card.querySelector('.act-name')].map((part) => getComputedStyle(part).textDecorationLine); \
    return whole === 'none' && name === 'none';";

#[tokio::test]
async fn why_something_failed_is_read_above_the_controls() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let public = import(&umpire, &fixture(COLOSSEUM)?.text).await?.address.replace(&site.address, "");
    let (address, _) = failed(&anybody, &public).await?;
    let browser = Browser::open(390, false, true).await?;
    browser.client.goto(&format!("{}{address}/after", site.address)).await?;
    browser.client.execute(UNFOLD, vec![]).await?;
    until(async || {
        let readable = browser.client.execute(READABLE, vec![json!(FAILED)]).await?;
        ensure!(readable == json!(true), "the reason is under the bar, or its word is crossed out");
        Ok(())
    })
    .await?;
    browser.picture("why").await?;
    browser.close().await
}

/// Steps on, and names what moves in the moment that is shown then.
const STEPS_ON: &str = r#"
    const done = arguments[arguments.length - 1];
    document.addEventListener("matchbook:shown", () => {
        const cards = document.querySelectorAll(".moved .played-card:not(.is-down)").length;
        const halves = [...document.querySelectorAll(".torn > .played-card")].filter((one) => one.checkVisibility()).length;
        done([halves > 0 && halves % 2 === 0 ? cards : 0, [...new Set(document.getAnimations().map((one) => one.animationName))].sort()]);
    }, { once: true });
    document.querySelector("a[rel=next]").click();
"#;

/// The torn cards whose tear, at a third of their height on a phone, runs through the name.
const CROSSED: &str = r#"
    return [...document.querySelectorAll(".moved .torn > .played-card:first-child")].map((card) => {
        const [whole, name] = [card, card.querySelector(".act-name")].map((one) => one.getBoundingClientRect());
        return [card.textContent.trim(), (name.top - whole.top) / whole.height];
    }).filter(([, top]) => top < .34);
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
            for name in ["tear-away", "tear-off", "turn-up"] {
                ensure!(moves.iter().any(|moves| moves.starts_with(name)), "{name} of {moves:?}");
            }
        }
        // A page that is opened shows the end at once, and both parts of a torn card can be read.
        browser.client.goto(&format!("{}{address}/after", site.address)).await?;
        let crossed = browser.client.execute(CROSSED, vec![]).await?;
        assert_eq!(crossed, json!([]), "the tear runs through a name");
        let moving = browser.client.execute("return document.getAnimations().length", vec![]).await?;
        assert_eq!(moving, json!(0));
    }
    browser.close().await
}
