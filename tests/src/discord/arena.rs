//! A site that is an application at Discord, with an umpire and two players who have accounts there.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};
use ledger::{MatchId, Moment};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use web::discord::Discord;
use web::routes::DiscordApps;

use super::stand_in::{Command, Posted, StandIn, account};
use crate::page::Page;
use crate::site::{Guest, Site, routes, serve};

pub(crate) const UMPIRE: i64 = 501;
pub(crate) const ADA: i64 = 601;
pub(crate) const BO: i64 = 602;
pub(crate) const STRANGER: i64 = 666;
pub(crate) const CHANNEL: i64 = 701;
/// A ruleset without a DMO or draws.
pub(crate) const RULESET: &str = "five-card-trick/dm-colosseum-2";

/// The site and Discord.
pub(crate) struct Arena {
    pub(crate) site: Site,
    pub(crate) discord: StandIn,
    pub(crate) application: Arc<Discord>,
    /// The address at which it serves as that application.
    pub(crate) address: String,
    pub(crate) posting: JoinHandle<()>,
}

/// A message that somebody read, and its visibility to others.
pub(crate) struct Read {
    pub(crate) posted: Posted,
    pub(crate) open: bool,
}

/// An option of text.
pub(crate) fn text(name: &str, value: &str) -> Value {
    json!({ "type": 3, "name": name, "value": value })
}

/// An option that is an account.
pub(crate) fn who(name: &str, user: i64) -> Value {
    json!({ "type": 6, "name": name, "value": user.to_string() })
}

/// A command with its options.
pub(crate) fn slash(name: &str, options: &[Value]) -> Value {
    json!({ "id": "1", "type": 1, "name": name, "options": options })
}

/// `/match` with a subcommand.
pub(crate) fn umpires(sub: &str, options: &[Value]) -> Value {
    let mut data = slash("match", &[json!({ "type": 1, "name": sub, "options": options })]);
    let users = [ADA, BO, STRANGER].map(|user| (user.to_string(), account(user)));
    data["resolved"] = json!({
        "users": users.into_iter().collect::<serde_json::Map<_, _>>(),
        "members": { ADA.to_string(): { "nick": "Ada" } },
    });
    data
}

impl Arena {
    pub(crate) async fn start(seed: &str) -> Result<Self> {
        Self::on(Site::seeded(seed).await?).await
    }

    pub(crate) async fn on(site: Site) -> Result<Self> {
        let discord = StandIn::start().await?;
        let application = discord.application()?;
        let discord_apps = DiscordApps { commands: Some(application.clone()), sign_in: None };
        let (address, _) = serve(routes(&site.app, discord_apps)).await?;
        let posting = tokio::spawn(app::discord::post(site.app.clone(), application.rest().clone()));
        Ok(Self { site, discord, application, address, posting })
    }

    /// With an umpire who has linked an account at Discord.
    pub(crate) async fn with_umpire(seed: &str) -> Result<Self> {
        let arena = Self::start(seed).await?;
        arena.knows_the_umpire().await?;
        Ok(arena)
    }

    pub(crate) async fn knows_the_umpire(&self) -> Result<()> {
        let code = self.code().await?;
        self.gives(UMPIRE, slash("link", &[text("code", &code)])).await?.says("You are the umpire")?;
        Ok(())
    }

    /// With a match between Ada and Bo.
    pub(crate) async fn with_match(seed: &str, clocks: bool) -> Result<(Self, MatchId)> {
        let arena = Self::with_umpire(seed).await?;
        let id = arena.opens(CHANNEL, clocks).await?;
        Ok((arena, id))
    }

    pub(crate) async fn opens(&self, channel: i64, clocks: bool) -> Result<MatchId> {
        let mut options = vec![text("rules", RULESET), who("first", ADA), who("second", BO)];
        options.extend(clocks.then(|| text("clocks", "at-once")));
        let read = self.in_channel(UMPIRE, channel, umpires("open", &options)).await?;
        let slug = read.says("Both can")?.posted.content.split("/umpire/m/").nth(1).unwrap_or_default();
        Ok(self.site.app.matches.match_of(slug.trim_end_matches('>')).await?)
    }

    /// The umpire, signed in on the site.
    pub(crate) async fn umpire(&self) -> Result<Guest> {
        let guest = self.site.umpire().await?;
        Ok(Guest { http: guest.http, address: self.address.clone() })
    }

    /// A code for the umpire.
    pub(crate) async fn code(&self) -> Result<String> {
        let page: Page = self.umpire().await?.post("/umpire/discord", &[("what", "code")]).await?;
        Ok(page.content("#code")?.replace("/link code:", ""))
    }

    pub(crate) fn now(&self) -> Moment {
        self.site.app.system().now()
    }

    pub(crate) fn passes(&self, time: Duration) {
        self.site.app.system().pass(time);
    }

    /// Gives a command, and returns the answer that the user reads.
    pub(crate) async fn gives(&self, user: i64, data: Value) -> Result<Read> {
        self.in_channel(user, CHANNEL, data).await
    }

    pub(crate) async fn in_channel(&self, user: i64, channel: i64, data: Value) -> Result<Read> {
        let command = self.discord.command(user, channel, self.now(), data);
        self.delivers(&command).await
    }

    pub(crate) async fn delivers(&self, command: &Command) -> Result<Read> {
        let (posted, open) = self.discord.gives(&self.address, self.now(), command).await?;
        Ok(Read { posted, open })
    }

    /// A player submits a move.
    pub(crate) async fn submits(&self, user: i64, notation: &str) -> Result<Read> {
        self.gives(user, slash("submit", &[text("move", notation)])).await
    }

    /// The leaf hash of a recorded entry.
    pub(crate) async fn leaf(&self, id: MatchId, entry: usize) -> Result<String> {
        let stored = self.site.app.logs.record().match_entries(id).await?;
        Ok(stored.get(entry).map(|stored| stored.leaf.to_string()).unwrap_or_default())
    }
}

impl Read {
    /// Fails unless the answer contains this, and only the user of the command sees it.
    pub(crate) fn says(&self, words: &str) -> Result<&Self> {
        ensure!(self.posted.content.contains(words), "{:?} does not say {words:?}", self.posted.content);
        ensure!(!self.open, "everybody reads {:?}", self.posted.content);
        Ok(self)
    }
}
