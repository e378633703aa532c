//! Live matches of games with secrets that open at different times: each part of a move has its own seal.

use anyhow::{Context, Result, ensure};
use engine::{Seat, SplitMix64, To};
use ledger::Kind;
use record::body::Closing;
use record::verify::{Status, verify};

use super::table::{Player, Table};
use crate::wait::until;

impl Table {
    const fn player(&self, seat: Seat) -> &Player {
        match seat {
            Seat::P1 => &self.p1,
            Seat::P2 => &self.p2,
        }
    }

    /// The umpire presses the button that draws.
    async fn draws(&self) -> Result<()> {
        let page = self.umpire.get(&self.console).await?;
        let form = page.form_with("keyed")?.with("keyed", "yes");
        let page = self.umpire.sends(&format!("{}/record", self.console), &form).await?;
        ensure!(page.status.is_success(), "{}", page.text);
        Ok(())
    }

    /// Plays one random step: the seats that are asked submit by link, then the umpire closes; or the host draws.
    async fn steps(&self, numbers: &mut SplitMix64) -> Result<bool> {
        let history = self.history().await?;
        let Some(ask) = history.duel().asks().pop() else { return Ok(false) };
        let seats = match ask.to {
            To::Host => {
                self.draws().await?;
                return Ok(true);
            }
            To::One(seat) => vec![seat],
            To::Both => Seat::BOTH.to_vec(),
        };
        for seat in seats {
            let text = history.duel().sample(seat, &ask.what, numbers).context("a move")?;
            // Nothing is sent by sending nothing.
            if text == "-" {
                continue;
            }
            self.player(seat).submits(&text).await?.says(" received.")?;
        }
        let open = history.open.iter().find(|open| open.puts(&ask)).context("an open question")?;
        if open.asked.closes != Closing::FirstValid {
            self.closes().await?;
        }
        // The first valid answer closes the question shortly afterwards.
        until(async || {
            let history = self.history().await?;
            let is_closed = history.open.iter().all(|now| now.asked.decision != open.asked.decision);
            ensure!(is_closed, "{} stays open", open.asked.what);
            Ok(true)
        })
        .await
    }
}

/// No answer of the site opens a seal before its time, and every answer can be verified up to that point.
async fn keeps_its_secrets(table: &Table) -> Result<usize> {
    let history = table.history().await?;
    let served = table.site.visitor()?.get(&format!("{}.bundle", table.public())).await?.text;
    let public = record::Bundle::read(served.as_bytes())?;
    let report = verify(&public);
    ensure!(report.findings.iter().all(|finding| finding.status != Status::Failed), "{report:#?}");
    let fields = history.seals.iter().flat_map(|seal| seal.opened_by.iter());
    let closed = fields.filter(|opened_by| opened_by.is_none()).count();
    let keys = served.matches("\"key\":\"").count();
    let opened = history.seals.iter().flat_map(|seal| seal.opened_by.iter()).filter(|by| by.is_some()).count();
    ensure!(keys >= opened, "{opened} seals are open, and {keys} keys are served");
    Ok(closed)
}

#[tokio::test]
async fn two_private_cards_are_two_seals_and_open_when_they_are_shown() -> Result<()> {
    let table = Table::laid("devils-deal/blooming-genius", false).await?;
    for (player, line) in [(&table.p1, "the owl is late"), (&table.p2, "fourteen bottles")] {
        player.submits(line).await?.says(" received.")?;
    }
    table.closes().await?;
    let mut numbers = SplitMix64(5);
    let mut most_closed = 0;
    for _ in 0..40 {
        if !table.steps(&mut numbers).await? {
            break;
        }
        most_closed = most_closed.max(keeps_its_secrets(&table).await?);
    }
    ensure!(most_closed >= 2, "private cards stay closed for a while: {most_closed}");
    let history = table.history().await?;
    let private = history.seals.iter().filter(|seal| seal.fields.len() == 2).count();
    ensure!(private >= 2, "two cards are two fields: {private}");
    if !history.outcome().is_over() {
        let page = table.act("rule", &[("text", "It is late."), ("clause", ""), ("result", "undecided")]).await?;
        ensure!(page.status.is_success(), "{}", page.text);
    }
    table.act("end", &[]).await?;
    assert_eq!(keeps_its_secrets(&table).await?, 0, "at the end everything is open");
    let id = table.site.app.matches.match_of(&table.slug).await?;
    let (bundle, report) = table.site.app.checks.check(id).await?;
    ensure!(report.is_good(), "{report:#?}");
    let keyed = bundle.lines.iter().filter_map(|line| ledger::Entry::read(line).ok());
    ensure!(keyed.filter(|entry| entry.kind == Kind::Drawn).count() > 3, "the host drew");
    Ok(())
}

#[tokio::test]
async fn the_target_of_a_block_is_a_seal_that_opens_when_it_acts_or_at_the_end() -> Result<()> {
    let table = Table::laid("five-card-trick/genius-puzzler", false).await?;
    table.p1.submits("score block:claim").await?.says(" received.")?;
    table.p2.submits("grow block:steal").await?.says(" received.")?;
    table.closes().await?;
    let closed = keeps_its_secrets(&table).await?;
    let public = table.site.visitor()?.get(&format!("{}.dmn", table.public())).await?.text;
    ensure!(public.contains("block:?") == (closed > 0), "{closed} closed:\n{public}");
    Ok(())
}
