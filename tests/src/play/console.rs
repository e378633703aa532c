//! The umpire of a live match: answers sent elsewhere with their time, late answers, reading permission, an outage, and
//! two umpires at once.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use reqwest::StatusCode;

use super::table::{RULESET, Table};
use crate::browser::Browser;
use crate::page::Page;
use crate::site::{Guest, Site};

/// Sends a form of the console twice, and fails unless the second time changes nothing.
async fn twice(table: &Table, page: &Page, what: &str, typed: &[(&str, &str)]) -> Result<Page> {
    let to = format!("{}/{what}", table.console);
    let first = table.umpire.fills_in(page, &to, typed).await?;
    ensure!(first.status == StatusCode::OK, "{what}: {}", first.text);
    let entries = table.history().await?.head.next;
    let second = table.umpire.fills_in(page, &to, typed).await?;
    ensure!(second.status == StatusCode::OK, "{what} again: {}", second.text);
    assert_eq!(table.history().await?.head.next, entries, "{what}");
    Ok(second)
}

#[tokio::test]
async fn what_is_typed_is_judged_by_when_it_was_sent_and_what_was_late_counts_by_a_ruling_alone() -> Result<()> {
    let table = Table::with_links(RULESET, true, &["p1"]).await?;
    table.p1.submits("grow").await?.says("move received.")?;
    for (at, words) in [
        ("half past", "This is no time"),
        ("19:59:30", "asked later than that"),
        ("2026-11-20 21:00", "has not come yet"),
    ] {
        let refused = table.types_sent("p2", "claim", at).await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{at}");
        refused.says(words)?.says("value=\"claim\"")?;
    }
    table.passes(600);
    table.types("p2", "claim").await?.says("counts only if you admit it")?;
    let page = table.umpire.get(&table.console).await?;
    page.says("Bo: late, not counted")?.says("s after the deadline")?;
    let unsaid = table.umpire.fills_in(&page, &format!("{}/admit", table.console), &[("text", " ")]).await?;
    unsaid.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("Say why: everybody reads it.")?;
    let typed = [("text", "The chat was away for ten minutes"), ("clause", "1.8")];
    let page = twice(&table, &page, "admit", &typed).await?;
    page.says("valid, typed by the umpire")?;
    table.closes().await?;
    let report = table.checked().await?;
    assert_eq!(report.verdict.to_string(), "so far verified with 1 ruling (recorded by the umpire)");
    let told =
        |finding: usize| report.findings[finding].details.iter().map(|told| told.text.clone()).collect::<Vec<_>>();
    ensure!(told(3).iter().any(|told| told.contains("admitted by the ruling of entry")), "{:?}", told(3));
    let ruling = "ruling (rule 1.8), admits the late move of Bo (round 1): The chat was away for ten minutes";
    ensure!(told(6).iter().any(|told| told == ruling), "{:?}", told(6));
    Ok(())
}

#[tokio::test]
async fn who_has_opened_the_link_is_on_the_console_and_an_open_page_of_links_says_it_too() -> Result<()> {
    let table = Table::opened(Site::start().await?, RULESET, None, &[], &[]).await?;
    table.umpire.get(&table.console).await?.says("no link yet")?;
    let link = table.link("p1").await?;
    let seen = table.umpire.get(&table.console).await?;
    seen.says("link not opened yet")?.says("no link yet")?;
    let browser = Browser::open(1100, false, true).await?;
    browser.client.goto(&table.site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    browser.client.goto(&format!("{}{}/links", table.site.address, table.console)).await?;
    browser.until("Not opened yet").await?;
    table.p1.guest.read(table.p1.guest.http.post(link).send().await?).await?.is(StatusCode::OK)?;
    browser.until("In use").await?;
    browser.close().await?;
    let lamps = table.umpire.get(&table.console).await?.contents(".biglamp span")?;
    assert_eq!(lamps.iter().map(|lamp| lamp.trim()).collect::<Vec<_>>(), ["here", "no link yet"]);
    // An act of the umpire who saw the page before that is not refused.
    let note = format!("{}/note", table.console);
    table.umpire.fills_in(&seen, &note, &[("text", "Rain")]).await?.is(StatusCode::OK)?;
    Ok(())
}

#[tokio::test]
async fn after_an_outage_the_umpire_types_on_and_what_was_open_is_asked_anew() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    table.p1.submits("grow").await?;
    table.p2.submits("score").await?;
    table.closes().await?;
    table.p1.submits("claim").await?;
    let stale = table.p2.page().await?;
    let page = table.umpire.get(&table.console).await?;
    let page = twice(&table, &page, "go-on-recorded", &[("text", "The players cannot reach the site")]).await?;
    page.says("Record round 2")?;
    let refused = table.p2.sends(&stale.field("decision")?, &table.fresh("x"), "grow").await?;
    ensure!(refused.status != StatusCode::OK, "{}", refused.text);
    crate::whole_match::record(&table.umpire, &table.console, "2. steal / grow").await?.says("Record round 3")?;
    // No clock closes anything any more.
    table.passes(6_000);
    table.umpire.get(&table.console).await?.says("Record round 3")?;
    let over = table.umpire.get(&table.console).await?;
    let over = twice(&table, &over, "decide", &[("decided", "forfeit-p1"), ("text", "Ada left")]).await?;
    twice(&table, &over, "end", &[]).await?.says("The match is ended")?;
    let report = table.checked().await?;
    assert_eq!(report.verdict.to_string(), "verified with 2 rulings (recorded by the umpire)", "{report:#?}");
    Ok(())
}

#[tokio::test]
async fn every_button_of_a_live_match_sent_twice_acts_once() -> Result<()> {
    let table = Table::with_links(RULESET, false, &[]).await?;
    table.site.umpire_called("Vera").await?;
    let page = table.umpire.get(&table.console).await?;
    twice(&table, &page, "private-note", &[("text", "Ada was nervous")]).await?;
    let notes = table.umpire.get(&table.console).await?;
    assert_eq!(notes.text.matches("Ada was nervous").count(), 1);
    let links = table.umpire.get(&format!("{}/links", table.console)).await?;
    let form = links.field("form")?;
    let mut made = Vec::new();
    for _ in 0..2 {
        let page = table.umpire.post(&format!("{}/links", table.console), &[("form", &form), ("seat", "p1")]).await?;
        made.push(page.private_link()?);
    }
    assert_eq!(made[0], made[1]);
    let links = table.umpire.get(&format!("{}/links", table.console)).await?;
    assert_eq!(links.text.matches("name=\"revoke\"").count(), 1);
    // It is asked first, without scripts too.
    assert_eq!(links.contents("form:has([name=revoke]) button")?, links.contents("details button.grave")?);
    let page = table.umpire.get(&table.console).await?;
    let vera = page.option("Vera")?;
    for (what, typed) in [
        ("warn", vec![("seat", "p2"), ("text", "Slow")]),
        ("note", vec![("text", "Rain")]),
        ("rule", vec![("text", "The round stands"), ("result", ""), ("clause", "")]),
        ("type", vec![("p1", "grow"), ("p2", "claim")]),
        ("close", vec![("sure", "yes")]),
        ("decide", vec![("decided", "annulled"), ("text", "Played by other rules")]),
        ("end", vec![]),
        ("hand", vec![("to", vera.as_str()), ("text", "Ursula has to go")]),
    ] {
        let page = table.umpire.get(&table.console).await?;
        // Storing and closing are buttons of one form.
        let page = Page::new(page.status, page.address, page.text.replace("/close\"", &format!("/{what}\"")));
        twice(&table, &page, what, &typed).await?;
    }
    let history = table.history().await?;
    assert_eq!((history.steps.len(), history.warnings().p2, history.handovers.len()), (2, 1, 1));
    Ok(())
}

#[tokio::test]
async fn another_umpire_acts_only_as_a_helper_or_after_taking_the_match_over() -> Result<()> {
    let table = Table::with_links(RULESET, false, &[]).await?;
    let vera = table.site.umpire_called("Vera").await?;
    let foreign = vera.get(&table.console).await?;
    foreign.is(StatusCode::FORBIDDEN)?.says("This is the match of Ursula")?;
    let acts = async |what: &str, typed: &[(&str, &str)]| {
        let page = vera.get(&table.console).await?;
        vera.fills_in(&page, &format!("{}/{what}", table.console), typed).await
    };
    let before = table.history().await?.head;
    for (what, typed) in [
        ("warn", vec![("seat", "p2"), ("text", "Slow")]),
        ("note", vec![("text", "Rain")]),
        ("rule", vec![("text", "The round stands"), ("result", ""), ("clause", "")]),
        ("close", vec![("p1", "grow"), ("p2", "claim")]),
        ("type", vec![("p1", "grow")]),
        ("decide", vec![("decided", "annulled"), ("text", "Played by other rules")]),
    ] {
        // She has no form of the console; these are the umpire's own.
        let page = table.umpire.get(&table.console).await?.text;
        let page = Page::new(StatusCode::OK, table.console.clone(), page.replace("/close\"", &format!("/{what}\"")));
        let refused = vera.fills_in(&page, &format!("{}/{what}", table.console), &typed).await?;
        refused.says("This match is another umpire")?.says("Take it over with a reason")?;
    }
    assert_eq!(table.history().await?.head, before, "nothing entered");
    acts("hand", &[("text", " ")]).await?.says("Say why")?.says("This is the match of Ursula")?;
    acts("hand", &[("text", "Ursula is away")]).await?.says("The match has its new umpire.")?;
    acts("warn", &[("seat", "p2"), ("text", "Slow")]).await?.is(StatusCode::OK)?;
    let page = vera.get(&table.console).await?;
    let to = format!("{}/warn", table.console);
    table.umpire.fills_in(&page, &to, &[("seat", "p2"), ("text", "Slow")]).await?.says("another umpire")?;
    assert_eq!(table.history().await?.warnings().p2, 1);
    Ok(())
}

#[tokio::test]
async fn of_two_umpires_at_once_one_acts_and_the_other_reads_what_happened() -> Result<()> {
    let table = Table::with_links(RULESET, false, &[]).await?;
    let vera = table.helper("Vera").await?;
    for round in 0..6 {
        let pages = (table.umpire.get(&table.console).await?, vera.get(&table.console).await?);
        let act = |guest: &'static str| [("seat", "p1"), ("text", guest)];
        let to = format!("{}/warn", table.console);
        let (typed_one, typed_two) = (act("from Ursula"), act("from Vera"));
        let (one, two) =
            tokio::join!(table.umpire.fills_in(&pages.0, &to, &typed_one), vera.fills_in(&pages.1, &to, &typed_two));
        let (one, two) = (one?, two?);
        let mut statuses = [one.status.as_u16(), two.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "round {round}");
        let lost = if one.status == StatusCode::CONFLICT { one } else { two };
        lost.says("Somebody else was first")?.says("warned Ada")?.says("from ")?;
        assert_eq!(table.history().await?.warnings().p1, round + 1);
    }
    // An older page shows the changes since.
    let head = table.umpire.get(&table.console).await?;
    let seen = head.attribute("[data-head]", "data-head")?;
    let page = vera.get(&table.console).await?;
    vera.fills_in(&page, &format!("{}/note", table.console), &[("text", "Rain")]).await?;
    let since = table.umpire.get(&format!("{}?since={seen}", table.console)).await?;
    since.says("New since you opened this page")?.says("Vera made a remark")?;
    Ok(())
}

/// Both type and close at once: the result is one round, and nothing is lost.
#[tokio::test]
async fn two_umpires_who_close_at_once_make_one_round() -> Result<()> {
    let table = Table::with_links(RULESET, false, &[]).await?;
    let vera = table.helper("Vera").await?;
    let close = async |guest: &Guest, p1: &str, p2: &str| {
        let page = guest.get(&table.console).await?;
        guest.fills_in(&page, &format!("{}/close", table.console), &[("p1", p1), ("p2", p2)]).await
    };
    let (one, two) = tokio::join!(close(&table.umpire, "grow", "claim"), close(&vera, "score", "claim"));
    for page in [one?, two?] {
        ensure!(page.status == StatusCode::OK || page.status == StatusCode::CONFLICT, "{}", page.text);
    }
    let history = table.history().await?;
    assert_eq!((history.steps.len(), history.open.len(), history.faults.len()), (1, 1, 0));
    Ok(())
}

#[tokio::test]
async fn two_lines_and_the_close_by_keyboard() -> Result<()> {
    let table = Table::on(Site::start().await?, RULESET, false, &[]).await?;
    let browser = Browser::open(1100, false, true).await?;
    let client = &browser.client;
    client.goto(&table.site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    client.goto(&format!("{}{}", table.site.address, table.console)).await?;
    let (enter, escape) = (char::from(Key::Enter).to_string(), char::from(Key::Escape).to_string());
    for round in [1, 2] {
        browser.at("input[name=p1]").await?;
        browser.type_keys(if round == 1 { "sc g" } else { "g" }).await?;
        browser.until("typed: valid").await?;
        if round == 1 {
            browser.picture("console-live").await?;
        }
        browser.type_keys(&enter).await?;
        browser.at("input[name=p2]").await?;
        browser.type_keys("sc st").await?;
        browser.type_keys(&enter).await?;
        browser.at("button[data-close]").await?;
        browser.type_keys(&enter).await?;
        browser.until(&format!("recorded round {round}:")).await?;
    }
    // Keyboard shortcuts lead to the other acts, and are shown.
    browser.at("input[name=p1]").await?;
    browser.type_keys(&escape).await?;
    for (key, css) in [("w", "#warning"), ("j", "#private-note"), ("r", "#ruling"), ("2", "input[name=p2]")] {
        browser.type_keys(key).await?;
        browser.at(css).await?;
        browser.type_keys(&escape).await?;
    }
    browser.type_keys("?").await?;
    browser.until("leaves a field").await?;
    // Somebody else acts while a line is typed: the line stays, and the page shows the act.
    browser.type_keys("1").await?;
    browser.type_keys("cl").await?;
    let page = table.umpire.get(&table.console).await?;
    table.umpire.fills_in(&page, &format!("{}/note", table.console), &[("text", "Rain")]).await?;
    browser.until("New since you opened this page").await?;
    browser.until("made a remark").await?;
    browser.picture("console-since").await?;
    browser.close().await
}

#[tokio::test]
async fn there_is_something_to_post_before_the_first_round() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    let page = table.umpire.get(&table.console).await?;
    page.says("First question, ready to post")?.says("Ada – Bo: ")?.says("For both at the same time; 60 seconds.")?;
    let text = page.content("#post-asked")?;
    ensure!(text.contains("Without a move: ") && text.ends_with(&table.public()), "{text}");
    table.p1.submits("grow").await?;
    table.p2.submits("claim").await?;
    table.closes().await?;
    let next = table.umpire.get(&table.console).await?;
    next.says("Round 1, ready to post")?;
    ensure!(!next.text.contains("First question"), "{}", next.text);
    Ok(())
}

#[tokio::test]
async fn the_length_of_a_clock_is_named_only_where_one_runs() -> Result<()> {
    for clocks in [true, false] {
        let table = Table::laid(RULESET, clocks).await?;
        let post = table.umpire.get(&table.console).await?.content("#post-asked")?;
        let pages = [table.public(), format!("{}/live", table.public())];
        let mut shown = vec![post];
        for page in &pages {
            shown.push(table.site.visitor()?.get(page).await?.text);
        }
        for text in &shown {
            ensure!(text.contains("both at the same time"), "{text}");
            assert_eq!(text.contains("60 seconds"), clocks, "{text}");
        }
        table.p1.submits("grow").await?;
        table.p2.submits("claim").await?;
        table.closes().await?;
        let before = table.site.visitor()?.get(&format!("{}/r/1/before", table.public())).await?;
        assert_eq!(before.text.contains("60 seconds"), clocks, "{}", before.text);
    }
    Ok(())
}

#[tokio::test]
async fn for_a_seat_without_a_link_the_end_of_its_time_rings() -> Result<()> {
    let table = Table::with_links(RULESET, true, &["p1"]).await?;
    let page = table.umpire.get(&table.console).await?;
    ensure!(page.contents("[data-rings][hidden]")?.len() == 1, "{}", page.text);
    page.says("Bo had no link in time")?;
    table.passes(61);
    let page = table.umpire.get(&table.console).await?;
    ensure!(page.contents("[data-rings]:not([hidden])")?.len() == 1, "{}", page.text);
    let linked = Table::laid(RULESET, true).await?;
    let page = linked.umpire.get(&linked.console).await?;
    ensure!(page.contents("[data-rings]")?.is_empty(), "with links it closes by itself: {}", page.text);
    Ok(())
}
