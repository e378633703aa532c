//! An umpire's program around a game: plans, notes, objections, readiness, visibility, webhooks.

use anyhow::{Context, Result, ensure};
use app::account::{self, OPERATOR, Role, Scope};
use app::archive::Filter;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

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
async fn a_plan_is_changed_dropped_and_opened_by_its_umpire_or_an_admin() -> Result<()> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    let players = json!({ "p1": "Ada", "p2": "Bo" });
    let plan = json!({ "starts_at": "2099-01-02T20:30:00Z", "match": { "ruleset": RULESET, "players": players } });
    let made = program.post("/api/v1/plans", "plan", &plan).await?.is(StatusCode::CREATED)?;
    let id = made["id"].as_str().context("an id")?;
    let at = format!("/api/v1/plans/{id}");
    let (pool, system) = (site.app.pool(), site.app.system());
    let browser = site.umpire_called("Vera").await?;
    let vera = account::named(pool, "Vera").await?;
    let (token, _) = account::make_token(pool, system, &OPERATOR, &vera, "hers", Scope::Umpire, None).await?;
    let hers = Program::with(&site, account::reveal_token(&token));
    // Every umpire reads it.
    hers.get(&at).await?.is(StatusCode::OK)?;
    let refused = hers.post(&at, "change", &plan).await?;
    ensure!(refused.text.contains("Another umpire planned this match"), "{}", refused.text);
    refused.is(StatusCode::FORBIDDEN)?;
    hers.post(&format!("{at}/open"), "open", &json!({})).await?.is(StatusCode::FORBIDDEN)?;
    assert_eq!(delete(&hers, &at).await?, StatusCode::FORBIDDEN);
    // The same on the desk: to change it, to open a match with it, and to drop it.
    let form = browser.get(&format!("/umpire/open?plan={id}")).await?;
    for act in ["plan", "open"] {
        let other = [("ruleset", RULESET), ("p1", "Ada"), ("p2", "Mallory"), ("begins", "2099-01-02T20:30")];
        let typed = [&other[..], &[("do", act), ("plan", id)]].concat();
        let refused = browser.fills_in(&form, "/umpire/open", &typed).await?;
        refused.is(StatusCode::FORBIDDEN)?.says("Another umpire planned this match")?;
    }
    browser.post("/umpire/plan/drop", &[("plan", id)]).await?.is(StatusCode::FORBIDDEN)?;
    assert_eq!(program.get(&at).await?.is(StatusCode::OK)?, made);
    ensure!(site.app.archive().list(&Filter::default(), None).await?.matches.is_empty(), "nothing was opened");
    account::set_role(pool, system, &OPERATOR, &vera, Role::Admin).await?;
    browser.post("/umpire/plan/drop", &[("plan", id)]).await?.is(StatusCode::OK)?;
    program.get(&at).await?.is(StatusCode::NOT_FOUND)?;
    Ok(())
}

#[tokio::test]
async fn an_umpire_reads_what_is_sent_only_where_that_was_chosen() -> Result<()> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    for looks in [true, false] {
        let new = json!({
            "ruleset": RULESET, "players": { "p1": "Ada", "p2": "Bo" }, "mode": "live", "looks": looks,
        });
        let opened = program.post("/api/v1/matches", &format!("open-{looks}"), &new).await?.is(StatusCode::CREATED)?;
        let at = slug(&opened)?;
        let seat = seated(&site, &program, &at, "p1").await?;
        assert_eq!(seat.get("/api/v1/seat").await?.json()?["umpire_looks"], looks);
        let line = json!({ "decision": "d1", "text": "score grow" });
        seat.post("/api/v1/seat/submissions", "one", &line).await?.is(StatusCode::CREATED)?;
        let received = program.get(&format!("{at}/received")).await?.is(StatusCode::OK)?;
        let of = &received["decisions"][0]["seats"][0];
        assert_eq!((&of["valid"], of["text"] == json!("score grow")), (&json!(true), looks), "{received}");
        assert_eq!(of["sent_at"].is_string(), looks);
    }
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
async fn seats_say_that_they_are_ready_and_the_umpire_is_told() -> Result<()> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    let at = slug(&program.opens("open", "live").await?)?;
    let (one, two) = (seated(&site, &program, &at, "p1").await?, seated(&site, &program, &at, "p2").await?);
    let path = format!("{at}/readiness");
    assert_eq!(program.get(&path).await?.is(StatusCode::OK)?, json!({ "p1": null, "p2": null }));
    let since = one.post("/api/v1/seat/ready", "ready", &json!({})).await?.is(StatusCode::OK)?;
    let read = program.get(&path).await?.is(StatusCode::OK)?;
    assert_eq!((&read["p1"], &read["p2"]), (&since["ready_at"], &Value::Null));
    assert_eq!(one.get("/api/v1/seat").await?.json()?["ready_at"], since["ready_at"]);
    assert_eq!(two.get("/api/v1/seat").await?.json()?["ready_at"], Value::Null);
    two.get(&path).await?.is(StatusCode::FORBIDDEN)?;
    Ok(())
}

#[tokio::test]
async fn a_seat_objects_and_the_umpire_answers_before_the_end() -> Result<()> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    let at = slug(&program.opens("open", "recorded").await?)?;
    // In a recorded match, the link shows the entered moves and accepts objections.
    let seat = seated(&site, &program, &at, "p2").await?;
    let moves = json!({ "decision": "d1", "moves": { "p1": "score grow", "p2": "claim" } });
    program.post(&format!("{at}/moves"), "r1", &moves).await?.is(StatusCode::OK)?;
    let objection = json!({ "step": 1, "text": "I sent grow." });
    let made = seat.post("/api/v1/seat/objections", "one", &objection).await?.is(StatusCode::OK)?;
    assert_eq!(seat.post("/api/v1/seat/objections", "one", &objection).await?.is(StatusCode::OK)?, made);
    seat.post("/api/v1/seat/objections", "two", &json!({ "step": 7, "text": "x" }))
        .await?
        .is(StatusCode::UNPROCESSABLE_ENTITY)?;
    let open = program.get(&format!("{at}/objections")).await?.is(StatusCode::OK)?;
    let one = &open["objections"][0];
    assert_eq!((&one["seat"], &one["stands"], &one["text"]), (&json!("p2"), &json!("claim"), &json!("I sent grow.")));
    let ruling = json!({ "head": made["head"], "text": "Bo resigned", "result": "p1" });
    let ruled = program.post(&format!("{at}/rulings"), "rule", &ruling).await?.is(StatusCode::OK)?;
    let end = json!({ "head": ruled["head"] });
    program.post(&format!("{at}/end"), "early", &end).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    let answer = json!({ "head": ruled["head"], "objection": one["entry"], "text": "The chat says claim." });
    let answered = program.post(&format!("{at}/objections/answers"), "answer", &answer).await?.is(StatusCode::OK)?;
    assert_eq!(program.get(&format!("{at}/objections")).await?.json()?, json!({ "objections": [] }));
    let own = seat.get("/api/v1/seat/objections").await?.is(StatusCode::OK)?;
    ensure!(own["objections"][0]["answered"].is_number(), "{own}");
    program.post(&format!("{at}/end"), "end", &json!({ "head": answered["head"] })).await?.is(StatusCode::OK)?;
    Ok(())
}

#[tokio::test]
async fn umpires_note_something_for_themselves() -> Result<()> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    let at = slug(&program.opens("open", "live").await?)?;
    let (notes, note) = (format!("{at}/private-notes"), json!({ "text": "Bo asked twice what Block does." }));
    program.post(&notes, "note", &note).await?.is(StatusCode::CREATED)?;
    program.post(&notes, "none", &json!({ "text": " " })).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    let listed = program.get(&notes).await?.is(StatusCode::OK)?;
    assert_eq!((listed["notes"].as_array().map(Vec::len), &listed["notes"][0]["text"]), (Some(1), &note["text"]));
    let seat = seated(&site, &program, &at, "p1").await?;
    seat.get(&notes).await?.is(StatusCode::FORBIDDEN)?;
    ensure!(!program.get(&at).await?.text.contains("asked twice"), "nobody else reads it");
    Ok(())
}

#[tokio::test]
async fn webhooks_are_made_rotated_tried_again_and_removed() -> Result<()> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    let new = json!({ "address": "https://example.com/hook", "kinds": ["match.opened", "match.ended"] });
    let made = program.post("/api/v1/webhooks", "make", &new).await?.is(StatusCode::CREATED)?;
    let secret = made["secret"].as_str().context("a secret")?;
    ensure!(secret.starts_with("whsec_"), "{made}");
    let at = format!("/api/v1/webhooks/{}", made["webhook"]["id"].as_str().context("an id")?);
    let read = program.get(&at).await?.is(StatusCode::OK)?;
    assert_eq!((&read["kinds"], read.get("secret")), (&new["kinds"], None));
    assert_eq!(program.get("/api/v1/webhooks").await?.json()?, json!({ "webhooks": [read] }));
    for wrong in ["example.com", "https://a:b@example.com/", "ftp://example.com/"] {
        program
            .post("/api/v1/webhooks", &form_key(wrong), &json!({ "address": wrong }))
            .await?
            .is(StatusCode::UNPROCESSABLE_ENTITY)?;
    }
    let none = json!({ "address": "https://example.com/hook", "kinds": [] });
    program.post("/api/v1/webhooks", "none", &none).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    // A new secret is shown once, and again to a client that lost the answer; the old one signs for another day.
    let rotated = program.post(&format!("{at}/secret"), "rotate", &json!({})).await?.is(StatusCode::OK)?;
    let again = program.post(&format!("{at}/secret"), "rotate", &json!({})).await?.is(StatusCode::OK)?;
    ensure!(rotated == again && rotated["secret"] != made["secret"], "{rotated} {again}");
    ensure!(rotated["webhook"]["old_secret_until"].is_string(), "{rotated}");
    let tried = program.post(&format!("{at}/tests"), "test", &json!({})).await?.is(StatusCode::OK)?;
    let message = tried["deliveries"][0]["message"].as_str().context("a message")?;
    let redeliver = format!("{at}/redeliveries");
    program.post(&redeliver, "again", &json!({ "message": message })).await?.is(StatusCode::OK)?;
    program.post(&redeliver, "none", &json!({ "message": "msg_0" })).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    let stopped = program.post(&format!("{at}/stop"), "stop", &json!({})).await?.is(StatusCode::OK)?;
    ensure!(stopped["stopped_at"].is_string(), "{stopped}");
    let started = program.post(&format!("{at}/start"), "start", &json!({})).await?.is(StatusCode::OK)?;
    ensure!(started["stopped_at"].is_null(), "{started}");
    assert_eq!(delete(&program, &at).await?, StatusCode::NO_CONTENT);
    program.get(&at).await?.is(StatusCode::NOT_FOUND)?;
    Ok(())
}

fn form_key(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
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

#[tokio::test]
async fn where_the_umpire_records_whole_rounds_no_move_is_typed_for_one_seat() -> Result<()> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    let at = slug(&program.opens("open", "recorded").await?)?;
    let typed = json!({ "decision": "d1", "seat": "p1", "text": "score" });
    let refused = program.post(&format!("{at}/typed"), "typed", &typed).await?;
    ensure!(refused.status.is_client_error() && refused.text.contains("closed"), "{}", refused.text);
    Ok(())
}
