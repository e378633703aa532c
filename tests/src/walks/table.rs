//! A live match in a walk: its players, its umpire and its clock.

use anyhow::{Context, Result, ensure};

use record::verify::Report;

use super::text::{fields, word};
use super::walk::Walk;
use crate::page::Page;
use crate::play::forms::at;
use crate::play::table::{Player, Table};
use crate::site::Site;

/// `4 detail 1 of 2 Round 1: started`: a finding has as many details, and these words are in that one.
fn finds(report: &Report, expected: &str) -> Result<()> {
    let (finding, rest) = expected.split_once(" detail ").context("a finding and a detail")?;
    let (at, rest) = rest.split_once(" of ").context("the number of details")?;
    let (count, words) = word(rest);
    let details = &report.findings.get(finding.parse::<usize>()? - 1).context("a finding")?.details;
    let found = &details.get(at.parse::<usize>()? - 1).with_context(|| format!("{details:#?}"))?.text;
    ensure!(details.len() == count.parse::<usize>()? && found.contains(words), "{details:#?}");
    Ok(())
}

impl Walk {
    fn at(&self) -> Result<&Table> {
        self.table.as_ref().context("no table is laid")
    }

    fn player(&self, seat: &str) -> Result<&Player> {
        let table = self.at()?;
        Ok(if seat == "p1" { &table.p1 } else { &table.p2 })
    }

    /// `five-card-trick/dm-colosseum-2 clocks p1 p2 | event=Cup`: lays a table, with links to these seats.
    async fn lays(&mut self, rest: &str) -> Result<()> {
        let (head, more) = fields(rest)?;
        let words: Vec<&str> = head.split(' ').collect();
        let (ruleset, rest) = words.split_first().context("a ruleset")?;
        let seats: Vec<&str> = rest.iter().copied().filter(|word| ["p1", "p2"].contains(word)).collect();
        let site = match self.takes_site() {
            Some(site) => site,
            None => Site::seeded("a live match").await?,
        };
        let table = if rest.contains(&"recorded") {
            Table::recorded_with(site, ruleset, &more).await?
        } else if rest.contains(&"posted") {
            Table::opened(site, ruleset, Some("posted"), &seats, &more).await?
        } else {
            Table::set(site, ruleset, rest.contains(&"clocks"), &seats, &more).await?
        };
        self.stands_at(table);
        Ok(())
    }

    /// `RULESET ;; STEP ;; STEP`: a table after these steps.
    async fn begins(&mut self, rest: &str) -> Result<()> {
        let mut steps = rest.split(" ;; ");
        let ruleset = steps.next().unwrap_or_default();
        let table = at(ruleset, &steps.collect::<Vec<_>>()).await?;
        self.stands_at(table);
        Ok(())
    }

    fn stands_at(&mut self, table: Table) {
        for (name, value) in [
            ("site", &table.site.address),
            ("console", &table.console),
            ("match", &table.public()),
            ("slug", &table.slug),
            ("p1", &table.p1.home),
            ("p2", &table.p2.home),
        ] {
            self.name(name, value);
        }
        self.table = Some(table);
    }

    /// What the record must say of the match.
    async fn holds(&self, kind: &str, expected: &str) -> Result<()> {
        let table = self.at()?;
        let found = match kind {
            "checked" => table.checked().await?.verdict.to_string(),
            "in-time" => table.in_time().await?.join(" | "),
            "looks" => table.history().await?.umpire_looks().context("it says so")?.to_string(),
            "early" => table.history().await?.opened.early.to_string(),
            "links" => table.history().await?.links.len().to_string(),
            "objections" => table.history().await?.open_objections().count().to_string(),
            "good" => {
                let report = table.checked().await?;
                ensure!(report.is_good(), "{report:#?}");
                return Ok(());
            }
            "finding" => {
                let report = table.checked().await?;
                return finds(&report, expected);
            }
            "entries-of" => {
                let (kind, _) = word(expected);
                format!("{kind} {}", table.of_kind(kind.parse()?).await?)
            }
            _ => return table.stays_open().await,
        };
        ensure!(found == expected, "found {found:?}");
        Ok(())
    }

    async fn seat_sends(&self, seat: &str, rest: &str) -> Result<Page> {
        let (verb, text) = word(rest);
        match verb {
            "submits" => self.player(seat)?.submits(text).await,
            "sends" => {
                let (decision, text) = word(text);
                let submit = self.at()?.fresh("late");
                self.player(seat)?.sends(decision, &submit, text).await
            }
            "submits-final" => self.player(seat)?.submits_final(text, true).await,
            _ => anyhow::bail!("{rest} is nothing that a player does"),
        }
    }

    /// What happens at a table.
    pub(crate) async fn plays(&mut self, kind: &str, rest: &str) -> Result<()> {
        match kind {
            "table" => return self.lays(rest).await,
            "begun" => return self.begins(rest).await,
            "settle" => self.at()?.settles().await,
            "admits" => self.at()?.admits(rest).await?,
            "makes-link" => {
                let link = self.at()?.link(rest).await?;
                self.name("link", &link);
            }
            "revokes" => self.at()?.revokes_all_links().await?,
            "until" => self.at()?.until(rest).await?,
            "checked" | "good" | "finding" | "in-time" | "stays-open" | "links" | "objections" | "early" | "looks"
            | "entries-of" => self.holds(kind, rest).await?,
            "sits" => {
                let link = self.at()?.link(rest).await?;
                let guest = &self.player(rest)?.guest;
                let page = guest.read(guest.http.post(link).send().await?).await?;
                self.reads(page);
            }
            _ => {
                let page = match kind {
                    "p1" | "p2" => self.seat_sends(kind, rest).await?,
                    "records" => {
                        let (p1, p2) = rest.split_once(" / ").context("two moves")?;
                        self.at()?.records(p1, p2).await?
                    }
                    "types" => {
                        let (seat, text) = word(rest);
                        self.at()?.types(seat, text).await?
                    }
                    "types-sent" => {
                        let (at, rest) = word(rest);
                        let (seat, text) = word(rest);
                        self.at()?.types_sent(seat, text, at).await?
                    }
                    "closes" => self.at()?.closes().await?,
                    "act" => {
                        let (what, typed) = fields(rest)?;
                        self.at()?.act(what, &typed).await?
                    }
                    "clock" => {
                        let (act, typed) = fields(rest)?;
                        self.at()?.clock(act, &typed).await?
                    }
                    _ => anyhow::bail!("{kind} is nothing that one can do"),
                };
                self.reads(page);
            }
        }
        Ok(())
    }
}
