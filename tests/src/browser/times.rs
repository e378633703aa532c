//! Times in the reader's zone.

use anyhow::{Result, ensure};
use serde_json::json;

use super::{Browser, Cdp, FIXTURE, played};
use crate::site::Site;

#[tokio::test]
async fn a_time_is_said_in_the_readers_zone_and_keeps_its_own() -> Result<()> {
    let site = Site::seeded("a time").await?;
    let umpire = site.umpire().await?;
    let path = played(&umpire, FIXTURE, 1).await?;
    let said = "return [...document.querySelectorAll('time[datetime*=T]')].map((time) => \
                [time.textContent, time.title, time.dateTime])";
    let entered = "20 Nov 2026, 20:00 UTC";
    // Scripts of the page are blocked in the last; those of the driver are not.
    for (zone, scripts, text, title) in [
        ("Asia/Kolkata", true, "21 Nov 2026, 01:30 GMT+5:30", entered),
        ("America/New_York", true, "20 Nov 2026, 15:00 GMT-5", entered),
        ("UTC", true, entered, ""),
        ("Asia/Kolkata", false, entered, ""),
    ] {
        let browser = Browser::open(1100, false, scripts).await?;
        let params = json!({ "timezoneId": zone });
        browser.client.issue_cmd(Cdp { cmd: "Emulation.setTimezoneOverride", params }).await?;
        browser.client.goto(&format!("{}{path}", site.address)).await?;
        browser.until("Score sheet").await?;
        let times = browser.client.execute(said, vec![]).await?;
        ensure!(times[0] == json!([text, title, "2026-11-20T20:00:00Z"]), "{zone}, scripts {scripts}: {times}");
        browser.close().await?;
    }
    Ok(())
}
