//! Passkeys in a real browser, with an authenticator that the browser plays itself.

use std::time::Duration;

use anyhow::{Result, ensure};
use app::account::{self, OPERATOR};
use fantoccini::Locator;
use reqwest::StatusCode;
use serde_json::json;

use super::{GOOD, sign_in};
use crate::browser::Browser;
use crate::site::Site;

/// The site under the name for which a browser has passkeys.
fn named(site: &Site) -> String {
    site.address.replace("127.0.0.1", "localhost")
}

async fn with_authenticator() -> Result<Browser> {
    let browser = Browser::open(1100, false, true).await?;
    browser.tells("WebAuthn.enable", json!({})).await?;
    let options = json!({
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
        "isUserVerified": true, "automaticPresenceSimulation": true,
    });
    browser.tells("WebAuthn.addVirtualAuthenticator", json!({ "options": options })).await?;
    Ok(browser)
}

/// Signs in by a link, and adds a passkey.
async fn added(site: &Site, browser: &Browser) -> Result<()> {
    let client = &browser.client;
    client.goto(&site.sign_in_link().await?.replace("127.0.0.1", "localhost")).await?;
    browser.sign_in().await?;
    client.goto(&format!("{}/account", named(site))).await?;
    browser.press("form[action='/account/passkeys'] button[value=begin]").await?;
    browser.until("Add a passkey").await?;
    browser.picture("passkey").await?;
    browser.press("form[data-passkey] button").await?;
    browser.until("The passkey is added").await
}

#[tokio::test]
async fn a_passkey_is_added_signs_in_without_a_name_and_is_removed() -> Result<()> {
    let site = Site::start().await?;
    let browser = with_authenticator().await?;
    let client = &browser.client;
    added(&site, &browser).await?;
    browser.press("form[action='/sign-out'] button").await?;
    browser.until("Signing in is for umpires").await?;
    browser.press("form[data-passkey] button").await?;
    browser.until("Umpire’s desk").await?;
    client.goto(&format!("{}/account", named(&site))).await?;
    browser.until("with a passkey").await?;
    browser.until("Signed in with a passkey").await?;

    browser.press("form[action='/account/passkeys'] button[value=remove]").await?;
    browser.until("The passkey is removed").await?;
    browser.press("form[action='/sign-out'] button").await?;
    browser.until("Signing in is for umpires").await?;
    // The device still has its half of the key.
    browser.press("form[data-passkey] button").await?;
    browser.until("This passkey was not accepted").await?;
    ensure!(client.find(Locator::Css("form[action='/sign-out']")).await.is_err(), "nobody is signed in");
    browser.tells("WebAuthn.disable", json!({})).await?;
    browser.close().await
}

#[tokio::test]
async fn a_password_alone_is_not_enough_where_its_umpire_says_so() -> Result<()> {
    let site = Site::start().await?;
    let browser = with_authenticator().await?;
    added(&site, &browser).await?;
    let umpire = site.umpire().await?;
    umpire.post("/account/password", &[("new", GOOD)]).await?.says("The password is set")?;
    umpire.post("/account/passkeys", &[("do", "need")]).await?.says("A password alone signs you in no more")?;
    let refused = sign_in(&site.visitor()?, "Ursula", GOOD).await?;
    refused.is(StatusCode::UNAUTHORIZED)?.says("asks for a passkey as well")?;
    // A wrong password is answered as ever.
    sign_in(&site.visitor()?, "Ursula", "not this one at all").await?.says("The name or the password is wrong")?;
    umpire.get("/account").await?.says("A sign-in failed: right password, without the passkey")?;
    browser.client.goto(&format!("{}/sign-in", named(&site))).await?;
    browser.press("form[data-passkey] button").await?;
    browser.until("Umpire’s desk").await?;
    // Without a passkey the password is enough again.
    let pool = site.app.pool();
    let ursula = account::named(pool, "Ursula").await?;
    for passkey in account::passkeys_of(pool, &ursula).await? {
        let id: String = passkey.id.iter().map(|byte| format!("{byte:02x}")).collect();
        account::remove_passkey(pool, site.app.system(), &OPERATOR, &ursula, &id).await?;
    }
    sign_in(&site.visitor()?, "Ursula", GOOD).await?.is(StatusCode::OK)?;
    let none = umpire.post("/account/passkeys", &[("do", "need")]).await?;
    none.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("You have no passkey")?;
    sign_in(&site.visitor()?, "Ursula", GOOD).await?.is(StatusCode::OK)?;
    browser.tells("WebAuthn.disable", json!({})).await?;
    browser.close().await
}

#[tokio::test]
async fn where_a_passkey_is_asked_for_the_password_is_no_check() -> Result<()> {
    let site = Site::seeded("checked by a passkey").await?;
    let browser = with_authenticator().await?;
    added(&site, &browser).await?;
    let umpire = site.umpire().await?;
    umpire.post("/account/password", &[("new", GOOD)]).await?.says("The password is set")?;
    umpire.post("/account/passkeys", &[("do", "need")]).await?.says("A password alone signs you in no more")?;
    umpire.get("/account").await?.says("Your account asks for a passkey.")?;
    site.app.system().pass(Duration::from_secs(11 * 60));
    umpire
        .get("/account")
        .await?
        .says("Your account asks for a passkey, and you signed in more than 10 minutes ago")?;
    let form = [("name", "the bot of our chat"), ("scope", "umpire"), ("days", "30")];
    let asks = umpire.post("/account/tokens", &form).await?;
    asks.is(StatusCode::FORBIDDEN)?.says("a password is not enough")?.says("with your passkey")?;
    ensure!(!asks.text.contains("type=\"password\""), "{}", asks.text);
    // Nor does a form that sends it all the same.
    let [name, scope, days] = form;
    let sent = umpire.post("/account/tokens", &[name, scope, days, ("password", GOOD)]).await?;
    sent.is(StatusCode::FORBIDDEN)?;
    ensure!(!umpire.get("/account").await?.text.contains("the bot of our chat"), "there is no token");
    // Nor is the old password enough for a new one, once the link that it could replace is old.
    site.app.system().pass(Duration::from_secs(31 * 60));
    let sent = umpire.post("/account/password", &[("old", GOOD), ("new", "another that is long enough")]).await?;
    sent.is(StatusCode::FORBIDDEN)?.says("a password is not enough")?;
    browser.tells("WebAuthn.disable", json!({})).await?;
    browser.close().await
}

#[tokio::test]
async fn a_passkey_that_comes_too_late_keeps_its_name_and_is_added_after_the_password() -> Result<()> {
    let site = Site::seeded("a passkey too late").await?;
    site.umpire().await?.post("/account/password", &[("new", GOOD)]).await?.says("The password is set")?;
    let browser = with_authenticator().await?;
    let client = &browser.client;
    client.goto(&site.sign_in_link().await?.replace("127.0.0.1", "localhost")).await?;
    browser.sign_in().await?;
    client.goto(&format!("{}/account", named(&site))).await?;
    browser.until("If you signed in more than 10 minutes ago, Matchbook asks for your password again").await?;
    browser.press("form[action='/account/passkeys'] button[value=begin]").await?;
    browser.until("This page works for 10 minutes").await?;
    let name = client.find(Locator::Css("#name")).await?;
    name.clear().await?;
    name.send_keys("My blue phone").await?;
    site.app.system().pass(Duration::from_secs(11 * 60));
    browser.press("form[data-passkey] button").await?;
    browser.until("Sign in again to do this").await?;
    client.find(Locator::Css("#password")).await?.send_keys(GOOD).await?;
    browser.press("form[action='/account/passkeys'] button").await?;
    browser.until("Add a passkey").await?;
    let name = client.find(Locator::Css("#name")).await?;
    assert_eq!(name.prop("value").await?.as_deref(), Some("My blue phone"));
    browser.press("form[data-passkey] button").await?;
    browser.until("The passkey is added").await?;
    browser.until("My blue phone").await?;
    browser.tells("WebAuthn.disable", json!({})).await?;
    browser.close().await
}

#[tokio::test]
async fn a_challenge_answers_once_and_for_its_purpose() -> Result<()> {
    let site = Site::start().await?;
    let guest = site.visitor()?;
    // A number has no passkeys, and says so.
    guest.post("/sign-in/passkey/options", &[]).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("localhost")?;
    let asked = guest.http.post(format!("{}/sign-in/passkey/options", named(&site))).send().await?;
    let challenge: serde_json::Value = serde_json::from_str(&asked.text().await?)?;
    assert_eq!(challenge["options"]["publicKey"]["userVerification"], "required");
    assert_eq!(challenge["options"]["publicKey"]["rpId"], "localhost");
    let token = challenge["token"].as_str().unwrap_or_default();
    for (token, credential) in [(token, "{}"), (token, "{}"), ("", ""), ("x", "[")] {
        let form = [("token", token), ("credential", credential)];
        let answer = guest.http.post(format!("{}/sign-in/passkey", named(&site))).form(&form).send().await?;
        let page = guest.read(answer).await?;
        page.is(StatusCode::UNAUTHORIZED)?.says("This passkey was not accepted")?;
    }
    Ok(())
}
