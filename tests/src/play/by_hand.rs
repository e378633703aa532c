//! A seat's page in a browser: moving cards, automatic updates, and a connection that loses answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, ensure};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use web::routes::DiscordApps;

use super::forms::{DEALT, at};
use super::scripts::fills;
use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::site::{Site, routes, serve};

/// A browser in the first seat, at this address of the site.
async fn sits(table: &Table, site: &str) -> Result<Browser> {
    let browser = Browser::open(1100, false, true).await?;
    let link = table.link("p1").await?.replace(&table.site.address, site);
    browser.client.goto(&link).await?;
    browser.press("main form button").await?;
    browser.until("Your receipts").await?;
    browser.until("This browser signs what you send").await?;
    Ok(browser)
}

/// Serves the site a second time, and loses the first two answers to submissions.
async fn a_bad_connection(site: &Site) -> Result<(String, Arc<AtomicU32>)> {
    async fn lose(State(sent): State<Arc<AtomicU32>>, request: Request, next: Next) -> Response {
        let submits = request.method() == Method::POST && request.uri().path().ends_with("/submit");
        let answer = next.run(request).await;
        if submits && sent.fetch_add(1, Ordering::SeqCst) < 2 {
            return (StatusCode::BAD_GATEWAY, "the answer was lost").into_response();
        }
        answer
    }
    let sent = Arc::new(AtomicU32::new(0));
    let losing = routes(&site.app, DiscordApps::default()).layer(from_fn_with_state(sent.clone(), lose));
    let (address, _) = serve(losing).await?;
    Ok((address, sent))
}

#[tokio::test]
async fn cards_are_dragged_to_their_piles_and_pressed_there() -> Result<()> {
    let offer = "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6";
    let table = at("devils-deal/blooming-genius", &[DEALT[0], DEALT[1], "p1: refill", offer]).await?;
    let browser = sits(&table, &table.site.address).await?;
    // A card dragged with the events of a mouse.
    let drag = r#"
        const [word, pile] = arguments;
        const card = [...document.querySelectorAll(".place-thing")].find((one) => one.dataset.label === word);
        const onto = [...document.querySelectorAll(".place-slot")].find((one) => one.querySelector("b").textContent === pile);
        if (!card || !onto) return [...document.querySelectorAll(".place-thing, .place-slot b")].map((one) => one.textContent);
        const carried = new DataTransfer();
        const event = (name) => new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: carried });
        card.dispatchEvent(event("dragstart"));
        if (onto.dispatchEvent(event("dragover"))) return "nothing can be dropped there";
        onto.dispatchEvent(event("drop"));
        return document.querySelector(`select[data-sort="${card.dataset.thing}"]`).selectedOptions[0].textContent;
    "#;
    let piles = "return [...document.querySelectorAll('.place-slot b')].map((one) => one.textContent)";
    let piles: Vec<String> = serde_json::from_value(browser.client.execute(piles, vec![]).await?)?;
    let [first, second, third, .., aside] = piles.as_slice() else { anyhow::bail!("{piles:?}") };
    let dragged = [
        ("red 2", first),
        ("red 3", first),
        ("blue 9", first),
        ("blue 3", second),
        ("blue 6", third),
        ("green 8", third),
        ("green 2", aside),
        ("blue 5", aside),
        ("red 7", aside),
    ];
    for (word, pile) in dragged {
        let lies = browser.client.execute(drag, vec![word.into(), pile.as_str().into()]).await?;
        assert_eq!(lies.as_str(), Some(pile.as_str()), "{word}: {lies} of {piles:?}");
    }
    // Pressing a pile and then cards puts these there; the fields beneath say the same.
    browser.press("[data-slot='1'] .place-name").await?;
    for word in ["green 5", "green 6"] {
        browser.press(&format!(".place-thing[data-label='{word}']")).await?;
    }
    browser.until("sum 14").await?;
    browser.until("8 cards taken").await?;
    browser.picture("piles").await?;
    browser.press("form[data-asked] .act-buttons .send").await?;
    browser.until("move received.").await?;
    let id = table.site.app.matches.match_of(&table.slug).await?;
    let history = table.site.app.matches.history(id).await?;
    let open = history.open.first().context("the division")?;
    ensure!(table.site.app.submissions.received(id, &open.asked.decision).await?.len() == 1, "it is stored");
    browser.close().await
}

#[tokio::test]
async fn what_is_not_allowed_beside_what_is_chosen_cannot_be_pressed_and_says_why() -> Result<()> {
    let table = at("three-card/simply-genius", &["grow claim / steal"]).await?;
    let browser = sits(&table, &table.site.address).await?;
    let why = "Grow with Claim is out: it was the move of the last round.";
    browser.until(why).await?;
    let closed = r#"
        const closed = [...document.querySelectorAll(".pick-main:has(:disabled)")];
        return closed.map((label) => [label.querySelector("input").value, label.title]);
    "#;
    assert_eq!(browser.client.execute(closed, vec![]).await?, json!([]), "each alone is allowed");
    browser.press(".pick-main:has([value=grow])").await?;
    assert_eq!(browser.client.execute(closed, vec![]).await?, json!([["claim", why]]));
    browser.press(".pick-main:has([value=steal])").await?;
    browser.until("2 of 2 chosen").await?;
    browser.press(".pick-main:has([value=grow])").await?;
    assert_eq!(browser.client.execute(closed, vec![]).await?, json!([]), "taken back, it may be chosen again");
    browser.press(".pick-main:has([value=claim])").await?;
    assert_eq!(browser.client.execute(closed, vec![]).await?, json!([["grow", why]]));
    browser.press(".pick-main:has([value=claim])").await?;
    assert_eq!(browser.client.execute(closed, vec![]).await?, json!([]));
    browser.close().await
}

#[tokio::test]
async fn a_page_that_stands_open_shows_the_next_question_and_keeps_what_is_typed() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    let browser = sits(&table, &table.site.address).await?;
    // The countdown uses the server's clock, and runs by itself.
    browser.until("0:55").await?;
    fills(&browser, "grow cl").await?;
    browser.until("This browser signs what you send").await?;
    // A change outside the question keeps the typed text.
    table.clock("pause", &[("reason", "a break")]).await?;
    let typed = "return document.querySelector('input[name=move]').value";
    for _ in 0..40 {
        assert_eq!(browser.client.execute(typed, vec![]).await?, "grow cl");
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    table.clock("run", &[]).await?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    browser.until("Round 2").await?;
    assert_eq!(browser.client.execute(typed, vec![]).await?, "", "the question it was typed for is closed");
    browser.close().await
}

#[tokio::test]
async fn a_submission_whose_answers_are_lost_is_sent_again_and_counts_once() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let (address, sent) = a_bad_connection(&table.site).await?;
    let browser = sits(&table, &address).await?;
    fills(&browser, "grow").await?;
    browser.press("form[data-asked] .act-buttons .send").await?;
    browser.until("move received.").await?;
    browser.until("signed by the browser that sent it").await?;
    assert_eq!(sent.load(Ordering::SeqCst), 3, "twice without an answer, and then with one");
    let id = table.site.app.matches.match_of(&table.slug).await?;
    assert_eq!(table.site.app.submissions.received(id, &"d1".parse()?).await?.len(), 1);
    browser.close().await
}

#[tokio::test]
async fn an_answer_that_the_close_overtakes_is_told_as_late_and_kept_for_the_umpire() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let browser = sits(&table, &table.site.address).await?;
    let network =
        |offline: bool| json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
    browser.tells("Network.enable", json!({})).await?;
    browser.tells("Network.emulateNetworkConditions", network(true)).await?;
    browser.press(".pick-main:has([value=grow])").await?;
    browser.press("form[data-asked] .act-buttons .send").await?;
    browser.until("No connection. ").await?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    browser.tells("Network.emulateNetworkConditions", network(false)).await?;
    browser.until("The umpire has it").await?;
    table.umpire.get(&table.console).await?.says("came after the close, not counted")?;
    browser.close().await
}
