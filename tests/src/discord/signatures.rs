//! Only what Discord signed just now is listened to: it sends wrong signatures on purpose, to see whether they pass.

use anyhow::Result;
use reqwest::StatusCode;
use serde_json::json;

use super::arena::{ADA, Arena, CHANNEL, slash, text};
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
