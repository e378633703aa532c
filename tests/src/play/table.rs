//! A live match with an umpire and its players, each with a browser-like client.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use app::account::player::{SeatAccess, SeatRef};
use engine::Seat;
use ledger::Moment;
use record::History;
use record::verify::Report;

use crate::page::Page;
use crate::site::{Guest, Site};
use crate::wait::until;
use crate::whole_match::{fixture, open, record};

/// A ruleset without a DMO or draws.
pub(crate) const RULESET: &str = "five-card-trick/dm-colosseum-2";

/// A live match.
pub(crate) struct Table {
    pub(crate) site: Site,
    pub(crate) umpire: Guest,
    pub(crate) console: String,
    pub(crate) slug: String,
    pub(crate) p1: Player,
    pub(crate) p2: Player,
}

/// The access to a seat without a link, for what the program's own functions do.
pub(crate) fn full_access(seat_ref: SeatRef) -> SeatAccess {
    SeatAccess { seat_ref, since: Moment::MIN, link: None, used: true }
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
        let mut fields = vec![("live", "on")];
        if ruleset != RULESET {
            fields.push(("dmo", "p2"));
        }
        fields.extend(more);
        if let Some(starts) = starts {
            fields.extend([("clocks", "on"), ("starts", starts)]);
        }
        let table = Self::between_ada_and_bo(site, ruleset, &fields).await?;
        for seat in seats {
            let link = table.link(seat).await?;
            let player = if *seat == "p1" { &table.p1 } else { &table.p2 };
            let sat = player.guest.read(player.guest.http.post(link).send().await?).await?;
            ensure!(sat.address == player.home, "{}: {}", sat.address, sat.text);
        }
        Ok(table)
    }

    async fn between_ada_and_bo(site: Site, ruleset: &str, more: &[(&str, &str)]) -> Result<Self> {
        let umpire = site.umpire().await?;
        let console = umpire.opens(&[&[("ruleset", ruleset), ("p1", "Ada"), ("p2", "Bo")], more].concat()).await?;
        ensure!(console.address.starts_with("/umpire/m/"), "{}", console.text);
        let slug = console.address.trim_start_matches("/umpire/m/").to_owned();
        let player = |seat| anyhow::Ok(Player { guest: site.visitor()?, home: format!("/play/m/{slug}/{seat}") });
        let (p1, p2) = (player("p1")?, player("p2")?);
        Ok(Self { console: console.address, slug, p1, p2, umpire, site })
    }

    /// A match in which the umpire types for both seats.
    pub(crate) async fn recorded(site: Site, ruleset: &str) -> Result<Self> {
        Self::between_ada_and_bo(site, ruleset, &[]).await
    }

    /// A fixture's match, typed by the umpire to its last step and not ended yet. Seat 1 has a player.
    pub(crate) async fn replayed(site: Site, name: &str) -> Result<Self> {
        let (umpire, played) = (site.umpire().await?, fixture(name)?);
        let console = open(&umpire, &played).await?;
        for step in &played.steps {
            let page = record(&umpire, &console, step).await?;
            ensure!(page.status.is_success(), "{name}, {step}: {}", page.text);
        }
        let slug = console.trim_start_matches("/umpire/m/").to_owned();
        let player = |seat| anyhow::Ok(Player { guest: site.visitor()?, home: format!("/play/m/{slug}/{seat}") });
        let (p1, p2) = (player("p1")?, player("p2")?);
        let table = Self { console, slug, p1, p2, umpire, site };
        let link = table.link("p1").await?;
        table.p1.guest.read(table.p1.guest.http.post(link).send().await?).await?;
        Ok(table)
    }

    /// The same with additional fields of the form.
    pub(crate) async fn recorded_with(site: Site, ruleset: &str, more: &[(&str, &str)]) -> Result<Self> {
        Self::between_ada_and_bo(site, ruleset, more).await
    }

    /// The umpire acts on the match: sends these fields, with the page's own of these names.
    async fn acts(&self, what: &str, own: &[&str], typed: &[(&str, &str)]) -> Result<Page> {
        let page = self.umpire.get(&self.console).await?;
        self.umpire.sends(&format!("{}/{what}", self.console), &page.fields(own)?.with_all(typed)).await
    }

    /// The umpire acts on the match, by a form of the console.
    pub(crate) async fn act(&self, what: &str, typed: &[(&str, &str)]) -> Result<Page> {
        self.acts(what, &["form", "head"], typed).await
    }

    /// The umpire acts on the open question, and is not refused.
    async fn acts_on_the_question(&self, what: &str, typed: &[(&str, &str)]) -> Result<Page> {
        let page = self.acts(what, &["decision", "form", "head"], typed).await?;
        ensure!(page.status.is_success(), "{}", page.text);
        Ok(page)
    }

    /// The umpire starts, pauses or extends the clock.
    pub(crate) async fn clock(&self, act: &str, more: &[(&str, &str)]) -> Result<Page> {
        self.act("clock", &[&[("act", act)], more].concat()).await
    }

    /// The umpire records a round.
    pub(crate) async fn records(&self, p1: &str, p2: &str) -> Result<Page> {
        self.acts_on_the_question("record", &[("p1", p1), ("p2", p2)]).await
    }

    /// A new link to a seat, from the umpire's page.
    pub(crate) async fn link(&self, seat: &str) -> Result<String> {
        self.umpire.post(&format!("{}/links", self.console), &[("seat", seat)]).await?.private_link()
    }

    /// Another umpire, whom the match's own names as helper.
    pub(crate) async fn helper(&self, name: &str) -> Result<Guest> {
        let (other, links) = (self.site.umpire_called(name).await?, format!("{}/links", self.console));
        let id = self.umpire.get(&links).await?.option(name)?;
        self.umpire.post(&links, &[("helper", &id)]).await?.says("Dismiss")?;
        Ok(other)
    }

    /// The umpire revokes all links to the seats.
    pub(crate) async fn revokes_all_links(&self) -> Result<()> {
        let links = format!("{}/links", self.console);
        for name in self.umpire.get(&links).await?.attributes("[name=revoke]", "value")? {
            self.umpire.post(&links, &[("revoke", &name)]).await?;
        }
        Ok(())
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
        let typed = [("decision", "d1"), ("seat", seat), ("text", "The chat was down")];
        self.act("admit", &typed).await?.says("The late move is admitted")?;
        Ok(())
    }

    /// The umpire types a line for a seat, sent at this time.
    pub(crate) async fn types_sent(&self, seat: &str, text: &str, at: &str) -> Result<Page> {
        let typed = [(seat, text), (&format!("sent-{seat}"), at)];
        self.acts("type", &["decision", "form", "head"], &typed).await
    }

    /// The umpire closes the open question.
    pub(crate) async fn closes(&self) -> Result<Page> {
        self.acts_on_the_question("close", &[("sure", "yes")]).await
    }

    /// The findings about the match, as anybody reads them.
    pub(crate) async fn checked(&self) -> Result<Arc<Report>> {
        Ok(self.site.app.checks.check(self.history().await?.match_id).await?.1)
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
        self.umpire.until(&self.console, words).await
    }

    /// Waits until this is asked in as many questions, and gives the player whom the first of them asks.
    pub(crate) async fn asked_for(&self, what: &str, questions: usize) -> Result<&Player> {
        let first = until(async || {
            let history = self.history().await?;
            let asked: Vec<_> = history.open.iter().filter(|open| open.asked.what == what).collect();
            ensure!(asked.len() == questions, "{what} is not asked for: {:?}", history.open);
            Ok(asked.first().and_then(|open| open.asked.seats.first()).context("a seat")?.0)
        });
        Ok(if first.await? == Seat::P1 { &self.p1 } else { &self.p2 })
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

    /// The same, called final or not.
    pub(crate) async fn submits_final(&self, text: &str, is_final: bool) -> Result<Page> {
        let page = self.page().await?;
        let form = page.fields(&["decision", "submit"])?.with("move", text);
        let form = if is_final { form.with("final", "on") } else { form };
        self.guest.sends(&format!("{}/submit", self.home), &form).await
    }

    pub(crate) async fn sends(&self, decision: &str, submit: &str, text: &str) -> Result<Page> {
        let fields = [("decision", decision), ("submit", submit), ("move", text)];
        self.guest.post(&format!("{}/submit", self.home), &fields).await
    }
}
