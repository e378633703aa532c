//! An umpire's program around a game: plans, notes, objections, readiness, visibility, webhooks.

use anyhow::{Context, Result, ensure};
use app::account::Scope;
use app::archive::Filter;
use reqwest::{Method, StatusCode};
use serde_json::json;

use super::{Program, RULESET, futures, slug};
use crate::site::Site;

async fn delete(program: &Program, path: &str) -> Result<StatusCode> {
    Ok(program.send(Method::DELETE, path, None, "", String::new()).await?.status)
}

/// The program of a seat.
async fn seated(site: &Site, umpire: &Program, at: &str, seat: &str) -> Result<Program> {
    let key = format!("{seat}{}", at.replace('/', "-"));
    let link = umpire.post(&format!("{at}/links"), &key, &json!({ "seat": seat })).await?.is(StatusCode::CREATED)?;
    Ok(Program::with(site, link["token"].as_str().context("a token")?.to_owned()))
}

#[tokio::test]
async fn a_match_is_planned_changed_and_opened_as_it_was_planned() -> Result<()> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    let new = json!({
        "ruleset": "five-card-trick/zeros-gauntlet-final", "players": { "p1": "Ada", "p2": "Bo" }, "mode": "live",
        "clocks": "posted", "event": "Cup", "items": { "p1": ["overload"], "p2": [] }, "looks": true,
    });
    let plan = json!({ "starts_at": "2099-01-02T20:30:00Z", "match": new });
    let made = program.post("/api/v1/plans", "plan", &plan).await?;
    ensure!(made.headers.contains_key("location"), "where it is");
    let made = made.is(StatusCode::CREATED)?;
    let at = format!("/api/v1/plans/{}", made["id"].as_str().context("an id")?);
    // The dashboard lists it, and its form is filled from the plan.
    let umpire = site.umpire().await?;
    umpire.get("/umpire").await?.says("Ada – Bo")?;
    let form = umpire.get(&format!("/umpire/open?plan={}", made["id"].as_str().context("an id")?)).await?;
    assert_eq!((form.field("p1")?, form.field("begins")?), ("Ada".to_owned(), "2099-01-02T20:30".to_owned()));
    let mut other = plan.clone();
    other["match"]["players"]["p2"] = json!("Cy");
    let changed = program.post(&at, "change", &other).await?.is(StatusCode::OK)?;
    assert_eq!(changed["match"]["players"]["p2"], "Cy");
    let listed = program.get("/api/v1/plans").await?.is(StatusCode::OK)?;
    assert_eq!(listed["plans"], json!([changed]));
    let mut wrong = plan.clone();
    wrong["match"] = json!({ "ruleset": "chess", "players": new["players"] });
    program.post("/api/v1/plans", "wrong", &wrong).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    let opened = program.post(&format!("{at}/open"), "open", &json!({})).await?.is(StatusCode::CREATED)?;
    let again = program.post(&format!("{at}/open"), "open", &json!({})).await?.is(StatusCode::CREATED)?;
    assert_eq!(opened["match"], again["match"]);
    program.get(&at).await?.is(StatusCode::NOT_FOUND)?;
    let received = program.get(&format!("{}/received", slug(&opened)?)).await?.is(StatusCode::OK)?;
    assert_eq!(received["looks"], true);
    let read = program.get(&slug(&opened)?).await?.is(StatusCode::OK)?;
    ensure!(read.to_string().contains("overload") && read.to_string().contains("Cy"), "{read}");
    // Asked for many times at once, a plan opens one match; so it does from two tabs.
    let made = program.post("/api/v1/plans", "once", &plan).await?.is(StatusCode::CREATED)?;
    let id = made["id"].as_str().context("an id")?;
    let forms =
        [umpire.get(&format!("/umpire/open?plan={id}")).await?, umpire.get(&format!("/umpire/open?plan={id}")).await?];
    let (path, nothing) = (format!("/api/v1/plans/{id}/open"), json!({}));
    let keys: Vec<_> = (0..20).map(|n| format!("once-{n}")).collect();
    let answers = futures(keys.iter().map(|key| program.post(&path, key, &nothing))).await;
    let mut statuses = answers.into_iter().map(|answer| Ok(answer?.status)).collect::<Result<Vec<_>>>()?;
    statuses.retain(|status| ![StatusCode::CREATED, StatusCode::NOT_FOUND].contains(status));
    ensure!(statuses.is_empty(), "{statuses:?}");
    for form in &forms {
        umpire.fills_in(form, "/umpire/open", &[("do", "open")]).await?;
    }
    assert_eq!(site.app.archive().list(&Filter::default(), None).await?.matches.len(), 2);
    // A dropped plan is no longer announced.
    let made = program.post("/api/v1/plans", "another", &plan).await?.is(StatusCode::CREATED)?;
    let at = format!("/api/v1/plans/{}", made["id"].as_str().context("an id")?);
    assert_eq!(delete(&program, &at).await?, StatusCode::NO_CONTENT);
    program.post(&format!("{at}/open"), "late", &json!({})).await?.is(StatusCode::NOT_FOUND)?;
    Ok(())
}

#[tokio::test]
async fn programs_close_early_what_both_call_final() -> Result<()> {
    let site = Site::start().await?;
    tokio::spawn(site.app.deadlines.clone().run());
    let program = Program::of(&site, Scope::Umpire).await?;
    let new = json!({
        "ruleset": RULESET, "players": { "p1": "Ada", "p2": "Bo" }, "mode": "live", "clocks": "posted", "early": true,
    });
    let opened = program.post("/api/v1/matches", "open-early", &new).await?.is(StatusCode::CREATED)?;
    let at = slug(&opened)?;
    let (one, two) = (seated(&site, &program, &at, "p1").await?, seated(&site, &program, &at, "p2").await?);
    let state = program.get(&format!("{at}/state")).await?.is(StatusCode::OK)?;
    assert_eq!((&state["early"], &state["decisions"][0]["closes"]), (&json!(true), &json!("all-in")));
    let head = state["head"].clone();
    program.post(&format!("{at}/clock/run"), "run", &json!({ "head": head })).await?.is(StatusCode::OK)?;
    let line = |is_final: bool| json!({ "decision": "d1", "text": "score grow", "final": is_final });
    let plain = one.post("/api/v1/seat/submissions", "one", &line(false)).await?.is(StatusCode::CREATED)?;
    assert_eq!(plain.get("final"), None);
    let called = one.post("/api/v1/seat/submissions", "two", &line(true)).await?.is(StatusCode::CREATED)?;
    assert_eq!(called["final"], true);
    two.post("/api/v1/seat/submissions", "one", &line(true)).await?.is(StatusCode::CREATED)?;
    crate::wait::until(async || {
        let state = program.get(&format!("{at}/state")).await?.is(StatusCode::OK)?;
        ensure!(state["steps"] == 1, "{state}");
        Ok(())
    })
    .await?;
    let off = program.opens("open-off", "live").await?;
    let off = slug(&off)?;
    let seat = seated(&site, &program, &off, "p1").await?;
    assert_eq!(program.get(&format!("{off}/state")).await?.is(StatusCode::OK)?["early"], false);
    seat.post("/api/v1/seat/submissions", "one", &line(true)).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    Ok(())
}

#[tokio::test]
async fn a_question_of_piles_is_told_with_its_places() -> Result<()> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    let new = json!({
        "ruleset": "devils-deal/blooming-genius", "players": { "p1": "Ada", "p2": "Bo" }, "mode": "live",
        "draws": "umpire", "dmo": "p2",
    });
    let opened = program.post("/api/v1/matches", "open", &new).await?.is(StatusCode::CREATED)?;
    let at = slug(&opened)?;
    let seats = [seated(&site, &program, &at, "p1").await?, seated(&site, &program, &at, "p2").await?];
    let deal = json!({ "head": opened["head"], "text": "deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9" });
    program.post(&format!("{at}/draw"), "deal", &deal).await?.is(StatusCode::OK)?;
    for (n, line) in ["start p1", "stand", "stand"].into_iter().enumerate() {
        let mut sent = false;
        for (seat, program) in seats.iter().enumerate() {
            let asks = program.get("/api/v1/seat").await?.is(StatusCode::OK)?;
            let Some(ask) = asks["asks"].as_array().and_then(|asks| asks.last()).filter(|_| !sent) else { continue };
            let line = json!({ "decision": ask["decision"], "text": line });
            program.post("/api/v1/seat/submissions", &format!("{n}-{seat}"), &line).await?.is(StatusCode::CREATED)?;
            sent = true;
        }
        let state = program.get(&format!("{at}/state")).await?.is(StatusCode::OK)?;
        for decision in state["decisions"].as_array().into_iter().flatten() {
            let body = json!({ "decision": decision["decision"] });
            program.post(&format!("{at}/close"), &format!("close-{n}"), &body).await?.is(StatusCode::OK)?;
        }
    }
    let state = program.get(&format!("{at}/state")).await?.is(StatusCode::OK)?;
    let community = json!({ "head": state["head"], "text": "community R5" });
    program.post(&format!("{at}/draw"), "community", &community).await?.is(StatusCode::OK)?;
    let asked = seats[1].get("/api/v1/seat").await?.is(StatusCode::OK)?;
    let form = &asked["asks"][0]["form"];
    assert_eq!(
        (&form["kind"], form["places"]["places"].as_array().map(Vec::len)),
        (&json!("line"), Some(2)),
        "{asked}"
    );
    let words: Vec<&str> =
        form["places"]["things"].as_array().into_iter().flatten().filter_map(|thing| thing["word"].as_str()).collect();
    ensure!(words.contains(&"G2") && !words.contains(&"B7"), "its own cards alone: {words:?}");
    Ok(())
}
