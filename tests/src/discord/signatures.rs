//! Only requests that Discord signed just now are accepted: Discord sends wrong signatures on purpose, as a test.

use anyhow::{Context, Result};
use reqwest::StatusCode;
use serde_json::json;

use super::arena::{ADA, Arena, CHANNEL, UMPIRE, slash, text};
use super::stand_in::Spoil;

#[tokio::test]
async fn a_wrong_signature_is_answered_401_and_a_ping_with_a_pong() -> Result<()> {
    let arena = Arena::start("signatures").await?;
    let ping = json!({ "id": "1", "application_id": "2", "type": 1, "token": "x", "version": 1 }).to_string();
    let command = arena.discord.command(ADA, CHANNEL, arena.now(), slash("link", &[text("code", "x")]));
    for body in [ping.clone(), command.body.to_string(), "{}".to_owned(), String::new()] {
        for spoil in [Spoil::Signature, Spoil::Body, Spoil::Headers, Spoil::Old] {
            let answer = arena.discord.signed(&arena.address, arena.now(), &body, spoil).await?;
            assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{spoil:?}: {body}");
        }
    }
    let answer = arena.discord.signed(&arena.address, arena.now(), &ping, Spoil::Nothing).await?;
    assert_eq!((answer.status(), &answer.headers()["content-type"]), (StatusCode::OK, &"application/json".parse()?));
    assert_eq!(serde_json::from_str::<serde_json::Value>(&answer.text().await?)?, json!({ "type": 1 }));
    Ok(())
}

#[tokio::test]
async fn what_is_signed_and_no_interaction_is_refused_quietly() -> Result<()> {
    let arena = Arena::start("nonsense").await?;
    for body in ["", "{}", "[]", "null", "{\"type\":2}", "{\"type\":300}", "\u{0}"] {
        let answer = arena.discord.signed(&arena.address, arena.now(), body, Spoil::Nothing).await?;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{body}");
    }
    // An array of an object's fields, in the order of their declaration in this program, is refused: for a ping, and
    // also deeper inside a command.
    let command =
        arena.discord.command(UMPIRE, CHANNEL, arena.now(), slash("link", &[text("code", &arena.code().await?)]));
    let user = json!(["501", "user501", null, false]);
    let data =
        json!(["link", [["code", command.body["data"]["options"][0]["value"], null, false]], [{}, {}, {}], null]);
    let mut bodies = vec![json!([1]), json!([2]), json!(1), json!("1"), json!([{ "type": 1 }]), json!({ "type": [1] })];
    bodies.extend([json!({ "type": "1" }), json!({ "type": 1.5 }), json!({ "type": true }), json!({ "type": null })]);
    for (place, list) in [
        ("/data", data.clone()),
        ("/data/options/0", data[1][0].clone()),
        ("/member", json!([user])),
        ("/member/user", user.clone()),
        ("/channel", json!([0, null])),
    ] {
        let mut body = command.body.clone();
        *body.pointer_mut(place).context("a place")? = list;
        bodies.push(body);
    }
    for (resolved, list) in [("users", user), ("members", json!(["Ada"])), ("messages", json!(["1", "x", {}, null]))] {
        let mut body = command.body.clone();
        body["data"]["resolved"] = json!({ resolved: { "501": list } });
        bodies.push(body);
    }
    for body in bodies {
        let answer = arena.discord.signed(&arena.address, arena.now(), &body.to_string(), Spoil::Nothing).await?;
        let status = answer.status();
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}: {}", answer.text().await?);
    }
    // None of them had an effect: the code is still unused.
    arena.delivers(&command).await?.says("You are the umpire")?;
    let unknown = arena.gives(ADA, slash("dance", &[])).await?;
    unknown.says("no command any more")?;
    Ok(())
}

#[tokio::test]
async fn a_site_that_is_no_application_has_nothing_there() -> Result<()> {
    let arena = Arena::start("not set up").await?;
    let answer = arena.discord.signed(&arena.site.address, arena.now(), "{}", Spoil::Nothing).await?;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    arena.site.umpire().await?.get("/umpire/discord").await?.says("not set up for Discord yet")?;
    Ok(())
}
