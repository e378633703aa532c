//! Strangers: what they try locks nobody out, fills no table, and buries nothing.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use app::account::{self, OPERATOR, Role};
use axum::middleware::from_fn;
use reqwest::{Client, StatusCode};
use web::routes::DiscordApps;
use web::visitor::forwarded;

use super::{GOOD, with_password};
use crate::site::{Guest, Site, routes, serve};

/// A site that is told the address of each sender, and a signed-in umpire with a password, who is an admin.
async fn site() -> Result<(Site, Guest)> {
    let site = Site::seeded("strangers").await?;
    let umpire = with_password(&site).await?;
    let (pool, system) = (site.app.pool(), site.app.system());
    account::set_role(pool, system, &OPERATOR, &account::named(pool, "Ursula").await?, Role::Admin).await?;
    let (address, _) = serve(routes(&site.app, DiscordApps::default()).layer(from_fn(forwarded))).await?;
    Ok((site, Guest { http: umpire.http, address }))
}

/// The answer to a form of somebody at this address.
async fn sends(at: &str, path: &str, from: &str, form: &[(&str, &str)]) -> Result<StatusCode> {
    let http = Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
    Ok(http.post(format!("{at}{path}")).header("x-forwarded-for", from).form(form).send().await?.status())
}

#[tokio::test]
async fn wrong_passwords_of_strangers_lock_no_umpire_out() -> Result<()> {
    let (site, umpire) = site().await?;
    let tries = |from: String, password: &'static str| {
        let at = umpire.address.clone();
        async move { sends(&at, "/sign-in", &from, &[("name", "Ursula"), ("password", password)]).await }
    };
    for n in 0..12 {
        assert_eq!(tries(format!("192.0.2.{n}"), "a guess that is wrong").await?, StatusCode::UNAUTHORIZED, "{n}");
    }
    // One address has ten.
    for n in 0..11 {
        let status = tries("192.0.2.99".to_owned(), "a guess that is wrong").await?;
        assert_eq!(status == StatusCode::TOO_MANY_REQUESTS, n == 10, "{n}: {status}");
    }
    // Her own address is another, and so is the browser in which she is signed in.
    assert_eq!(tries("198.51.100.7".to_owned(), GOOD).await?, StatusCode::SEE_OTHER);
    site.app.system().pass(Duration::from_secs(11 * 60));
    let form = [("name", "a bot"), ("scope", "read"), ("days", "30"), ("password", GOOD)];
    umpire.post("/account/tokens", &form).await?.says("Your new token")?;
    Ok(())
}

#[tokio::test]
async fn failed_sign_ins_are_few_bury_nothing_and_go() -> Result<()> {
    let (site, admin) = site().await?;
    let pool = site.app.pool();
    // Long before the newest event.
    for kind in ["sign-in-failed", "signed-in"] {
        let long_ago = "insert into account_events (at, kind, channel, note) \
                        values ($1 - interval '100 days', $2, 'pages', 'long ago')";
        sqlx::query(long_ago).bind(site.app.system().now().to_utc()).bind(kind).execute(pool).await?;
    }
    for n in 0..40 {
        let (from, token) = (format!("192.0.2.{n}"), format!("{n:064x}"));
        assert_eq!(sends(&admin.address, "/sign-in/link", &from, &[("token", &token)]).await?, StatusCode::GONE);
    }
    let count = "select count(*) from account_events where kind = $1 and (note = 'long ago') = $2";
    let of = async |kind: &str, old: bool| {
        let count: i64 = sqlx::query_scalar(count).bind(kind).bind(old).fetch_one(pool).await?;
        anyhow::Ok(count)
    };
    assert_eq!((of("sign-in-failed", false).await?, of("sign-in-failed", true).await?), (10, 0));
    assert_eq!(of("signed-in", true).await?, 1);
    let page = admin.get("/account/events").await?;
    ensure!(!page.text.contains("A sign-in failed"), "{}", page.text);
    let failed = page.link("Failed sign-ins")?.context("their page")?;
    admin.get(&failed).await?.says("A sign-in failed: by a link that is not valid")?;
    Ok(())
}
