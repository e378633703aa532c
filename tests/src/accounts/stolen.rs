//! A token that was stolen: no account is taken with it, and nothing that it makes outlives it.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use app::account::{self, OPERATOR, Role, Scope};
use reqwest::StatusCode;
use serde_json::json;

use super::GOOD;
use crate::api::Program;
use crate::site::{Guest, Site, follow};

const OTHER: &str = "another good long one";

/// An umpire who set a password.
async fn with_password(site: &Site, name: &str) -> Result<Guest> {
    let umpire = site.umpire_called(name).await?;
    umpire.post("/account/password", &[("new", GOOD)]).await?.says("The password is set")?;
    Ok(umpire)
}

/// A token of the umpire of this name, who is an admin from now on. It lives for 30 days.
async fn stolen(site: &Site, name: &str) -> Result<Program> {
    let (pool, system) = (site.app.pool(), site.app.system());
    account::set_role(pool, system, &OPERATOR, &account::named(pool, name).await?, Role::Admin).await?;
    let umpire = account::named(pool, name).await?;
    let (token, _) = account::make_token(pool, system, &OPERATOR, &umpire, "a bot", Scope::Admin, Some(30)).await?;
    Ok(Program::with(site, account::reveal_token(&token)))
}

/// A browser that followed a link which the thief made for an umpire.
async fn follows(site: &Site, thief: &Program, name: &str) -> Result<Guest> {
    let id = account::named(site.app.pool(), name).await?.id;
    let made = thief.post(&format!("/api/v1/umpires/{id}/links"), name, &json!({})).await?.is(StatusCode::CREATED)?;
    let browser = site.visitor()?;
    let followed = follow(&browser.http, made["url"].as_str().context("a link")?).await?;
    ensure!(followed.status() == StatusCode::OK, "{}", followed.status());
    Ok(browser)
}

#[tokio::test]
async fn a_stolen_admin_token_takes_no_account() -> Result<()> {
    let site = Site::seeded("a stolen token").await?;
    with_password(&site, "Ursula").await?;
    with_password(&site, "Vera").await?;
    let (thief, _) = (stolen(&site, "Ursula").await?, stolen(&site, "Vera").await?);
    // No link for its own umpire nor for an admin, and no admin.
    let pool = site.app.pool();
    for name in ["Ursula", "Vera"] {
        let path = format!("/api/v1/umpires/{}/links", account::named(pool, name).await?.id);
        let refused = thief.post(&path, name, &json!({})).await?;
        ensure!(refused.text.contains("No program does this with its token"), "{name}: {}", refused.text);
        refused.is(StatusCode::FORBIDDEN)?;
    }
    let new = json!({ "name": "Mallory", "role": "admin" });
    thief.post("/api/v1/umpires", "mallory", &new).await?.is(StatusCode::FORBIDDEN)?;
    ensure!(account::named(pool, "Mallory").await.is_err(), "nobody was added");
    // A link for another umpire proves nothing of whoever follows it.
    let linus = with_password(&site, "Linus").await?;
    let browser = follows(&site, &thief, "Linus").await?;
    for guest in [&linus, &browser] {
        guest.get("/account").await?.says("It was Ursula, by a program with a token")?;
    }
    let set = browser.post("/account/password", &[("new", OTHER)]).await?;
    set.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("The old password is not right")?;
    let token = browser.post("/account/tokens", &[("name", "x"), ("scope", "umpire"), ("days", "30")]).await?;
    token.is(StatusCode::FORBIDDEN)?.says("Sign in again to do this")?;
    // Linus himself types his password there, and an admin's own link still replaces a forgotten one.
    let right = [("old", GOOD), ("new", OTHER)];
    browser.post("/account/password", &right).await?.says("The password is set")?;
    site.app.system().pass(Duration::from_secs(60));
    let again = site.umpire_called("Linus").await?;
    again.post("/account/password", &[("new", GOOD)]).await?.says("The password is set")?;
    // Who was just added has no other way in.
    thief.post("/api/v1/umpires", "nora", &json!({ "name": "Nora" })).await?.is(StatusCode::CREATED)?;
    let nora = follows(&site, &thief, "Nora").await?;
    nora.post("/account/password", &[("new", GOOD)]).await?.says("The password is set")?;
    Ok(())
}

#[tokio::test]
async fn a_token_that_a_token_makes_is_less_and_ends_with_it() -> Result<()> {
    let site = Site::seeded("a token of a token").await?;
    site.umpire().await?;
    let thief = stolen(&site, "Ursula").await?;
    let wanted = |scope: &str, days: u32| json!({ "name": "mine", "scope": scope, "days": days });
    thief.post("/api/v1/tokens", "admin", &wanted("admin", 1)).await?.is(StatusCode::FORBIDDEN)?;
    // The clock stands at 20 November 2026.
    for (days, ends) in [(365, "2026-12-20"), (1, "2026-11-21")] {
        let made = thief.post("/api/v1/tokens", ends, &wanted("umpire", days)).await?.is(StatusCode::CREATED)?;
        ensure!(made["expires_at"].as_str().is_some_and(|at| at.starts_with(ends)), "{made}");
    }
    Ok(())
}
