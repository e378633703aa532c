//! Details of an umpire's acts for programs: times, modes, and possible successors.

use anyhow::{Context, Result, ensure};
use app::account::{self, Scope};
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{Program, RULESET, slug};
use crate::site::Site;

#[tokio::test]
async fn a_time_is_read_in_one_way_wherever_one_is_sent() -> Result<()> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    let players = json!({ "p1": "Ada", "p2": "Bo" });
    for (n, time) in
        ["2099-01-02T20:30:59Z", "2099-01-02T20:30:00.5Z", "2099-01-02T20:30:00.000000Z"].iter().enumerate()
    {
        let plan = json!({ "starts_at": time, "match": { "ruleset": RULESET, "players": players } });
        let made = program.post("/api/v1/plans", &format!("plan-{n}"), &plan).await?.is(StatusCode::CREATED)?;
        assert_eq!(made["starts_at"], "2099-01-02T20:30:00Z", "{time}");
    }
    let at = slug(&program.opens("open", "recorded").await?)?;
    let opened = program.get(&at).await?.json()?;
    // At the same time as in the request, to the microsecond and with fewer decimals.
    let asked = opened["last_at"].as_str().context("a time")?.to_owned();
    site.app.system().pass(std::time::Duration::from_secs(5));
    let now = site.app.system().now().to_string();
    let seconds = format!("{}Z", now.split('.').next().context("seconds")?);
    ensure!(seconds > asked, "{seconds} is before {asked}");
    let moves =
        json!({ "decision": "d1", "moves": { "p1": "score", "p2": "grow" }, "sent_at": { "p1": seconds, "p2": now } });
    program.post(&format!("{at}/moves"), "r1", &moves).await?.is(StatusCode::OK)?;
    let live = slug(&program.opens("live", "live").await?)?;
    site.app.system().pass(std::time::Duration::from_secs(5));
    let tenth = format!("{}.0Z", site.app.system().now().to_string().split('.').next().context("seconds")?);
    let typed = json!({ "decision": "d1", "seat": "p1", "text": "score", "sent_at": tenth });
    program.post(&format!("{live}/typed"), "typed", &typed).await?.is(StatusCode::OK)?;

    for (n, wrong) in
        ["soon", "", "2099-01-02", "2099-01-02T20:30:00", "2099-01-02T22:30:00+02:00", "2099-01-02T20:30:00.1234567Z"]
            .into_iter()
            .enumerate()
    {
        let plan = json!({ "starts_at": wrong, "match": { "ruleset": RULESET, "players": players } });
        let mut moves = moves.clone();
        moves["decision"] = json!("d2");
        moves["sent_at"] = json!({ "p2": wrong });
        let mut typed = typed.clone();
        typed["sent_at"] = json!(wrong);
        for (place, field, body) in [
            ("/api/v1/plans".to_owned(), "starts_at", plan),
            (format!("{at}/moves"), "sent_at.p2", moves),
            (format!("{live}/typed"), "sent_at", typed),
        ] {
            let key = format!("{field}-{n}");
            let problem = program.post(&place, &key, &body).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
            let detail = problem["detail"].as_str().unwrap_or_default();
            ensure!(detail.contains(&format!("`{field}` is no time. Write it in UTC")), "{detail}");
        }
    }
    let read = program.get(&at).await?.json()?;
    assert_eq!(read["steps"].as_array().map(Vec::len), Some(1), "nothing of it was recorded");
    Ok(())
}

#[tokio::test]
async fn any_umpires_program_finds_to_whom_a_match_can_be_handed() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, reader) = (Program::of(&site, Scope::Umpire).await?, Program::of(&site, Scope::Read).await?);
    let (pool, system) = (site.app.pool(), site.app.system());
    let vera = account::add(pool, system, &account::OPERATOR, "Vera").await?;
    let gone = account::add(pool, system, &account::OPERATOR, "Gus").await?;
    account::set_closed(pool, system, &account::OPERATOR, &gone, true).await?;
    let opened = umpire.opens("open", "live").await?;
    let at = format!("{}/handover", slug(&opened)?);
    reader.get(&at).await?.is(StatusCode::FORBIDDEN)?;
    umpire.get("/api/v1/umpires").await?.is(StatusCode::FORBIDDEN)?;
    umpire.get("/api/v1/matches/0000000000/handover").await?.is(StatusCode::NOT_FOUND)?;
    let all = umpire.get(&at).await?.is(StatusCode::OK)?;
    // The list contains nothing else: not Ursula, who has the match, and no unneeded data.
    assert_eq!(all, json!({ "umpires": [{ "id": vera.id, "name": "Vera" }] }));
    let to = |id: &Value, head: &Value| json!({ "head": head, "to": id, "text": "My evening ends here." });
    let closed = to(&json!(gone.id), &opened["head"]);
    umpire.post(&at, "closed", &closed).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    umpire.post(&at, "hand", &to(&all["umpires"][0]["id"], &opened["head"])).await?.is(StatusCode::OK)?;
    let taken_back = umpire.get(&at).await?.is(StatusCode::OK)?;
    assert_eq!(taken_back["umpires"][0]["name"], "Ursula");
    let history = site.app.matches.history_of(opened["match"].as_str().context("a match")?).await?;
    assert_eq!(history.umpire_now().to_string(), format!("umpire:{}", vera.id));
    Ok(())
}
