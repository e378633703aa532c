//! Public data of players, tournaments and rulesets: the same as on their pages.

use anyhow::{Context, Result, ensure};
use app::account::Scope;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::conforms::operations;
use super::{Program, RULESET, slug};
use crate::site::Site;

/// Records a match of one round that ends with this ruling; without one it is left running.
async fn plays(program: &Program, key: &str, players: [&str; 2], event: &str, result: Option<&str>) -> Result<()> {
    let [p1, p2] = players;
    let new = json!({ "ruleset": RULESET, "players": { "p1": p1, "p2": p2 }, "event": event });
    let at = slug(&program.post("/api/v1/matches", &format!("open-{key}"), &new).await?.is(StatusCode::CREATED)?)?;
    let moves = json!({ "decision": "d1", "moves": { "p1": "score grow", "p2": "claim" } });
    let recorded = program.post(&format!("{at}/moves"), &format!("moves-{key}"), &moves).await?.is(StatusCode::OK)?;
    let Some(result) = result else { return Ok(()) };
    let ruling = json!({ "head": recorded["head"], "text": "It ends here", "result": result });
    let ruled = program.post(&format!("{at}/rulings"), &format!("rule-{key}"), &ruling).await?.is(StatusCode::OK)?;
    let end = json!({ "head": ruled["head"] });
    program.post(&format!("{at}/end"), &format!("end-{key}"), &end).await?.is(StatusCode::OK)?;
    Ok(())
}

/// A site on which Ada has won twice and lost once against Bo, and plays Cy; and a client without a token.
async fn archive() -> Result<(Site, Program)> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    plays(&program, "1", ["Ada", "Bo"], "Spring Cup", Some("p1")).await?;
    plays(&program, "2", ["Bo", "\u{c1}da"], "Spring Cup", Some("p2")).await?;
    plays(&program, "3", ["Ada", "Bo"], "Autumn Cup", Some("p2")).await?;
    plays(&program, "4", ["Cy", "Ada"], "Autumn Cup", None).await?;
    while app::statistics::count_some(&site.app).await? > 0 {}
    Ok((site, program))
}

#[tokio::test]
async fn a_player_is_read_with_results_opponents_and_habits() -> Result<()> {
    let (_site, program) = archive().await?;
    let list = program.get("/api/v1/players").await?.is(StatusCode::OK)?;
    let keys: Vec<&str> =
        list["players"].as_array().into_iter().flatten().filter_map(|it| it["key"].as_str()).collect();
    assert_eq!((keys.as_slice(), &list["next"]), (["ada", "bo", "cy"].as_slice(), &Value::Null));
    assert_eq!(list["players"][0]["matches"], json!({ "counted": 4, "more": false }));
    let some = program.get("/api/v1/players?q=B").await?.is(StatusCode::OK)?;
    assert_eq!((some["players"].as_array().map(Vec::len), &some["players"][0]["name"]), (Some(1), &json!("Bo")));
    let rest = program.get("/api/v1/players?after=ada").await?.is(StatusCode::OK)?;
    assert_eq!(rest["players"][0]["key"], "bo");

    let ada = program.get("/api/v1/players/ADA").await?.is(StatusCode::OK)?;
    assert_eq!(ada["total"], json!({ "won": 2, "lost": 1, "other": 0, "void": 0, "running": 1 }));
    let record = |seat: &str, won: u8, lost: u8, running: u8| json!({ "ruleset": RULESET, "seat": seat, "dmo": null, "won": won, "lost": lost, "other": 0, "void": 0, "running": running });
    assert_eq!(ada["records"], json!([record("p1", 1, 1, 0), record("p2", 1, 0, 1)]));
    assert_eq!(ada["opponents"][0], json!({ "key": "bo", "name": "Bo", "matches": 3 }));
    let habit = &ada["habits"][0];
    assert_eq!((&habit["what"], &habit["n"]), (&json!("round"), &json!(3)));
    assert_eq!(habit["kinds"][0], json!({ "sent": "score grow", "says": "Score and Grow", "n": 2 }));

    let both = program.get("/api/v1/players/bo/vs/ada").await?.is(StatusCode::OK)?;
    assert_eq!(both["total"], json!({ "won": 1, "lost": 2, "other": 0, "void": 0, "running": 0 }));
    assert_eq!((&both["player"]["name"], &both["against"]["key"]), (&json!("Bo"), &json!("ada")));
    let strangers = program.get("/api/v1/players/bo/vs/cy").await?.is(StatusCode::OK)?;
    assert_eq!(strangers["records"], json!([]));
    for nobody in [
        "/api/v1/players/nobody",
        "/api/v1/players/ada/vs/nobody",
        "/api/v1/players/ada/vs/ADA",
        "/api/v1/players/%00",
        "/api/v1/players/a%2Fb",
    ] {
        program.get(nobody).await?.is(StatusCode::NOT_FOUND)?;
    }
    let long = "a".repeat(201);
    for wrong in ["before=bo", &format!("q={long}"), &format!("after={long}")] {
        program.get(&format!("/api/v1/players?{wrong}")).await?.is(StatusCode::BAD_REQUEST)?;
    }
    program.get(&format!("/api/v1/events?after={long}")).await?.is(StatusCode::BAD_REQUEST)?;
    Ok(())
}

#[tokio::test]
async fn a_void_match_is_counted_apart_and_is_in_no_standings() -> Result<()> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    for (key, result) in [("1", "p1"), ("2", "undecided"), ("3", "void")] {
        plays(&program, key, ["Ada", "Bo"], "Spring Cup", Some(result)).await?;
    }
    while app::statistics::count_some(&site.app).await? > 0 {}
    let score = json!({ "won": 1, "lost": 0, "other": 1, "void": 1, "running": 0 });
    let ada = program.get("/api/v1/players/ada").await?.is(StatusCode::OK)?;
    assert_eq!((&ada["total"], &ada["records"][0]["void"]), (&score, &json!(1)));
    let both = program.get("/api/v1/players/ada/vs/bo").await?.is(StatusCode::OK)?;
    assert_eq!(both["total"], score);
    let cup = program.get("/api/v1/events/spring%20cup").await?.is(StatusCode::OK)?;
    let first = json!({ "place": 1, "key": "ada", "name": "Ada", "won": 1, "lost": 0, "other": 1, "running": 0 });
    assert_eq!(cup["standings"][0], first);
    Ok(())
}

#[tokio::test]
async fn a_tournament_is_read_with_standings_and_matches() -> Result<()> {
    let (_site, program) = archive().await?;
    let list = program.get("/api/v1/events").await?.is(StatusCode::OK)?;
    assert_eq!((&list["events"][0]["key"], &list["events"][1]["name"]), (&json!("autumn cup"), &json!("Spring Cup")));
    let cup = program.get("/api/v1/events/spring%20CUP").await?.is(StatusCode::OK)?;
    assert_eq!(cup["event"], list["events"][1]);
    assert_eq!(cup["rulesets"], json!([{ "ruleset": RULESET, "matches": 2 }]));
    let stands = |of: &Value| (of["place"].clone(), of["key"].clone(), of["won"].clone(), of["lost"].clone());
    assert_eq!(stands(&cup["standings"][0]), (json!(1), json!("ada"), json!(2), json!(0)));
    assert_eq!(stands(&cup["standings"][1]), (json!(2), json!("bo"), json!(0), json!(2)));
    let matches = program.get("/api/v1/matches?event=spring%20cup").await?.is(StatusCode::OK)?;
    assert_eq!((&cup["matches"], &cup["next"]), (&matches["matches"], &matches["next"]));
    for none in ["/api/v1/events/winter", "/api/v1/events/%00"] {
        program.get(none).await?.is(StatusCode::NOT_FOUND)?;
    }
    Ok(())
}

#[tokio::test]
async fn a_ruleset_is_read_alone_and_with_what_its_matches_add_up_to() -> Result<()> {
    let (_site, program) = archive().await?;
    let all = program.get("/api/v1/rulesets").await?.is(StatusCode::OK)?;
    let listed = all["rulesets"].as_array().into_iter().flatten().find(|ruleset| ruleset["id"] == RULESET);
    let at = format!("/api/v1/rulesets/{RULESET}");
    assert_eq!(Some(&program.get(&at).await?.is(StatusCode::OK)?), listed);
    let told = program.get(&format!("{at}/statistics")).await?.is(StatusCode::OK)?;
    assert_eq!((&told["ruleset"], &told["n"]), (&json!(RULESET), &json!(3)), "one still runs");
    assert_eq!(
        (&told["results"]["p1"], &told["results"]["p2"], &told["results"]["with_dmo"]),
        (&json!(1), &json!(2), &json!(0))
    );
    assert_eq!((&told["endings"][0]["reason"], &told["endings"][0]["n"]), (&json!("umpire"), &json!(3)));
    assert_eq!(told["lengths"], json!([{ "rounds": 1, "n": 3 }]));
    let question = &told["questions"][0];
    assert_eq!((&question["what"], &question["n"], &question["level"]), (&json!("round"), &json!(6), &json!(6)));
    let kind = json!({
        "sent": "claim", "says": "Claim", "n": 3, "behind": 0, "level": 3, "ahead": 0, "by_five_rounds": [3],
    });
    ensure!(question["kinds"].as_array().is_some_and(|kinds| kinds.contains(&kind)), "{question}");
    let pair = &told["pairs"][0];
    assert_eq!((&pair["p1"], &pair["p2"], &pair["n"]), (&json!("score grow"), &json!("claim"), &json!(3)));
    assert_eq!((&pair["won_p1"], &pair["won_p2"]), (&json!(1), &json!(2)));
    for none in ["/api/v1/rulesets/chess/classic", "/api/v1/rulesets/chess/classic/statistics"] {
        program.get(none).await?.is(StatusCode::NOT_FOUND)?;
    }
    Ok(())
}

#[tokio::test]
async fn what_is_read_is_what_the_document_tells_and_is_asked_about_again_for_nothing() -> Result<()> {
    let (site, program) = archive().await?;
    let document = program.get("/openapi.json").await?.json()?;
    let http = reqwest::Client::new();
    let mut read = 0;
    for operation in operations(&document)?.into_iter().filter(|operation| operation.method == Method::GET) {
        let path = operation.address("").replace("/events/cup", "/events/spring%20cup");
        let of = ["/players", "/events", "/rulesets"].iter().any(|of| path.starts_with(&format!("/api/v1{of}")));
        if !of {
            continue;
        }
        read += 1;
        let answer = program.get(&path).await?;
        operation.tells(&document, &answer)?;
        let tag = answer.headers.get("etag").with_context(|| format!("{path} has no tag"))?.clone();
        answer.is(StatusCode::OK).with_context(|| path.clone())?;
        // No token is needed.
        let again = http.get(format!("{}{path}", site.address)).header("if-none-match", tag).send().await?;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{path}");
    }
    assert_eq!(read, 8);
    Ok(())
}
