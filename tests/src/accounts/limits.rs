//! Caps on what an umpire has, and the last admin, where many ask at once; and what a token may do.

use std::sync::Arc;

use anyhow::{Result, ensure};
use app::account::{self, AccountError, OPERATOR, Role, Scope};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::api::Program;
use crate::site::Site;

#[tokio::test]
async fn forty_webhooks_at_once_are_twenty() -> Result<()> {
    let site = Site::start().await?;
    let program = Arc::new(Program::of(&site, Scope::Umpire).await?);
    let mut asked = JoinSet::new();
    for n in 0..40 {
        let program = program.clone();
        asked.spawn(async move {
            let body = json!({ "address": format!("https://example.com/{n}") });
            Ok::<_, anyhow::Error>(program.post("/api/v1/webhooks", &format!("hook-{n}"), &body).await?.status)
        });
    }
    let mut made = 0;
    while let Some(answer) = asked.join_next().await {
        match answer?? {
            StatusCode::CREATED => made += 1,
            status => assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY),
        }
    }
    assert_eq!(made, 20);
    let listed: Value = serde_json::from_str(&program.get("/api/v1/webhooks").await?.text)?;
    assert_eq!(listed["webhooks"].as_array().map(Vec::len), Some(20));
    Ok(())
}

#[tokio::test]
async fn sixty_tokens_at_once_are_fifty() -> Result<()> {
    let site = Site::start().await?;
    let app = site.app.clone();
    let ursula = account::add(app.pool(), app.system(), &OPERATOR, "Ursula").await?;
    let mut asked = JoinSet::new();
    for n in 0..60 {
        let (app, ursula) = (app.clone(), ursula.clone());
        asked.spawn(async move {
            let name = format!("bot {n}");
            account::make_token(app.pool(), app.system(), &OPERATOR, &ursula, &name, Scope::Read, None).await.map(drop)
        });
    }
    let made = asked.join_all().await;
    assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 50);
    ensure!(made.iter().all(|made| matches!(made, Ok(()) | Err(AccountError::TooManyTokens))), "{made:?}");
    assert_eq!(account::tokens(app.pool(), app.system(), Some(&ursula.id)).await?.len(), 50);
    Ok(())
}

#[tokio::test]
async fn sixty_plans_at_once_are_fifty_and_another_umpires_is_found_behind_them() -> Result<()> {
    let site = Site::start().await?;
    let program = Arc::new(Program::of(&site, Scope::Umpire).await?);
    let plan = |at: &str| {
        let players = json!({ "p1": "Ada", "p2": "Bo" });
        json!({ "starts_at": at, "match": { "ruleset": "five-card-trick/dm-colosseum-2", "players": players } })
    };
    let mut asked = JoinSet::new();
    for n in 0..60 {
        let (program, plan) = (program.clone(), plan("2099-01-02T20:30:00Z"));
        asked.spawn(async move {
            Ok::<_, anyhow::Error>(program.post("/api/v1/plans", &format!("plan-{n}"), &plan).await?.status)
        });
    }
    let mut made = 0;
    while let Some(answer) = asked.join_next().await {
        match answer?? {
            StatusCode::CREATED => made += 1,
            status => assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY),
        }
    }
    assert_eq!(made, 50);
    let (pool, system) = (site.app.pool(), site.app.system());
    let vera = account::add(pool, system, &OPERATOR, "Vera").await?;
    let (token, _) = account::make_token(pool, system, &OPERATOR, &vera, "hers", Scope::Umpire, None).await?;
    let hers = Program::with(&site, account::reveal_token(&token));
    let planned = hers.post("/api/v1/plans", "late", &plan("2099-02-02T20:30:00Z")).await?.is(StatusCode::CREATED)?;
    let at = format!("/api/v1/plans/{}", planned["id"].as_str().unwrap_or_default());
    hers.get(&at).await?.is(StatusCode::OK)?;
    hers.post(&at, "later", &plan("2099-03-02T20:30:00Z")).await?.is(StatusCode::OK)?;
    // Dropping one makes room for another.
    let listed: Value = serde_json::from_str(&program.get("/api/v1/plans").await?.text)?;
    let first = format!("/api/v1/plans/{}", listed["plans"][0]["id"].as_str().unwrap_or_default());
    let dropped = program.send(reqwest::Method::DELETE, &first, None, "", String::new()).await?;
    assert_eq!(dropped.status, StatusCode::NO_CONTENT);
    program.post("/api/v1/plans", "room", &plan("2099-01-02T20:30:00Z")).await?.is(StatusCode::CREATED)?;
    Ok(())
}

#[tokio::test]
async fn two_admins_who_leave_at_once_leave_one() -> Result<()> {
    let site = Site::start().await?;
    let app = site.app.clone();
    let (pool, system) = (app.pool(), app.system());
    let mut two = Vec::new();
    for name in ["Ursula", "Linus"] {
        two.push(account::add(pool, system, &OPERATOR, name).await?);
    }
    for close in [false, true].repeat(5) {
        for umpire in &two {
            account::set_closed(pool, system, &OPERATOR, umpire, false).await?;
            account::set_role(pool, system, &OPERATOR, umpire, Role::Admin).await?;
        }
        let mut leaving = JoinSet::new();
        for umpire in two.clone() {
            let app = app.clone();
            leaving.spawn(async move {
                let (pool, system) = (app.pool(), app.system());
                if close {
                    account::set_closed(pool, system, &OPERATOR, &umpire, true).await
                } else {
                    account::set_role(pool, system, &OPERATOR, &umpire, Role::Umpire).await
                }
            });
        }
        let left = leaving.join_all().await;
        let refused = left.iter().filter(|left| matches!(left, Err(AccountError::LastAdmin))).count();
        assert_eq!((refused, left.iter().filter(|left| left.is_ok()).count()), (1, 1), "{left:?}");
        let listed = account::listed(pool, system).await?;
        let admins = listed.iter().filter(|listed| listed.umpire.role == Role::Admin && !listed.closed);
        assert_eq!(admins.count(), 1);
    }
    Ok(())
}

#[tokio::test]
async fn an_admins_token_may_do_what_its_scope_says() -> Result<()> {
    let site = Site::start().await?;
    let (pool, system) = (site.app.pool(), site.app.system());
    let linus = account::add(pool, system, &OPERATOR, "Linus").await?;
    let (token, _) = account::make_token(pool, system, &OPERATOR, &linus, "his", Scope::Umpire, None).await?;
    let his = Program::with(&site, account::reveal_token(&token));
    let body = json!({ "address": "https://example.com/his" });
    let made: Value = serde_json::from_str(&his.post("/api/v1/webhooks", "a", &body).await?.text)?;
    let hook = format!("/api/v1/webhooks/{}", made["webhook"]["id"].as_str().unwrap_or_default());
    // Both tokens are Ursula's, who is an admin.
    let admin = Program::of(&site, Scope::Admin).await?;
    let umpire = Program::of(&site, Scope::Umpire).await?;
    assert_eq!(admin.get(&hook).await?.status, StatusCode::OK);
    assert_eq!(umpire.get(&hook).await?.status, StatusCode::NOT_FOUND);
    assert_eq!(umpire.post(&format!("{hook}/secret"), "s", &json!({})).await?.status, StatusCode::NOT_FOUND);
    let listed: Value = serde_json::from_str(&umpire.get("/api/v1/webhooks").await?.text)?;
    assert_eq!(listed["webhooks"], json!([]));

    // An admin's answers are not repeated to an umpire.
    let secret = format!("{hook}/secret");
    let first = admin.post(&secret, "t", &json!({})).await?;
    assert_eq!(first.status, StatusCode::OK);
    assert_eq!(admin.post(&secret, "t", &json!({})).await?.text, first.text);
    account::set_role(pool, system, &OPERATOR, &linus, Role::Admin).await?;
    let ursula = account::named(pool, "Ursula").await?;
    account::set_role(pool, system, &OPERATOR, &ursula, Role::Umpire).await?;
    let again = admin.post(&secret, "t", &json!({})).await?;
    ensure!(again.status == StatusCode::NOT_FOUND && !again.text.contains("whsec_"), "{}", again.text);
    Ok(())
}
