//! A live match with an umpire and its players, each with a browser-like client.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use record::History;

use crate::site::{Guest, Page, Site};

/// A ruleset without a DMO or draws.
pub(crate) const RULESET: &str = "five-card-trick/dm-colosseum-2";
const PATIENCE: u32 = 200;

/// A live match.
pub(crate) struct Table {
    pub(crate) site: Site,
    pub(crate) umpire: Guest,
    pub(crate) console: String,
    pub(crate) slug: String,
    pub(crate) p1: Player,
    pub(crate) p2: Player,
}

/// A player with the cookie of a seat.
pub(crate) struct Player {
    pub(crate) guest: Guest,
    pub(crate) home: String,
}

impl Table {
    /// A match with both players in their seats.
    pub(crate) async fn laid(ruleset: &str, clocks: bool) -> Result<Self> {
        Self::with_links(ruleset, clocks, &["p1", "p2"]).await
    }

    /// A match in which only these seats have links.
    pub(crate) async fn with_links(ruleset: &str, clocks: bool, seats: &[&str]) -> Result<Self> {
        Self::on(Site::seeded("a live match").await?, ruleset, clocks, seats).await
    }

    pub(crate) async fn on(site: Site, ruleset: &str, clocks: bool, seats: &[&str]) -> Result<Self> {
        Self::set(site, ruleset, clocks, seats, &[]).await
    }

    /// A match without clocks whose draws the umpire types in.
    pub(crate) async fn typed(ruleset: &str) -> Result<Self> {
        Self::set(
            Site::seeded("a live match").await?,
            ruleset,
            false,
            &["p1", "p2"],
            &[("draws", "umpire"), ("event", "Cup")],
        )
        .await
    }

    /// A match opened with additional fields of the form.
    pub(crate) async fn set(
        site: Site,
        ruleset: &str,
        clocks: bool,
        seats: &[&str],
        more: &[(&str, &str)],
    ) -> Result<Self> {
        let table = Self::opened(site, ruleset, clocks.then_some("at-once"), seats, more).await?;
        if clocks {
            table.clock("run", &[]).await?;
        }
        Ok(table)
    }

    /// A match with this start of its clocks, if it has any. The first clock waits.
    pub(crate) async fn opened(
        site: Site,
        ruleset: &str,
        starts: Option<&str>,
        seats: &[&str],
        more: &[(&str, &str)],
    ) -> Result<Self> {
        let umpire = site.umpire().await?;
        let form = umpire.get("/umpire/open").await?.field("form")?;
        let mut fields =
            vec![("form", form.as_str()), ("ruleset", ruleset), ("p1", "Ada"), ("p2", "Bo"), ("live", "on")];
        if ruleset != RULESET {
            fields.push(("dmo", "p2"));
        }
        fields.extend(more);
        if let Some(starts) = starts {
            fields.extend([("clocks", "on"), ("starts", starts)]);
        }
        let console = umpire.post("/umpire/open", &fields).await?;
        ensure!(console.address.starts_with("/umpire/m/"), "{}", console.text);
        let slug = console.address.trim_start_matches("/umpire/m/").to_owned();
        let [p1, p2] = ["p1", "p2"].map(|seat| {
            Ok::<_, anyhow::Error>(Player { guest: site.visitor()?, home: format!("/play/m/{slug}/{seat}") })
        });
        let table = Self { console: console.address, slug, p1: p1?, p2: p2?, umpire, site };
        for seat in seats {
            let link = table.link(seat).await?;
            let player = if *seat == "p1" { &table.p1 } else { &table.p2 };
            let sat = player.guest.read(player.guest.http.post(link).send().await?).await?;
            ensure!(sat.address == player.home, "{}: {}", sat.address, sat.text);
        }
        Ok(table)
    }

    /// The umpire starts, pauses or extends the clock.
    pub(crate) async fn clock(&self, act: &str, more: &[(&str, &str)]) -> Result<Page> {
        let page = self.umpire.get(&self.console).await?;
        let fields = [("form", page.field("form")?), ("head", page.field("head")?)];
        let mut fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        fields.push(("act", act));
        fields.extend(more);
        self.umpire.post(&format!("{}/clock", self.console), &fields).await
    }

    /// A match in which the umpire types for both seats.
    pub(crate) async fn recorded(site: Site, ruleset: &str) -> Result<Self> {
        let umpire = site.umpire().await?;
        let form = umpire.get("/umpire/open").await?.field("form")?;
        let fields = [("form", form.as_str()), ("ruleset", ruleset), ("p1", "Ada"), ("p2", "Bo")];
        let console = umpire.post("/umpire/open", &fields).await?;
        ensure!(console.address.starts_with("/umpire/m/"), "{}", console.text);
        let slug = console.address.trim_start_matches("/umpire/m/").to_owned();
        let [p1, p2] = ["p1", "p2"].map(|seat| {
            Ok::<_, anyhow::Error>(Player { guest: site.visitor()?, home: format!("/play/m/{slug}/{seat}") })
        });
        Ok(Self { console: console.address, slug, p1: p1?, p2: p2?, umpire, site })
    }

    /// The umpire records a round.
    pub(crate) async fn records(&self, p1: &str, p2: &str) -> Result<Page> {
        let page = self.umpire.get(&self.console).await?;
        let fields =
            [("decision", page.field("decision")?), ("form", page.field("form")?), ("head", page.field("head")?)];
        let mut fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        fields.extend([("p1", p1), ("p2", p2)]);
        let page = self.umpire.post(&format!("{}/record", self.console), &fields).await?;
        ensure!(page.status.is_success(), "{}", page.text);
        Ok(page)
    }

    /// A new link to a seat, from the umpire's page.
    pub(crate) async fn link(&self, seat: &str) -> Result<String> {
        let page = self.umpire.post(&format!("{}/links", self.console), &[("seat", seat)]).await?;
        let link = page.text.split("<pre id=\"link\">").nth(1).and_then(|rest| rest.split('<').next());
        Ok(link.with_context(|| page.text.clone())?.to_owned())
    }

    /// The public page.
    pub(crate) fn public(&self) -> String {
        format!("/m/{}", self.slug)
    }

    /// The umpire types a line for a seat, sent just now.
    pub(crate) async fn types(&self, seat: &str, text: &str) -> Result<Page> {
        self.types_sent(seat, text, "").await
    }

    /// The umpire admits a seat's late answer to the first question.
    pub(crate) async fn admits(&self, seat: &str) -> Result<()> {
        let page = self.umpire.get(&self.console).await?;
        let fields = [("form", page.field("form")?), ("head", page.field("head")?)];
        let mut fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        fields.extend([("decision", "d1"), ("seat", seat), ("text", "The chat was down")]);
        self.umpire.post(&format!("{}/admit", self.console), &fields).await?.says("The late answer is admitted")?;
        Ok(())
    }

    /// The umpire types a line for a seat, sent at this time.
    pub(crate) async fn types_sent(&self, seat: &str, text: &str, at: &str) -> Result<Page> {
        let page = self.umpire.get(&self.console).await?;
        let fields =
            [("decision", page.field("decision")?), ("form", page.field("form")?), ("head", page.field("head")?)];
        let mut fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let time = format!("sent-{seat}");
        fields.extend([(seat, text), (time.as_str(), at)]);
        self.umpire.post(&format!("{}/type", self.console), &fields).await
    }

    /// The umpire closes the open question.
    pub(crate) async fn closes(&self) -> Result<Page> {
        let page = self.umpire.get(&self.console).await?;
        let fields =
            [("decision", page.field("decision")?), ("form", page.field("form")?), ("head", page.field("head")?)];
        let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
        let page = self.umpire.post(&format!("{}/close", self.console), &fields).await?;
        ensure!(page.status.is_success(), "{}", page.text);
        Ok(page)
    }

    /// Lets seconds pass.
    pub(crate) fn passes(&self, seconds: u64) {
        self.site.app.system().pass(Duration::from_secs(seconds));
    }

    /// The current history of the match, in the record or in practice.
    pub(crate) async fn history(&self) -> Result<Arc<History>> {
        Ok(self.site.app.matches.history_of(&self.slug).await?)
    }

    /// The time of the open question's clock, in seconds.
    pub(crate) async fn open_clock(&self) -> Result<u64> {
        let history = self.history().await?;
        Ok(history.open.first().context("an open decision")?.asked.clock.into())
    }

    /// Waits until the console contains these words.
    pub(crate) async fn until(&self, words: &str) -> Result<()> {
        for _ in 0..PATIENCE {
            if self.umpire.get(&self.console).await?.text.contains(words) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.umpire.get(&self.console).await?.says(words).map(|_| ())
    }

    /// A submit id derived from a name.
    pub(crate) fn fresh(&self, name: &str) -> String {
        app::form_of(&["test", name]).to_string()
    }
}

impl Player {
    pub(crate) async fn page(&self) -> Result<Page> {
        self.guest.get(&self.home).await
    }

    /// Types into the first form of the page, and sends it.
    pub(crate) async fn submits(&self, text: &str) -> Result<Page> {
        let page = self.page().await?;
        self.sends(&page.field("decision")?, &page.field("submit")?, text).await
    }

    pub(crate) async fn sends(&self, decision: &str, submit: &str, text: &str) -> Result<Page> {
        let fields = [("decision", decision), ("submit", submit), ("move", text)];
        self.guest.post(&format!("{}/submit", self.home), &fields).await
    }
}
