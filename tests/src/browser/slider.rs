//! The slider of a replay, dragged by a mouse and moved by keys. The browser sends its own events: the test calls no
//! function of the page.

use std::cell::Cell;

use anyhow::{Context, Result, ensure};
use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::json;

use super::{Browser, FIXTURE, LOOK};
use crate::pages::import;
use crate::site::Site;
use crate::wait::until;
use crate::whole_match::fixture;

/// A mouse, by the browser's own protocol, so that the page gets its real events. (The driver's actions lose the button
/// between two commands, and checking a page during a drag needs several commands.)
struct Mouse<'b> {
    browser: &'b Browser,
    held: Cell<bool>,
}

impl Mouse<'_> {
    /// Moves to the position of the slider's thumb at a value, this many pixels below the slider's middle, as a hand
    /// does.
    async fn to(&self, value: u32, below: f64) -> Result<()> {
        self.does("mouseMoved", value, below).await
    }

    async fn down(&self, value: u32) -> Result<()> {
        self.held.set(true);
        self.does("mousePressed", value, 0.0).await
    }

    async fn up(&self, value: u32) -> Result<()> {
        self.does("mouseReleased", value, 0.0).await?;
        self.held.set(false);
        Ok(())
    }

    async fn does(&self, what: &str, value: u32, below: f64) -> Result<()> {
        let (x, y) = thumb(self.browser, value).await?;
        let (button, buttons) = if self.held.get() { ("left", 1) } else { ("none", 0) };
        let params =
            json!({ "type": what, "x": x, "y": y + below, "button": button, "buttons": buttons, "clickCount": 1 });
        self.browser.tells("Input.dispatchMouseEvent", params).await
    }
}

/// The middle of the slider's thumb at a value, in the window. At both ends the thumb stays within the slider.
async fn thumb(browser: &Browser, value: u32) -> Result<(f64, f64)> {
    let script =
        "const slider = document.querySelector('[data-scrub]'), box = slider.getBoundingClientRect(), thumb = 16;
        const part = arguments[0] / Number(slider.max);
        return [box.left + thumb / 2 + part * (box.width - thumb), box.top + box.height / 2]";
    let found = browser.client.execute(script, vec![json!(value)]).await?;
    Ok((found[0].as_f64().context("x")?, found[1].as_f64().context("y")?))
}

/// Waits until the page, its address, and its announcements show a moment: the slider's, and those of the region that a
/// screen reader speaks.
async fn stands(browser: &Browser, public: &str, round: u32, beat: &str) -> Result<()> {
    let words = format!("Round {round}, {beat}");
    let script = "const text = (css) => document.querySelector(css)?.textContent ?? '';
        return [document.title, location.pathname, document.querySelector('[data-scrub]').getAttribute('aria-valuetext'),
                text('[data-said]'), document.querySelector('[data-scrub]').value,
                document.querySelector('[data-rounds] [aria-current] b').textContent]";
    // The start, and one moment for each round.
    let value = if beat == "before" { 0 } else { round };
    let expected = json!([format!("{public}/r/{round}/{beat}"), words, words, value.to_string(), round.to_string()]);
    until(async || {
        let told = browser.client.execute(script, vec![]).await?;
        let titled = told[0].as_str().is_some_and(|title| title.starts_with(&words));
        let stands = titled && told.as_array().is_some_and(|told| json!(told[1..]) == expected);
        ensure!(stands, "it never stands at {words}: {told}, and not {expected}");
        Ok(())
    })
    .await
}

/// A browser at the first moment of a finished match, with its controls, and the match's address.
async fn opened(site: &Site) -> Result<(Browser, String)> {
    let umpire = site.umpire().await?;
    let public = import(&umpire, &fixture(FIXTURE)?.text).await?.address.replace(&site.address, "");
    let browser = Browser::open(1100, false, true).await?;
    browser.client.goto(&format!("{}{public}/r/1/before", site.address)).await?;
    browser.client.wait().for_element(Locator::Css("[data-scrub]")).await?;
    Ok((browser, public))
}

/// The element with the focus: its place and its name.
async fn focus(browser: &Browser) -> Result<String> {
    let script =
        "const at = document.activeElement, row = ['beats', 'rounds', 'whose'].find((row) => at.closest('.' + row));
        return (row ?? at.localName) + ' ' + (at.querySelector('b') ?? at).textContent.trim()";
    Ok(browser.client.execute(script, vec![]).await?.as_str().context("a focus")?.to_owned())
}

/// Waits until this element has the focus.
async fn focused(browser: &Browser, expected: &str) -> Result<()> {
    until(async || {
        let focus = focus(browser).await?;
        ensure!(focus == expected, "the focus is at {focus}, and not at {expected}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_focus_stays_in_its_row_and_space_plays_from_a_link() -> Result<()> {
    let site = Site::start().await?;
    let (browser, public) = opened(&site).await?;
    let client = &browser.client;
    let click = async |css: &str| -> Result<()> {
        let script = "const link = document.querySelector(arguments[0]); link.focus(); link.click(); return null";
        client.execute(script, vec![json!(css)]).await?;
        Ok(())
    };
    click(".rounds a[href*='/r/4/']").await?;
    stands(&browser, &public, 4, "after").await?;
    focused(&browser, "rounds 4").await?;
    click(".whose a[href*='as=p1']").await?;
    // The link that disappears has the same name as the one that replaces it, and had the focus before.
    client.wait().for_element(Locator::Css(".whose a[href*='as=p1'][aria-current]")).await?;
    focused(&browser, "whose Quill").await?;
    // The keys continue from there, and Space plays.
    browser.type_keys(" ").await?;
    client.wait().for_element(Locator::Css("[data-play][aria-pressed=true]")).await?;
    browser.close().await
}

#[tokio::test]
async fn a_slider_that_is_dragged_or_moved_by_keys_takes_page_address_and_words_along() -> Result<()> {
    let site = Site::start().await?;
    let (browser, public) = opened(&site).await?;
    let client = &browser.client;
    let scrub = client.find(Locator::Css("[data-scrub]")).await?;
    client.execute("window.same = document.querySelector('[data-scrub]'); window.same.scrollIntoView({ block: 'center', behavior: 'instant' }); return null", vec![]).await?;
    let began = client.execute("return history.length", vec![]).await?;
    let mouse = Mouse { browser: &browser, held: Cell::new(false) };
    // Pressing the thumb moves nothing yet.
    mouse.to(0, 0.0).await?;
    mouse.down(0).await?;
    // While it is dragged, the page follows, forward and back, even if the hand leaves the slider's height.
    for (value, off, round, beat) in [(11, 0.0, 11, "after"), (21, 25.0, 21, "after"), (3, -25.0, 3, "after")] {
        mouse.to(value, off).await?;
        stands(&browser, &public, round, beat).await.with_context(|| format!("dragged to {value}"))?;
    }
    browser.picture("replay-dragged").await?;
    mouse.to(14, 0.0).await?;
    mouse.up(14).await?;
    stands(&browser, &public, 14, "after").await.context("let go")?;
    // Released, it stays in place.
    mouse.to(10, 0.0).await?;
    tokio::time::sleep(LOOK * 6).await;
    stands(&browser, &public, 14, "after").await.context("the mouse went on without its button")?;

    // The slider has the focus by now; its keys move it one round, and no key counts twice.
    browser.at("[data-scrub]").await?;
    for (key, round, beat) in [
        (Key::Right, 15, "after"),
        (Key::Left, 14, "after"),
        (Key::Up, 15, "after"),
        (Key::Down, 14, "after"),
        (Key::End, 25, "after"),
        (Key::Left, 24, "after"),
        (Key::Home, 1, "before"),
        (Key::Left, 1, "before"),
    ] {
        scrub.send_keys(&char::from(key).to_string()).await?;
        stands(&browser, &public, round, beat).await.with_context(|| format!("after {key:?}"))?;
        browser.at("[data-scrub]").await?;
    }
    let same = client.execute("return window.same === document.querySelector('[data-scrub]')", vec![]).await?;
    ensure!(same == json!(true), "the slider was replaced under the hand");
    // However far it went, going back takes one step.
    let steps = client.execute("return history.length", vec![]).await?;
    assert_eq!(steps, began, "a drag fills the list of pages to go back through");
    browser.close().await
}
