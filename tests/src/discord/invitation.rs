//! Invitations: each named account gets the link to its own seat alone, and says that it is ready.

use anyhow::{Context, Result, ensure};
use engine::Seat;
use ledger::Kind;
use serde_json::{Value, json};

use super::arena::{ADA, Arena, BO, CHANNEL, RULESET, Read, STRANGER, UMPIRE, text, umpires, who};

impl Arena {
    /// A live match that was opened on the site: its short name, and the console.
    async fn opened_on_the_site(&self) -> Result<(String, String)> {
        let umpire = self.umpire().await?;
        let fields = [("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo"), ("live", "on")];
        let console = umpire.opens(&fields).await?.address;
        Ok((console.trim_start_matches("/umpire/m/").to_owned(), console))
    }

    async fn invites(&self, slug: &str) -> Result<Value> {
        let options = [who("first", ADA), who("second", BO), text("match", slug)];
        let read = self.in_channel(UMPIRE, CHANNEL, umpires("invite", &options)).await?;
        ensure!(read.open && read.posted.content.contains("Press **My link**"), "{}", read.posted.content);
        ensure!(!read.posted.content.contains("/play/"), "everybody reads a link: {}", read.posted.content);
        Ok(read.posted.payload)
    }

    /// Presses a button by its id.
    async fn presses(&self, user: i64, id: &str) -> Result<Read> {
        let data = json!({ "custom_id": id, "component_type": 2 });
        let mut command = self.discord.command(user, CHANNEL, self.now(), data);
        command.body["type"] = json!(3);
        self.delivers(&command).await
    }
}

/// The id of a post's button.
fn button(post: &Value, label: &str) -> Result<String> {
    let buttons = post["components"][0]["components"].as_array().context("a row of buttons")?;
    let found = buttons.iter().find(|button| button["label"] == label).context("the button")?;
    Ok(found["custom_id"].as_str().context("an id")?.to_owned())
}

/// The private link in an answer.
fn link(read: &Read) -> Result<String> {
    let (_, rest) = read.posted.content.split_once("/play/").context("a link")?;
    Ok(format!("/play/{}", rest.split('>').next().unwrap_or_default()))
}

#[tokio::test]
async fn each_named_account_gets_its_own_link_and_nobody_elses() -> Result<()> {
    let arena = Arena::with_umpire("invitations").await?;
    let (slug, console) = arena.opened_on_the_site().await?;
    let post = arena.invites(&slug).await?;
    assert_eq!(post["allowed_mentions"]["users"], json!([ADA.to_string(), BO.to_string()]));
    let asks = button(&post, "My link")?;
    for other in [STRANGER, UMPIRE] {
        arena.presses(other, &asks).await?.says("This is for the players of the match.")?;
    }
    // A button that somebody made up names other accounts, or another command, and leads to no link.
    let made_up = asks.strip_suffix(&format!("/{ADA}/{BO}")).context("both accounts")?;
    for (user, p1, p2) in [(STRANGER, STRANGER, BO), (STRANGER, ADA, STRANGER), (ADA, BO, ADA)] {
        arena.presses(user, &format!("{made_up}/{p1}/{p2}")).await?.says("Your link is not valid any more.")?;
    }
    for nonsense in ["", "link", "link/", "other/x", "link/x/1/2/3"] {
        let read = arena.presses(ADA, nonsense).await?;
        ensure!(!read.open && !read.posted.content.contains("/play/"), "{nonsense}: {}", read.posted.content);
    }
    // The same press again gives the same link. Each opens its own seat.
    let ada = arena.presses(ADA, &asks).await?;
    ada.says("You play as Ada against Bo.")?;
    assert_eq!(link(&ada)?, link(&arena.presses(ADA, &asks).await?)?);
    let bo = arena.presses(BO, &asks).await?;
    bo.says("You play as Bo against Ada.")?;
    for (read, seat) in [(&ada, "p1"), (&bo, "p2")] {
        let guest = arena.site.visitor()?;
        let sat = guest.read(guest.http.post(format!("{}{}", guest.address, link(read)?)).send().await?).await?;
        assert_eq!(sat.address, format!("/play/m/{slug}/{seat}"));
    }
    // The record tells that each link was made, taken at Discord, and opened in a browser.
    let id = arena.site.app.matches.match_of(&slug).await?;
    let entries = arena.site.app.logs.record().match_entries(id).await?;
    let kinds = entries.iter().filter_map(|stored| ledger::Entry::read(&stored.bytes).ok()).map(|entry| entry.kind);
    assert_eq!(kinds.filter(|kind| *kind == Kind::Linked).count(), 6);
    // A revoked link is given to nobody any more.
    let umpire = arena.umpire().await?;
    let links = format!("{console}/links");
    for name in umpire.get(&links).await?.attributes("[name=revoke]", "value")? {
        umpire.post(&links, &[("revoke", &name)]).await?;
    }
    arena.presses(ADA, &asks).await?.says("Ask the umpire for a new invitation.")?;
    Ok(())
}

#[tokio::test]
async fn who_is_ready_shows_on_the_console_alone() -> Result<()> {
    let arena = Arena::with_umpire("ready at discord").await?;
    let (slug, console) = arena.opened_on_the_site().await?;
    let post = arena.invites(&slug).await?;
    let ready = button(&post, "I am ready")?;
    arena.presses(STRANGER, &ready).await?.says("This is for the players of the match.")?;
    arena.presses(ADA, &ready).await?.says("You are ready, and the umpire sees it.")?;
    let umpire = arena.umpire().await?;
    umpire.get(&console).await?.says("here, ready since")?.says("link not opened yet")?;
    // Asked once more, of whoever has a seat at Discord.
    arena.presses(BO, &button(&post, "My link")?).await?.says("You play as Bo")?;
    let asked = arena.in_channel(UMPIRE, CHANNEL, umpires("ready", &[text("match", &slug)])).await?;
    ensure!(asked.open && asked.posted.content.contains("Both ready?"), "{}", asked.posted.content);
    let ready = button(&asked.posted.payload, "I am ready")?;
    arena.presses(STRANGER, &ready).await?.says("This is for the players of the match.")?;
    arena.presses(BO, &ready).await?.says("You are ready")?;
    umpire.get(&console).await?.says("here, ready since")?;
    let times = arena.site.app.seats.ready_times(arena.site.app.matches.match_of(&slug).await?).await?;
    ensure!(times[Seat::P1].is_some() && times[Seat::P2].is_some());
    // Once something was played nobody is asked.
    for (user, notation) in [(ADA, "grow"), (BO, "claim")] {
        let _ = arena.presses(user, &button(&post, "My link")?).await?;
        arena.submits(user, notation).await?.says("move received.")?;
    }
    arena.in_channel(UMPIRE, CHANNEL, umpires("resolve", &[text("match", &slug)])).await?.says("Closed.")?;
    arena.presses(BO, &ready).await?.says("The match has begun")?;
    Ok(())
}
