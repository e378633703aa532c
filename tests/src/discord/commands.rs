//! The commands: registered within Discord's limits, and refused for users without permission.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::arena::{ADA, Arena, CHANNEL, UMPIRE, slash, text, umpires};
use super::stand_in::{APPLICATION, Mood, StandIn, TOKEN};
use crate::program::binary;

#[tokio::test]
async fn the_program_registers_its_commands() -> Result<()> {
    let discord = StandIn::start().await?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("token");
    std::fs::write(&file, format!("{TOKEN}\n"))?;
    discord.moods([Mood::Limited(200, false)]);
    let mut command = tokio::process::Command::new(binary()?);
    command.args(["discord", "register", "--discord-application-id", &APPLICATION.to_string()]);
    command.env("MATCHBOOK_DISCORD_API", &discord.address).env("MATCHBOOK_DISCORD_TOKEN_FILE", &file);
    let done = command.env("MATCHBOOK_LOG", "trace").output().await?;
    let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    ensure!(done.status.success() && said.contains("7 commands are registered"), "{said}");
    ensure!(!said.contains(TOKEN), "the token is told");
    discord.posts()?;
    let commands = discord.commands();
    let names: Vec<_> = commands.as_array().context("a list")?.iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["submit", "receipt", "state", "rules", "link", "match", "Record move"]);
    Ok(())
}

#[tokio::test]
async fn a_token_that_is_none_is_refused_before_anything_is_asked() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("token");
    std::fs::write(&file, "two words")?;
    let mut command = tokio::process::Command::new(binary()?);
    command.args(["discord", "register", "--discord-application-id", "7", "--discord-api", "http://127.0.0.1:1"]);
    let done = command.env("MATCHBOOK_DISCORD_TOKEN_FILE", &file).output().await?;
    let said = String::from_utf8_lossy(&done.stderr);
    ensure!(!done.status.success() && said.contains("holds no token") && !said.contains("two words"), "{said}");
    Ok(())
}

#[tokio::test]
async fn an_umpire_is_known_by_a_code_that_works_once() -> Result<()> {
    let arena = Arena::start("codes").await?;
    arena.gives(UMPIRE, umpires("resolve", &[])).await?.says("This is for umpires.")?;
    let code = arena.code().await?;
    arena.gives(UMPIRE, slash("link", &[text("code", "AAAA-BBBB-CCCC")])).await?.says("This opens nothing")?;
    let typed = code.to_lowercase().replace('-', " ");
    arena.gives(UMPIRE, slash("link", &[text("code", &typed)])).await?.says("You are the umpire Ursula here.")?;
    arena.gives(ADA, slash("link", &[text("code", &code)])).await?.says("This opens nothing")?;
    let taken_back = arena.code().await?;
    arena.umpire().await?.post("/umpire/discord", &[("what", "unlink")]).await?.says("No account at Discord")?;
    arena.gives(ADA, slash("link", &[text("code", &taken_back)])).await?.says("This opens nothing")?;
    let again = arena.code().await?;
    arena.gives(UMPIRE, slash("link", &[text("code", &again)])).await?.says("You are the umpire Ursula here.")?;
    let late = arena.code().await?;
    arena.passes(Duration::from_secs(601));
    arena.gives(ADA, slash("link", &[text("code", &late)])).await?.says("This opens nothing")?;
    let umpire = arena.umpire().await?;
    umpire.get("/umpire/discord").await?.says("One account at Discord acts as you.")?;
    umpire.post("/umpire/discord", &[("what", "unlink")]).await?.says("No account at Discord acts as you.")?;
    arena.gives(UMPIRE, umpires("resolve", &[])).await?.says("This is for umpires.")?;
    let stranger = arena.site.visitor()?;
    let page = web_page(&stranger, &arena.address).await?;
    assert_eq!(page, reqwest::StatusCode::UNAUTHORIZED);
    Ok(())
}

async fn web_page(guest: &crate::site::Guest, address: &str) -> Result<reqwest::StatusCode> {
    Ok(guest.http.get(format!("{address}/umpire/discord")).send().await?.status())
}

#[tokio::test]
async fn state_is_a_picture_with_its_words_and_rules_are_quoted() -> Result<()> {
    let (arena, id) = Arena::with_match("state", false).await?;
    let state = arena.gives(ADA, slash("state", &[])).await?;
    // Two links were made and followed since the first question.
    state.says("Ada")?.says(&arena.leaf(id, 5).await?)?;
    let alt = state.posted.payload["attachments"][0]["description"].as_str().context("an alternative text")?;
    ensure!(alt.contains("Ada") && state.posted.files[0].1.starts_with(b"\x89PNG"), "{alt}");
    let show = json!({ "type": 5, "name": "show", "value": true });
    ensure!(arena.gives(ADA, slash("state", &[show])).await?.open, "everybody is shown it");
    arena.gives(ADA, slash("rules", &[text("clause", "1.4")])).await?.says("1.4 **")?;
    arena.gives(ADA, slash("rules", &[text("clause", "99")])).await?.says("no clause 99")?;
    arena.gives(ADA, slash("rules", &[text("rules", "chess/blitz")])).await?.says("no such rules")?;
    arena.in_channel(ADA, 5, slash("rules", &[])).await?.says("follows no match")?;
    // Nobody can rule on a clause that does not exist.
    let ruling = [text("text", "x"), text("clause", "99.9")];
    arena.in_channel(UMPIRE, CHANNEL, umpires("rule", &ruling)).await?.says("no such clause")?;
    Ok(())
}
