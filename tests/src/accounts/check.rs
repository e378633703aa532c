//! The password is asked for again before accounts, links and tokens change.

use std::time::Duration;

use anyhow::Result;
use app::account::{self, OPERATOR, Role};
use reqwest::StatusCode;

use super::GOOD;
use crate::site::{Guest, Site};

const ELEVEN_MINUTES: Duration = Duration::from_secs(11 * 60);

/// An admin with a password, whose last check is eleven minutes ago.
async fn long_ago(seed: &str) -> Result<(Site, Guest)> {
    let site = Site::seeded(seed).await?;
    let admin = site.umpire().await?;
    let (pool, system) = (site.app.pool(), site.app.system());
    account::set_role(pool, system, &OPERATOR, &account::named(pool, "Ursula").await?, Role::Admin).await?;
    admin.post("/account/password", &[("new", GOOD)]).await?.says("The password is set")?;
    system.pass(ELEVEN_MINUTES);
    Ok((site, admin))
}

#[tokio::test]
async fn guesses_are_slowed_down_and_nothing_typed_is_lost() -> Result<()> {
    let (_site, admin) = long_ago("asked again too often").await?;
    let form = [("name", "the bot of our chat"), ("scope", "umpire"), ("days", "30")];
    let mut asks = admin.post("/account/tokens", &form).await?;
    for _ in 0..10 {
        asks.is(StatusCode::FORBIDDEN)?;
        asks = admin.fills_in(&asks, "/account/tokens", &[("password", "not this one, sorry")]).await?;
        if asks.status != StatusCode::FORBIDDEN {
            break;
        }
    }
    // The right one does not count either for as long as the page says, and the form is still there.
    let late = admin.fills_in(&asks, "/account/tokens", &[("password", GOOD)]).await?;
    late.is(StatusCode::TOO_MANY_REQUESTS)?.says("too often to be answered")?.says("Try again in")?;
    assert_eq!(late.field("name")?, "the bot of our chat");
    Ok(())
}
