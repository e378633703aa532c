//! Public data of players, tournaments and rulesets: the same as on their pages.

use anyhow::{Context, Result, ensure};
use app::account::Scope;
use reqwest::{Method, StatusCode};
use serde_json::json;

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

#[tokio::test]
async fn a_page_of_any_length_names_the_next_one_and_what_is_left_to_the_reader() -> Result<()> {
    let (_site, program) = archive().await?;
    let (mut at, mut found) = ("/api/v1/matches?event=autumn+cup&sort=newest&limit=1".to_owned(), Vec::new());
    loop {
        let answer = program.get(&at).await?;
        let header = |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let policy = header("ratelimit-policy").context("a policy")?;
        ensure!(policy.starts_with("\"program\";q=") && policy.contains(";w=10"), "{policy}");
        let left = header("ratelimit").context("what is left")?;
        ensure!(left.starts_with("\"program\";r=") && left.contains(";t="), "{left}");
        let link = header("link");
        let page = answer.is(StatusCode::OK)?;
        let matches = page["matches"].as_array().context("matches")?;
        assert_eq!((matches.len(), &page["total"]), (1, &json!(2)));
        found.extend(matches.iter().map(|listed| listed["match"].clone()));
        let Some(link) = link else {
            ensure!(page["next"].is_null(), "{page}");
            break;
        };
        at = link
            .strip_prefix('<')
            .and_then(|link| link.strip_suffix(">; rel=\"next\""))
            .context(link.clone())?
            .to_owned();
        ensure!(at.matches("limit=1").count() == 1 && at.matches("after=").count() == 1, "{at}");
    }
    found.dedup();
    assert_eq!(found.len(), 2);
    for wrong in ["0", "51", "x", ""] {
        program.get(&format!("/api/v1/matches?limit={wrong}")).await?.is(StatusCode::BAD_REQUEST)?;
    }
    Ok(())
}
