//! Practice, opened and run by programs: it works like a recorded match, is marked, is in no list, and can be deleted.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use app::account::{self, Scope};
use app::is_practice;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::conforms::{operations, sample};
use super::{Answer, Program, RULESET, slug};
use crate::play::table::Table;
use crate::practice::{lists, rows_of};
use crate::site::Site;

const GONE: &str = "in a practice match that was deleted since";

fn name(answer: &Value) -> Result<String> {
    Ok(answer["match"].as_str().context("a match")?.to_owned())
}

async fn delete(program: &Program, path: &str) -> Result<Answer> {
    program.send(Method::DELETE, path, None, "", String::new()).await
}

/// The programs of both seats.
async fn seated(site: &Site, umpire: &Program, at: &str) -> Result<[Program; 2]> {
    let seat = async |seat: &str| {
        let key = format!("{seat}{}", at.replace('/', "-"));
        let link =
            umpire.post(&format!("{at}/links"), &key, &json!({ "seat": seat })).await?.is(StatusCode::CREATED)?;
        Ok::<_, anyhow::Error>(Program::with(site, link["token"].as_str().context("a token")?.to_owned()))
    };
    Ok([seat("p1").await?, seat("p2").await?])
}

/// A match, the programs that send requests about it, and the number of answers.
struct Asked {
    umpire: Program,
    seat: Program,
    slug: String,
    n: usize,
}

impl Asked {
    async fn opened(site: &Site, umpire: &Program, mode: &str, turn: &str, practice: bool) -> Result<Self> {
        let key = format!("{mode}-{turn}-{practice}");
        let opened = if practice { umpire.practises(&key, mode).await? } else { umpire.opens(&key, mode).await? };
        assert_eq!(opened["practice"], practice);
        let [seat, _] = seated(site, umpire, &slug(&opened)?).await?;
        let umpire = Program::with(site, umpire.token.clone());
        Ok(Self { umpire, seat, slug: name(&opened)?, n: 0 })
    }

    /// The current head.
    async fn head(&self) -> Result<Value> {
        let at = format!("/api/v1/matches/{}/state", self.slug);
        Ok(self.umpire.get(&at).await?.is(StatusCode::OK)?["head"].take())
    }

    /// Calls an operation on the current head.
    async fn answers(&mut self, method: &Method, address: &str, key: bool, body: Option<&Value>) -> Result<Answer> {
        let program = if address.contains("/seat") { &self.seat } else { &self.umpire };
        let mut body = body.cloned();
        if let Some(head) = body.as_mut().and_then(|body| body.get_mut("head")) {
            *head = self.head().await?;
        }
        self.n += 1;
        let key = key.then(|| format!("{}-{}", self.slug, self.n));
        let kind = if body.is_some() { "application/json" } else { "" };
        let text = body.as_ref().map(Value::to_string).unwrap_or_default();
        program.send(method.clone(), address, key.as_deref(), kind, text).await
    }
}

#[tokio::test]
async fn every_operation_answers_about_practice_as_about_the_record() -> Result<()> {
    let site = Site::start().await?;
    let umpire = Program::of(&site, Scope::Umpire).await?;
    let document = umpire.get("/openapi.json").await?.json()?;
    let mut done = BTreeMap::new();
    // Also backwards: in one order a decision is closed before the operation that answers it, in the other after it.
    for (mode, turn) in [("live", "on"), ("live", "back"), ("recorded", "on"), ("recorded", "back")] {
        let mut record = Asked::opened(&site, &umpire, mode, turn, false).await?;
        let mut practice = Asked::opened(&site, &umpire, mode, turn, true).await?;
        let mut operations = operations(&document)?;
        if turn == "back" {
            operations.reverse();
        }
        for operation in operations {
            let of_match = operation.path.contains("{slug}") || operation.path.contains("/seat");
            if !of_match || operation.deletes() {
                continue;
            }
            let body = operation.body().map(|schema| sample(&document, schema));
            let mut answers = Vec::new();
            for asked in [&mut record, &mut practice] {
                let address = operation.address(&asked.slug);
                let answer = asked.answers(&operation.method, &address, operation.wants_key(), body.as_ref()).await?;
                operation.tells(&document, &answer)?;
                answers.push(answer);
            }
            let (of_record, of_practice) = (&answers[0], &answers[1]);
            let (method, path) = (&operation.method, &operation.path);
            assert_eq!(
                of_record.status, of_practice.status,
                "{method} {path}: {} {}",
                of_record.text, of_practice.text
            );
            if !of_practice.status.is_success() {
                continue;
            }
            done.insert(format!("{method} {path}"), ());
            if let (Ok(of_record), Ok(of_practice)) = (of_record.json(), of_practice.json()) {
                for (answer, practice) in [(&of_record, false), (&of_practice, true)] {
                    let says = [&answer["practice"], &answer["stands"]["practice"]];
                    ensure!(says.iter().all(|said| said.is_null() || **said == practice), "{path}: {answer}");
                    // Every answer with the state of a match also marks it as practice.
                    ensure!(answer.get("head").is_none() || answer["practice"] == practice, "{path}: {answer}");
                }
            }
        }
    }
    ensure!(done.len() >= 25, "{:?}", done.keys());
    Ok(())
}

#[tokio::test]
async fn programs_play_it_to_its_end_and_nothing_that_lists_the_record_knows_it() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (Program::of(&site, Scope::Umpire).await?, site.visitor()?);
    let official = umpire.opens("official", "recorded").await?;
    let moves = json!({ "decision": "d1", "moves": { "p1": "grow", "p2": "claim" } });
    umpire.post(&format!("{}/moves", slug(&official)?), "r1", &moves).await?.is(StatusCode::OK)?;
    let history = site.app.matches.history_of(&name(&official)?).await?;
    site.app.public_log.placed(history.match_id, &[ledger::Seq(history.head.next.0 - 1)]).await?;
    site.app.index.follow().await?;
    let before = lists(&anybody).await?;
    let listed = umpire.get("/api/v1/matches").await?.text;

    tokio::spawn(site.app.deadlines.clone().run());
    let opened = opened(&umpire).await?;
    played_to_its_end(&site, &umpire, &opened).await?;
    let at = slug(&opened)?;
    for path in ["", "/state"] {
        let read = anybody.http.get(format!("{}{at}{path}", site.address)).send().await?;
        assert_eq!(read.headers()["x-robots-tag"], "noindex", "{path}");
        assert_eq!(serde_json::from_str::<Value>(&read.text().await?)?["practice"], true, "{path}");
    }
    let read = anybody.get(&format!("/m/{}.json", name(&opened)?)).await?;
    read.says("\"practice\":true")?.says("Rehearsal")?;

    site.app.index.follow().await?;
    site.app.index.follow().await?;
    assert_eq!(lists(&anybody).await?, before);
    assert_eq!(umpire.get("/api/v1/matches").await?.text, listed);
    Ok(())
}

/// A practice match, opened twice with one key, which then belongs to no match of the record.
async fn opened(umpire: &Program) -> Result<Value> {
    let new = json!({
        "ruleset": RULESET, "players": { "p1": "Ada", "p2": "Bo" }, "mode": "live", "clocks": "at-once",
        "event": "Rehearsal", "practice": true,
    });
    let opened = umpire.post("/api/v1/matches", "practice", &new).await?;
    let place = opened.headers.get("location").and_then(|place| place.to_str().ok()).unwrap_or_default().to_owned();
    let opened = opened.is(StatusCode::CREATED)?;
    let at = slug(&opened)?;
    assert_eq!((&opened["practice"], place.as_str()), (&json!(true), at.as_str()));
    ensure!(is_practice(&name(&opened)?), "its short name says so");
    let again = umpire.post("/api/v1/matches", "practice", &new).await?.is(StatusCode::CREATED)?;
    assert_eq!(opened, again);
    let mut official = new.clone();
    official["practice"] = json!(false);
    umpire.post("/api/v1/matches", "practice", &official).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    Ok(opened)
}

/// Plays a practice match by programs: clocks, submissions, a close, a dry run of a strike, a ruling, and the end.
async fn played_to_its_end(site: &Site, umpire: &Program, opened: &Value) -> Result<()> {
    let at = slug(opened)?;
    let [one, two] = seated(site, umpire, &at).await?;
    let seat = one.get("/api/v1/seat").await?.is(StatusCode::OK)?;
    assert_eq!((&seat["practice"], &seat["match"]), (&json!(true), &opened["match"]));
    let mut head = opened["head"].clone();
    for (act, mut body) in [
        ("run", json!({})),
        ("pause", json!({ "reason": "A question" })),
        ("run", json!({})),
        ("extend", json!({ "decision": "d1", "seconds": 5, "reason": "The question" })),
    ] {
        body["head"] = head;
        let key = format!("{act}-{}", body["head"]["entries"]);
        head = umpire.post(&format!("{at}/clock/{act}"), &key, &body).await?.is(StatusCode::OK)?["head"].take();
    }
    let line = json!({ "decision": "d1", "text": "score grow" });
    let receipt = one.post("/api/v1/seat/submissions", "one", &line).await?.is(StatusCode::CREATED)?;
    ensure!(receipt["text"].to_string().contains("/practice"), "a receipt of practice names its log: {receipt}");
    two.post("/api/v1/seat/submissions", "one", &json!({ "decision": "d1", "text": "claim" }))
        .await?
        .is(StatusCode::CREATED)?;
    let closed = umpire.post(&format!("{at}/close"), "close", &json!({ "decision": "d1" })).await?;
    let closed = closed.is(StatusCode::OK)?;
    assert_eq!((&closed["steps"], &closed["practice"]), (&json!(1), &json!(true)));
    let strike = json!({ "head": closed["head"], "from": 1, "dry_run": true });
    let dry = umpire.post(&format!("{at}/strikes"), "try", &strike).await?.is(StatusCode::OK)?;
    assert_eq!((&dry["done"], dry["steps"].as_array().map(Vec::len)), (&json!(false), Some(1)));
    let ruling = json!({ "head": closed["head"], "text": "Both have seen enough.", "result": "undecided" });
    let ruled = umpire.post(&format!("{at}/rulings"), "rule", &ruling).await?.is(StatusCode::OK)?;
    let ended = umpire.post(&format!("{at}/end"), "end", &json!({ "head": ruled["head"] })).await?;
    assert_eq!(ended.is(StatusCode::OK)?["result"]["entered"], true);
    Ok(())
}

#[tokio::test]
async fn what_a_program_sent_in_time_is_waited_for_before_it_is_known_which_match_it_is_for() -> Result<()> {
    let site = Site::seeded("practice").await?;
    let table = Table::set(site, RULESET, true, &["p1", "p2"], &[("practice", "on")]).await?;
    let (app, history) = (&table.site.app, table.history().await?);
    let decision = &history.open.first().context("an open decision")?.asked.decision;
    let underway = table.site.app.arrivals.note_for_any_match(table.site.app.system().now());
    table.passes(table.open_clock().await? + 2);
    app.recorder.close_due(history.match_id, decision).await?;
    ensure!(table.history().await?.steps.is_empty(), "it waits");
    drop(underway);
    app.recorder.close_due(history.match_id, decision).await?;
    assert_eq!(table.history().await?.steps.len(), 1);
    Ok(())
}

#[tokio::test]
async fn whoever_runs_it_deletes_it_with_all_that_was_answered_and_the_record_stays() -> Result<()> {
    let site = Site::start().await?;
    let umpire = Program::of(&site, Scope::Umpire).await?;
    let (pool, system) = (site.app.pool(), site.app.system());
    let otto = account::add(pool, system, &account::OPERATOR, "Otto").await?;
    let (token, _) =
        account::make_token(pool, system, &account::OPERATOR, &otto, "a test", Scope::Umpire, None).await?;
    let other = Program::with(&site, account::reveal_token(&token));
    let reader = Program::of(&site, Scope::Read).await?;
    let official = umpire.opens("official", "live").await?;
    let opened = umpire.practises("practice", "live").await?;
    let at = slug(&opened)?;
    let [one, _] = seated(&site, &umpire, &at).await?;
    let line = json!({ "decision": "d1", "text": "score grow" });
    one.post("/api/v1/seat/submissions", "one", &line).await?.is(StatusCode::CREATED)?;
    // The first use of a link that is no submission is entered.
    one.get("/api/v1/seat").await?.is(StatusCode::OK)?;
    let note = json!({ "text": "Bo hesitates." });
    umpire.post(&format!("{at}/private-notes"), "note", &note).await?.is(StatusCode::CREATED)?;
    let id = site.app.matches.match_of(&name(&opened)?).await?;
    let mut owner = site.owner().await?;
    let kept = rows_of(&mut owner, id).await?;
    // The opening, two links, a submission and a note.
    assert_eq!(kept.get("api_answers"), Some(&5), "{kept:?}");

    let refused = delete(&umpire, &slug(&official)?).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    ensure!(refused["detail"].to_string().contains("what is there stays"), "{refused}");
    umpire.get(&slug(&official)?).await?.is(StatusCode::OK)?;
    let refused = delete(&other, &at).await?.is(StatusCode::FORBIDDEN)?;
    ensure!(refused["detail"].to_string().contains("is another umpire"), "{refused}");
    for nobody in [&reader, &one] {
        delete(nobody, &at).await?.is(StatusCode::FORBIDDEN)?;
    }
    delete(&Program::with(&site, "mb_nobody".to_owned()), &at).await?.is(StatusCode::UNAUTHORIZED)?;
    assert_eq!(rows_of(&mut owner, id).await?, kept);

    let gone = delete(&umpire, &at).await?;
    assert_eq!((gone.status, gone.text.as_str()), (StatusCode::NO_CONTENT, ""));
    assert_eq!(rows_of(&mut owner, id).await?, BTreeMap::new());
    for path in ["", "/state", "/entries", "/links"] {
        umpire.get(&format!("{at}{path}")).await?.is(StatusCode::NOT_FOUND)?;
    }
    one.get("/api/v1/seat").await?.is(StatusCode::UNAUTHORIZED)?;
    delete(&umpire, &at).await?.is(StatusCode::NOT_FOUND)?;
    // The answer is no longer stored. The fact that it was done is, so that it is not done again.
    let answers: Vec<Vec<u8>> =
        sqlx::query_scalar("select answer from api_answers order by at").fetch_all(&mut owner).await?;
    assert_eq!(answers.iter().filter(|answer| answer.is_empty()).count(), 5);
    let noted = umpire.post(&format!("{at}/private-notes"), "note", &note).await?.is(StatusCode::NOT_FOUND)?;
    ensure!(noted["detail"].to_string().contains(GONE), "{noted}");
    let players = json!({ "p1": "Ada", "p2": "Bo" });
    let new = json!({ "ruleset": RULESET, "players": players, "mode": "live", "event": "Rehearsal", "practice": true });
    let reopened = umpire.post("/api/v1/matches", "practice", &new).await?.is(StatusCode::NOT_FOUND)?;
    ensure!(reopened["detail"].to_string().contains(GONE), "{reopened}");
    Ok(())
}
