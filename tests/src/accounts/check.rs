//! The password is asked for again before accounts, links and tokens change.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
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
async fn a_token_needs_the_password_again_and_nothing_typed_is_lost() -> Result<()> {
    let (site, admin) = long_ago("asked again for a token").await?;
    // It is announced where the forms are.
    for page in ["/account", "/account/umpires"] {
        admin.get(page).await?.says("If you signed in more than 10 minutes ago, Matchbook asks for your password")?;
    }
    let form = [("name", "the bot of our chat"), ("scope", "umpire"), ("days", "30")];
    let asks = admin.post("/account/tokens", &form).await?;
    asks.is(StatusCode::FORBIDDEN)?.says("Sign in again to do this")?.says("the bot of our chat")?;
    let wrong = admin.fills_in(&asks, "/account/tokens", &[("password", "not this one, sorry")]).await?;
    wrong.is(StatusCode::FORBIDDEN)?.says("This password is not right")?;
    ensure!(!admin.get("/account").await?.text.contains("the bot of our chat"), "there is no token yet");
    let made = admin.fills_in(&wrong, "/account/tokens", &[("password", GOOD)]).await?;
    made.is(StatusCode::OK)?.says("Your new token")?.says("the bot of our chat")?;
    // For ten minutes from then on it is not asked for.
    admin
        .post("/account/tokens", &[("name", "another"), ("scope", "read"), ("days", "90")])
        .await?
        .says("Your new token")?;
    site.app.system().pass(ELEVEN_MINUTES);
    admin.post("/account/tokens", &form).await?.is(StatusCode::FORBIDDEN)?;
    Ok(())
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

#[tokio::test]
async fn links_roles_and_accounts_need_it_and_taking_rights_away_does_not() -> Result<()> {
    let (site, admin) = long_ago("asked again for a link").await?;
    let (pool, system) = (site.app.pool(), site.app.system());
    let id = account::add(pool, system, &OPERATOR, "Linus").await?.id;
    for what in ["link", "admin", "umpire", "close", "open"] {
        let asks = admin.post("/account/umpires", &[("do", what), ("id", &id)]).await?;
        asks.is(StatusCode::FORBIDDEN)?.says("Sign in again to do this")?;
    }
    admin.post("/account/umpires", &[("do", "add"), ("name", "Vera")]).await?.is(StatusCode::FORBIDDEN)?;
    assert_eq!(account::all(pool).await?.len(), 2);
    admin.post("/umpire/discord", &[("what", "code")]).await?.is(StatusCode::FORBIDDEN)?;
    for (own, form) in [
        ("discord", [("what", "link")]),
        ("discord", [("what", "unlink")]),
        ("sessions", [("end", "others")]),
        ("name", [("public", "Ursula L.")]),
    ] {
        admin.post(&format!("/account/{own}"), &form).await?.is(StatusCode::FORBIDDEN).with_context(|| own)?;
    }
    for what in ["end-sessions", "unname"] {
        admin.post("/account/umpires", &[("do", what), ("id", &id)]).await?.is(StatusCode::OK)?;
    }
    let asks = admin.post("/account/umpires", &[("do", "link"), ("id", &id)]).await?;
    admin.fills_in(&asks, "/account/umpires", &[("password", GOOD)]).await?.says("A link for Linus")?;
    Ok(())
}

#[tokio::test]
async fn who_has_no_password_signs_in_again() -> Result<()> {
    let site = Site::seeded("no password").await?;
    let umpire = site.umpire().await?;
    umpire.get("/account").await?.says("only within 10 minutes after you signed in")?;
    site.app.system().pass(Duration::from_secs(40 * 60));
    // Who needs to sign in again reads it before a form is filled in, and gets back what was typed all the same.
    umpire.get("/account").await?.says("Do that before you fill anything in.")?;
    let form = [("name", "my bot"), ("scope", "umpire"), ("days", "30")];
    let refused = umpire.post("/account/tokens", &form).await?;
    refused.is(StatusCode::FORBIDDEN)?.says("have no password")?.says("to copy: <b>my bot</b>")?;
    umpire.post("/account/password", &[("new", GOOD)]).await?.is(StatusCode::FORBIDDEN)?.says("have no password")?;
    site.umpire().await?.post("/account/tokens", &form).await?.says("Your new token")?;
    Ok(())
}

#[tokio::test]
async fn a_new_password_ends_sessions_and_as_offered_tokens() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, other) = (site.umpire().await?, site.umpire().await?);
    for name in ["one", "two"] {
        let form = [("name", name), ("scope", "read"), ("days", "365")];
        umpire.post("/account/tokens", &form).await?.says("Your new token")?;
    }
    let page = umpire.get("/account").await?;
    page.says("Setting it signs every other browser out")?;
    page.says("name=\"end-tokens\" value=\"yes\" checked")?;
    umpire.post("/account/password", &[("new", GOOD)]).await?.says("Every other browser is signed out.")?;
    other.get("/umpire").await?.is(StatusCode::UNAUTHORIZED)?;
    umpire.get("/account").await?.says("<b>one</b>")?;
    let form = [("new", "another good long one"), ("old", GOOD), ("end-tokens", "yes")];
    umpire.post("/account/password", &form).await?.says("your tokens are revoked")?;
    ensure!(!umpire.get("/account").await?.text.contains("<b>one</b>"), "the tokens are gone");
    Ok(())
}

#[tokio::test]
async fn tokens_have_an_end_of_at_most_a_year() -> Result<()> {
    let site = Site::seeded("the end of a token").await?;
    let umpire = site.umpire().await?;
    let page = umpire.get("/account").await?;
    page.says("<option value=\"30\">")?.says("<option value=\"90\" selected>")?.says("<option value=\"365\">")?;
    for days in ["0", "366", "many"] {
        let form = [("name", "x"), ("scope", "read"), ("days", days)];
        let refused = umpire.post("/account/tokens", &form).await?;
        refused.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("1 to 365 days")?;
        refused.says("name=\"name\" value=\"x\"")?.says("<option value=\"read\" selected>")?;
    }
    // The clock stands at 20 November 2026.
    umpire
        .post("/account/tokens", &[("name", "x"), ("scope", "read")])
        .await?
        .says("Your new token")?
        .says("2027-02-18")?;
    Ok(())
}

#[tokio::test]
async fn an_admins_session_ends_after_a_week_and_after_two_days_without_use() -> Result<()> {
    let site = Site::seeded("an admin's week").await?;
    site.umpire().await?;
    let (pool, system) = (site.app.pool(), site.app.system());
    account::set_role(pool, system, &OPERATOR, &account::named(pool, "Ursula").await?, Role::Admin).await?;
    let (idle, busy) = (site.umpire().await?, site.umpire().await?);
    for _ in 0..4 {
        busy.get("/umpire").await?.is(StatusCode::OK)?;
        system.pass(Duration::from_secs(40 * 60 * 60));
        idle.get("/livez").await?;
    }
    idle.get("/umpire").await?.is(StatusCode::UNAUTHORIZED)?;
    busy.get("/umpire").await?.is(StatusCode::OK)?;
    system.pass(Duration::from_secs(24 * 60 * 60));
    busy.get("/umpire").await?.is(StatusCode::UNAUTHORIZED)?;
    Ok(())
}

#[tokio::test]
async fn a_session_without_use_ends_after_two_weeks() -> Result<()> {
    let site = Site::seeded("two weeks").await?;
    let (idle, busy) = (site.umpire().await?, site.umpire().await?);
    let week = Duration::from_secs(7 * 24 * 60 * 60);
    for _ in 0..2 {
        busy.get("/umpire").await?.is(StatusCode::OK)?;
        site.app.system().pass(week);
    }
    idle.get("/umpire").await?.is(StatusCode::UNAUTHORIZED)?;
    let page = busy.get("/account").await?;
    page.is(StatusCode::OK)?.says("(this one)")?;
    assert_eq!(page.text.matches("name=\"end\" value=\"").count(), 1, "it is not listed");
    Ok(())
}
