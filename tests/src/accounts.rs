//! Umpires' accounts: passwords, sessions, roles, and the limits on attempts.

mod check;
mod events;
mod limits;
mod passkeys;
mod stolen;
mod strangers;

use anyhow::{Context, Result, ensure};
use app::account::{self, Role, Scope};
use reqwest::StatusCode;
use sqlx::Connection;

use crate::page::Page;
use crate::program::{command, started};
use crate::site::{Guest, Site, follow};

const GOOD: &str = "lantern orbit mustard nine";

async fn sign_in(guest: &Guest, name: &str, password: &str) -> Result<Page> {
    guest.post("/sign-in", &[("name", name), ("password", password)]).await
}

async fn with_password(site: &Site) -> Result<Guest> {
    let umpire = site.umpire().await?;
    umpire.post("/account/password", &[("new", GOOD)]).await?.says("The password is set")?;
    Ok(umpire)
}

#[tokio::test]
async fn a_wrong_name_and_a_wrong_password_are_answered_alike() -> Result<()> {
    let site = Site::start().await?;
    with_password(&site).await?;
    account::add(site.app.pool(), site.app.system(), &account::OPERATOR, "Linus").await?;
    let guest = site.visitor()?;
    let mut answers = Vec::new();
    for (name, password) in [("Ursula", "wrong but long"), ("Nobody", GOOD), ("Linus", "")] {
        let page = sign_in(&guest, name, password).await?;
        page.is(StatusCode::UNAUTHORIZED)?;
        answers.push(page.text.replace(name, "NAME"));
    }
    ensure!(answers[0] == answers[1] && answers[1] == answers[2], "{answers:#?}");
    // A NUL character, which the database refuses in a text, is an ordinary wrong name.
    assert_eq!(sign_in(&guest, "Urs\0ula", GOOD).await?.status, StatusCode::UNAUTHORIZED);
    Ok(())
}

#[tokio::test]
async fn guessing_is_slowed_down_and_a_link_still_works() -> Result<()> {
    let site = Site::start().await?;
    with_password(&site).await?;
    let guest = site.visitor()?;
    for _ in 0..10 {
        sign_in(&guest, "Ursula", "a guess that is wrong").await?;
    }
    let answer = guest
        .http
        .post(format!("{}/sign-in", site.address))
        .form(&[("name", "Ursula"), ("password", GOOD)])
        .send()
        .await?;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    let wait: u32 = answer.headers().get("retry-after").context("when to try again")?.to_str()?.parse()?;
    ensure!((1..=60).contains(&wait), "{wait}");
    let link = site.sign_in_link().await?;
    assert_eq!(follow(&guest.http, &link).await?.status(), StatusCode::OK);
    Ok(())
}

#[tokio::test]
async fn passkeys_that_nobody_has_are_slowed_down_and_fill_no_log() -> Result<()> {
    let site = Site::start().await?;
    let guest = site.visitor()?;
    let address = format!("{}/sign-in/passkey", site.address.replace("127.0.0.1", "localhost"));
    let mut refused = Vec::new();
    for _ in 0..35 {
        let answer = guest.http.post(&address).form(&[("token", "ab"), ("credential", "{}")]).send().await?;
        refused.push(answer.status());
    }
    ensure!(refused[..30].iter().all(|status| *status == StatusCode::UNAUTHORIZED), "{refused:?}");
    ensure!(refused.contains(&StatusCode::TOO_MANY_REQUESTS), "{refused:?}");
    let (events, _) = account::events_before(site.app.pool(), true, None).await?;
    ensure!(events.is_empty(), "{events:?}");
    Ok(())
}

#[tokio::test]
async fn an_admin_sees_to_umpires_and_an_umpire_does_not() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    umpire.get("/account/umpires").await?.is(StatusCode::FORBIDDEN)?;
    let (pool, system) = (site.app.pool(), site.app.system());
    let ursula = account::named(pool, "Ursula").await?;
    account::set_role(pool, system, &account::OPERATOR, &ursula, Role::Admin).await?;
    let page = umpire.post("/account/umpires", &[("do", "add"), ("name", "Linus")]).await?;
    let linus = site.visitor()?;
    assert_eq!(follow(&linus.http, &page.private_link()?).await?.status(), StatusCode::OK);
    let id = account::named(pool, "Linus").await?.id;
    umpire.post("/account/umpires", &[("do", "close"), ("id", &id)]).await?.says("can sign in nowhere")?;
    linus.get("/umpire").await?.is(StatusCode::UNAUTHORIZED)?;
    ensure!(
        account::link(pool, system, &account::OPERATOR, &account::named(pool, "Linus").await?).await.is_err(),
        "a closed account"
    );
    // Nobody could manage accounts any more.
    let page = umpire.post("/account/umpires", &[("do", "umpire"), ("id", &ursula.id)]).await?;
    page.says("This is the only admin")?;
    Ok(())
}

#[tokio::test]
async fn no_address_that_a_server_sees_has_a_secret_in_it() -> Result<()> {
    let site = Site::start().await?;
    let link = site.sign_in_link().await?;
    let (address, code) = link.split_once('#').context("behind the #")?;
    assert_eq!((address, code.len()), (format!("{}/sign-in/link", site.address).as_str(), 64));
    let guest = site.visitor()?;
    let answer = guest.http.get(address).send().await?;
    let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    assert_eq!((header("cache-control"), header("referrer-policy")), ("no-store", "strict-origin"));
    // Opening the link did not use it up, and the whole link can be pasted.
    let page = guest.post("/sign-in/link", &[("token", &format!(" {link} "))]).await?;
    assert_eq!(page.address, "/umpire");
    page.says("You are signed in.")?;
    Ok(())
}

#[tokio::test]
async fn a_database_that_is_away_is_said_so() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    site.loses_its_database().await;
    for path in ["/umpire", "/account", "/sign-in"] {
        let page = umpire.get(path).await?;
        assert_eq!(page.status, StatusCode::SERVICE_UNAVAILABLE, "{path}");
        page.says("The record does not answer")?;
    }
    Ok(())
}

#[tokio::test]
async fn a_database_that_says_nothing_is_not_waited_for_without_end() -> Result<()> {
    let site = Site::start().await?;
    let guest = site.visitor()?;
    let mut owner = site.owner().await?;
    let mut elsewhere = owner.begin().await?;
    sqlx::query("lock table archive in access exclusive mode").execute(&mut *elsewhere).await?;
    guest.get("/archive").await?.is(StatusCode::SERVICE_UNAVAILABLE)?.says("The answer takes too long just now")?;
    elsewhere.rollback().await?;
    guest.get("/archive").await?.is(StatusCode::OK)?;
    Ok(())
}

#[tokio::test]
async fn a_link_from_the_command_line_begins_where_the_site_listens() -> Result<()> {
    let (folder, _program, _umpire) = started().await?;
    let data = folder.path().join("data");
    for (name, variable, value, begins) in [
        ("Vera", "MATCHBOOK_LISTEN", "0.0.0.0:9123", "http://127.0.0.1:9123/sign-in/link#"),
        ("Gus", "MATCHBOOK_SITE", "https://record.example.org/", "https://record.example.org/sign-in/link#"),
    ] {
        let added = command(&data, &["umpire", "add", name])?.env(variable, value).output().await?;
        let (said, log) = (String::from_utf8(added.stdout)?, String::from_utf8(added.stderr)?);
        ensure!(said.starts_with(begins) && said.lines().count() == 1, "{said}");
        // The log only claims an assumption that was made.
        assert_eq!(log.contains("The link begins with"), variable == "MATCHBOOK_LISTEN", "{log}");
    }
    Ok(())
}

#[tokio::test]
async fn a_command_about_accounts_does_not_look_at_what_was_signed() -> Result<()> {
    let (folder, _program, _umpire) = started().await?;
    let data = folder.path().join("data");
    // Where it is not told the site's own checkpoint file, there is none for it.
    let elsewhere = data.join("checkpoint");
    for arguments in [&["umpire", "link", "Ursula"][..], &["umpire", "list"], &["token", "list"]] {
        let done = command(&data, arguments)?.env("MATCHBOOK_CHECKPOINT_FILE", &elsewhere).output().await?;
        let log = String::from_utf8(done.stderr)?;
        ensure!(done.status.success() && !log.contains("signed"), "{arguments:?}: {log}");
        ensure!(!elsewhere.exists(), "{arguments:?} made a checkpoint file");
    }
    Ok(())
}

#[tokio::test]
async fn a_token_has_no_wider_scope_than_its_umpire() -> Result<()> {
    let site = Site::start().await?;
    site.umpire().await?;
    let (pool, system) = (site.app.pool(), site.app.system());
    let umpire = account::named(pool, "Ursula").await?;
    let made =
        async |scope| account::make_token(pool, system, &account::OPERATOR, &umpire, "a test", scope, None).await;
    made(Scope::Umpire).await?;
    ensure!(made(Scope::Admin).await.is_err(), "an umpire is no admin");
    Ok(())
}
