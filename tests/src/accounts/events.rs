//! The log of accounts: everything is in it, for its umpire and for admins, without secrets, and nothing leaves it.

use anyhow::{Context, Result, ensure};
use app::account::{self, OPERATOR, Role, Scope};
use axum::Extension;
use reqwest::StatusCode;
use serde_json::Value;
use web::routes::DiscordApps;
use web::visitor::Peer;

use super::{GOOD, sign_in};
use crate::api::Program;
use crate::heard::Heard;
use crate::program::{command, started};
use crate::site::{Guest, Site, routes, serve};

async fn lines(admin: &Guest) -> Result<Vec<Value>> {
    let file = admin.get("/account/events.ndjson").await?;
    file.is(StatusCode::OK)?.text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

#[tokio::test]
async fn what_happens_to_accounts_is_told_to_them_and_to_admins_without_secrets() -> Result<()> {
    let site = Site::start().await?;
    let elsewhere = Peer(Some("2001:db8:1:2:3::4".parse()?));
    let (address, _) = serve(routes(&site.app, DiscordApps::default()).layer(Extension(elsewhere))).await?;
    let admin = Guest { http: site.umpire().await?.http, address };
    let (pool, system) = (site.app.pool(), site.app.system());
    account::set_role(pool, system, &OPERATOR, &account::named(pool, "Ursula").await?, Role::Admin).await?;
    admin.post("/account/password", &[("new", GOOD)]).await?.says("The password is set")?;
    let form = [("name", "my bot"), ("scope", "umpire"), ("days", "30")];
    let token = admin.post("/account/tokens", &form).await?.content("#token")?;
    let linus = site.umpire_called("Linus").await?;
    let id = account::named(pool, "Linus").await?.id;
    let link = admin.post("/account/umpires", &[("do", "link"), ("id", &id)]).await?.content("#link")?;
    for (name, password) in [("Ursula", "a guess that is wrong"), (GOOD, "what a slip")] {
        sign_in(&site.visitor()?, name, password).await?.is(StatusCode::UNAUTHORIZED)?;
    }
    sign_in(&site.visitor()?, "Ursula", GOOD).await?.is(StatusCode::OK)?;

    let all = lines(&admin).await?;
    let of = |kind: &str| all.iter().filter(|line| line["kind"] == kind).collect::<Vec<_>>();
    let found = |kind: &str, field: &str| of(kind).first().map(|line| line[field].to_string()).unwrap_or_default();
    assert_eq!(of("signed-in").len(), 3, "{all:#?}");
    assert_eq!((of("sign-in-failed").len(), of("sign-in-failed")[1]["umpire"].clone()), (2, Value::Null));
    assert_eq!(found("sign-in-failed", "note"), "\"wrong password\"");
    assert_eq!(found("role-changed", "channel"), "\"command-line\"");
    assert_eq!(found("token-made", "note"), "\"my bot: umpire, for 30 days\"");
    assert_eq!(found("password-set", "address"), "\"2001:db8:1:2::/64\"");
    let made = of("link-made").into_iter().find(|line| line["by_name"] == "Ursula").context("her link")?;
    assert_eq!((&made["umpire_name"], &made["channel"]), (&Value::from("Linus"), &Value::from("pages")));
    let secret = |text: &str| text.rsplit(['#', '_']).next().unwrap_or_default().to_owned();
    let text = admin.get("/account/events").await?.says("Signed in by password")?.text.clone();
    for secret in [GOOD.to_owned(), secret(&token), secret(&link)] {
        ensure!(!format!("{all:?}{text}").contains(&secret), "{secret}");
    }

    // A public name comes and goes, here by an admin's hand, and no event has it.
    linus.post("/account/name", &[("public", "Lin Ear")]).await?.says("This name is now shown")?;
    admin.post("/account/umpires", &[("do", "unname"), ("id", &id)]).await?.says("is withdrawn")?;
    let all = lines(&admin).await?;
    let of = |kind: &str| all.iter().find(|line| line["kind"] == kind).map(|line| line["by_name"].to_string());
    assert_eq!((of("name-set"), of("name-withdrawn")), (Some("\"Linus\"".into()), Some("\"Ursula\"".into())));
    ensure!(!format!("{all:?}").contains("Lin Ear"), "{all:?}");

    // Each umpire reads their own, and who made a link for them.
    let own = linus.get("/account").await?;
    own.says("Somebody made a sign-in link for you")?.says("It was Ursula")?.says("from 2001:db8:1:2::/64")?;
    ensure!(!own.text.contains("A token was made"), "that is another account's");
    for path in ["/account/events", "/account/events.ndjson"] {
        linus.get(path).await?.is(StatusCode::FORBIDDEN)?;
        site.visitor()?.get(path).await?.is(StatusCode::UNAUTHORIZED)?;
    }
    Ok(())
}

#[tokio::test]
async fn the_program_can_neither_change_nor_remove_an_event() -> Result<()> {
    let site = Site::start().await?;
    site.umpire().await?;
    for act in ["delete from account_events", "update account_events set note = ''", "truncate account_events"] {
        let refused = sqlx::query(act).execute(site.app.pool()).await.err().context("it may")?.to_string();
        ensure!(refused.contains("permission denied"), "{act}: {refused}");
    }
    Ok(())
}

#[tokio::test]
async fn a_long_log_has_pages() -> Result<()> {
    let site = Site::start().await?;
    let admin = site.umpire().await?;
    let (pool, system) = (site.app.pool(), site.app.system());
    let ursula = account::named(pool, "Ursula").await?;
    account::set_role(pool, system, &OPERATOR, &ursula, Role::Admin).await?;
    for _ in 0..120 {
        account::link(pool, system, &OPERATOR, &ursula).await?;
    }
    let page = admin.get("/account/events").await?;
    assert_eq!(page.text.matches("A sign-in link was made").count(), 100);
    let earlier = page.link("Earlier")?.context("a second page")?;
    let page = admin.get(&earlier).await?;
    page.says("Signed in by a link")?.says("The umpire was added")?;
    assert_eq!((page.link("Earlier")?, page.text.matches("A sign-in link was made").count()), (None, 21));
    let all = lines(&admin).await?;
    let last = all[99]["id"].to_string();
    assert_eq!(admin.get(&format!("/account/events.ndjson?after={last}")).await?.text.lines().count(), all.len() - 100);
    Ok(())
}

#[tokio::test]
async fn the_command_line_prints_it() -> Result<()> {
    let (folder, _program, _umpire) = started().await?;
    let data = folder.path().join("data");
    command(&data, &["umpire", "role", "Ursula", "admin"])?.output().await?;
    let printed = String::from_utf8(command(&data, &["umpire", "events"])?.output().await?.stdout)?;
    let last: Value = serde_json::from_str(printed.lines().last().context("a line")?)?;
    assert_eq!((&last["kind"], &last["note"]), (&Value::from("role-changed"), &Value::from("admin")));
    let after = last["id"].to_string();
    let none = command(&data, &["umpire", "events", "--after", &after])?.output().await?;
    assert_eq!(none.stdout, b"");
    Ok(())
}

#[tokio::test]
async fn a_failure_is_in_the_programs_log_with_its_route_and_without_secrets() -> Result<()> {
    let (heard, _listening) = Heard::listening();
    let site = Site::start().await?;
    let guest = site.visitor()?;
    site.loses_its_database().await;
    let secret = "ab".repeat(32);
    let status = guest.get(&format!("/play/{secret}")).await?.status;
    ensure!(status.is_server_error(), "{status}");
    guest.get("/account").await?;
    let said = heard.said();
    ensure!(said.contains("method=GET route=\"/play/{token}\""), "{said}");
    ensure!(!said.contains(&secret), "{said}");
    Ok(())
}

#[tokio::test]
async fn refused_rights_are_in_the_programs_log_few_and_without_secrets() -> Result<()> {
    let (heard, _listening) = Heard::listening();
    let site = Site::start().await?;
    let umpire = Program::of(&site, Scope::Umpire).await?;
    for _ in 0..100 {
        umpire.get("/api/v1/umpires").await?.is(StatusCode::FORBIDDEN)?;
    }
    site.visitor()?.post("/play/m/0000000000/p1/ready", &[]).await?.is(StatusCode::UNAUTHORIZED)?;
    let said = heard.said();
    let lines: Vec<_> =
        said.lines().filter(|line| line.contains("refusal_log: refused: Not with this token")).collect();
    ensure!((1..100).contains(&lines.len()), "{said}");
    ensure!(lines.iter().all(|line| line.contains("route=\"/api/v1/umpires\"") && !line.contains("mb_")), "{said}");
    ensure!(!said.contains("/play/m"), "{said}");
    Ok(())
}
