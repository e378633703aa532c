//! Times in the reader's zone.

use anyhow::{Result, ensure};
use serde_json::json;

use super::{Browser, FIXTURE, played};
use crate::play::table::{RULESET, Table};
use crate::site::Site;

#[tokio::test]
async fn a_time_is_said_in_the_readers_zone_and_keeps_its_own() -> Result<()> {
    let site = Site::seeded("a time").await?;
    let umpire = site.umpire().await?;
    let path = played(&umpire, FIXTURE, 1).await?;
    let said = "return [...document.querySelectorAll('time[datetime*=T]')].map((time) => \
                [time.textContent, time.title, time.dateTime])";
    let entered = "20 Nov 2026, 20:00 UTC";
    // Scripts of the page are blocked in the last case; those of the driver are not.
    for (zone, scripts, text, title) in [
        ("Asia/Kolkata", true, "21 Nov 2026, 01:30 GMT+5:30", entered),
        ("America/New_York", true, "20 Nov 2026, 15:00 GMT-5", entered),
        ("UTC", true, entered, ""),
        ("Asia/Kolkata", false, entered, ""),
    ] {
        let browser = Browser::open(1100, false, scripts).await?;
        browser.tells("Emulation.setTimezoneOverride", json!({ "timezoneId": zone })).await?;
        browser.client.goto(&format!("{}{path}", site.address)).await?;
        browser.until("Score sheet").await?;
        let times = browser.client.execute(said, vec![]).await?;
        ensure!(times[0] == json!([text, title, "2026-11-20T20:00:00Z"]), "{zone}, scripts {scripts}: {times}");
        browser.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_day_that_is_offered_for_a_match_is_the_readers() -> Result<()> {
    let site = Site::seeded("a day").await?;
    let read = "return [document.querySelector('#date').value, new Intl.DateTimeFormat('sv-SE').format()]";
    for zone in ["Pacific/Auckland", "Pacific/Honolulu"] {
        let browser = Browser::open(1100, false, true).await?;
        browser.tells("Emulation.setTimezoneOverride", json!({ "timezoneId": zone })).await?;
        browser.client.goto(&site.sign_in_link().await?).await?;
        browser.sign_in().await?;
        browser.client.goto(&format!("{}/umpire/open", site.address)).await?;
        browser.until("Open a match").await?;
        let days = browser.client.execute(read, vec![]).await?;
        ensure!(days[0] == days[1], "{zone}: {days}");
        browser.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_console_says_its_times_in_the_umpires_zone() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    table.p1.submits("grow").await?;
    // The script finds every time on the page, except those typed or calculated in UTC, which are marked as UTC.
    let console = table.umpire.get(&table.console).await?;
    let outside = console.text.split("<time ").enumerate().map(|(n, part)| match part.split_once("</time>") {
        Some((_, rest)) if n > 0 => rest,
        _ => part,
    });
    for text in outside {
        ensure!(!text.contains(":00 UTC") && !text.contains(":01 UTC"), "a time that no script finds: {text}");
    }
    for (zone, due, title) in [("Asia/Kolkata", "01:31:00 GMT+5:30", "20:01:00 UTC"), ("UTC", "20:01:00 UTC", "")] {
        let browser = Browser::open(1100, false, true).await?;
        browser.tells("Emulation.setTimezoneOverride", json!({ "timezoneId": zone })).await?;
        browser.client.goto(&table.site.sign_in_link().await?).await?;
        browser.sign_in().await?;
        browser.client.goto(&format!("{}{}", table.site.address, table.console)).await?;
        browser.until("Just now").await?;
        let said = "return [...document.querySelectorAll('.clocks li time, .clock-note time')]\
                    .map((time) => [time.textContent, time.title])";
        let times = browser.client.execute(said, vec![]).await?;
        ensure!(times == json!([[due, title], [due, title]]), "{zone}: {times}");
        browser.close().await?;
    }
    Ok(())
}

/// Fills in the form that opens a match.
const FILLS: &str = "
    const form = document.querySelector('form[data-open]');
    for (const [name, value] of Object.entries(arguments[0])) form.elements[name].value = value;
";

#[tokio::test]
async fn the_start_of_a_plan_is_typed_and_shown_in_the_umpires_own_zone() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let browser = Browser::open(1100, false, true).await?;
    browser.tells("Emulation.setTimezoneOverride", json!({ "timezoneId": "Asia/Tokyo" })).await?;
    browser.client.goto(&site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    browser.client.goto(&format!("{}/umpire/open", site.address)).await?;
    browser.until("Start (your time)").await?;
    let typed = json!({ "ruleset": RULESET, "p1": "Ada", "p2": "Bo", "begins": "2126-11-21T05:00" });
    browser.client.execute(FILLS, vec![typed]).await?;
    let plan = "a[href^='/umpire/open?plan=']";
    // Sent again without a change, the plan keeps its start.
    for _ in 0..2 {
        browser.press("button[value=plan]").await?;
        browser.until("21 Nov 2126, 05:00 GMT+9").await?;
        umpire.get("/umpire").await?.says("20 Nov 2126, 20:00 UTC")?;
        browser.press(plan).await?;
        browser.until("Start (your time)").await?;
        let begins = browser.client.execute("return document.getElementById('begins').value", vec![]).await?;
        ensure!(begins == json!("2126-11-21T05:00"), "{begins}");
    }
    browser.close().await
}

#[tokio::test]
async fn a_time_that_the_umpire_types_is_in_the_umpires_zone_with_its_day_too() -> Result<()> {
    for (typed, sent) in [("05:00:05", "20:00:05"), ("2026-11-21 05:00:06", "20:00:06")] {
        let table = Table::with_links(RULESET, false, &["p1"]).await?;
        table.passes(30);
        let browser = Browser::open(1100, false, true).await?;
        browser.tells("Emulation.setTimezoneOverride", json!({ "timezoneId": "Asia/Tokyo" })).await?;
        browser.client.goto(&table.site.sign_in_link().await?).await?;
        browser.sign_in().await?;
        browser.client.goto(&format!("{}{}", table.site.address, table.console)).await?;
        browser.until("Sent at (your time)").await?;
        browser.types_into("[name=p2]", "claim").await?;
        browser.types_into("[name=sent-p2]", typed).await?;
        browser.press("div.type [data-store]").await?;
        browser.until("valid, typed by the umpire").await?;
        let stored = format!("data-sent=\"2026-11-20T{sent}");
        table.umpire.get(&table.console).await?.says(&stored)?;
        browser.close().await?;
    }
    Ok(())
}
