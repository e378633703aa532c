//! One walk: a site, the people on it, and the page that somebody reads now.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use app::account::{self, OPERATOR, Role};
use reqwest::Client;
use reqwest::header::{ETAG, HeaderMap, IF_NONE_MATCH, LOCATION};
use reqwest::redirect::Policy;

use super::page;
use super::text::{equation, fields, filled, word};
use crate::api::Program;
use crate::archive::{filled as filled_archive, played};
use crate::kept::files;
use crate::page::Page;
use crate::pages::import;
use crate::play::table::Table;
use crate::site::{Guest, Site};
use crate::statistics::count;
use crate::whole_match::{end, fixture, open, record};

/// The reader who has no account.
const ANYBODY: &str = "anybody";
/// The first umpire of a site.
const UMPIRE: &str = "umpire";

/// All matches of a folder of fixtures.
fn folder(name: &str) -> Result<Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches").join(name);
    fs::read_dir(folder)?.map(|file| Ok(fs::read_to_string(file?.path())?)).collect()
}

#[derive(Default)]
pub(crate) struct Walk {
    site: Option<Site>,
    pub(crate) table: Option<Table>,
    people: BTreeMap<String, Guest>,
    who: String,
    page: Option<Page>,
    /// Its path and query.
    address: String,
    pub(crate) headers: HeaderMap,
    pub(crate) programs: BTreeMap<String, Program>,
    /// The status of the page was asked for, or need not be.
    status_known: bool,
    kept: BTreeMap<String, Page>,
    names: BTreeMap<String, String>,
}

impl Walk {
    /// Does what a line says.
    pub(crate) async fn follow(&mut self, line: &str) -> Result<()> {
        let line = filled(line, &self.names)?;
        let (kind, rest) = word(&line);
        if self.knows(kind, rest).await? {
            return Ok(());
        }
        if let Some(page) = &self.page
            && page::checks(page, kind, rest)?
        {
            return Ok(());
        }
        match kind {
            "let" => {
                let (name, what) = rest.split_once(" = ").context("a name and what it is")?;
                let value = if what == "at" { self.address.clone() } else { page::found(self.page()?, what)? };
                self.names.insert(name.to_owned(), value);
                return Ok(());
            }
            "keep" => {
                let page = self.page()?;
                let copy = Page::new(page.status, page.address.clone(), page.text.clone());
                self.kept.insert(rest.to_owned(), copy);
                return Ok(());
            }
            _ => {}
        }
        self.ends()?;
        self.acts(kind, rest).await
    }

    /// True if the line was about the answer itself, and it is so: `is 404`, `at /archive`, `header etag = x`, `same before`.
    async fn knows(&mut self, kind: &str, rest: &str) -> Result<bool> {
        match kind {
            "is" => {
                let page = self.page()?;
                let is_one = rest.split(' ').any(|status| status == page.status.as_str());
                ensure!(is_one, "{} is {}:\n{}", page.address, page.status, page.text);
                self.status_known = true;
            }
            "at" => ensure!(self.address == rest, "this is {}", self.address),
            "header" => {
                let (name, expected) = equation(rest)?;
                let found = self.headers.get(name).map(|value| value.to_str()).transpose()?.unwrap_or_default();
                ensure!(found == expected, "{name} is {found:?}");
            }
            "same" => {
                let before = self.kept.get(rest).with_context(|| format!("no page {rest}"))?;
                ensure!(self.page()?.text == before.text, "another page:\n{}", self.page()?.text);
            }
            "alike" => {
                let (name, without) = rest.split_once(" without ").context("a page, and what may differ")?;
                let before = self.kept.get(name).with_context(|| format!("no page {name}"))?;
                let read = |page: &Page| {
                    let mut read: serde_json::Value = serde_json::from_str(&page.text)?;
                    read[without] = serde_json::Value::Null;
                    anyhow::Ok(read)
                };
                let (before, now) = (read(before)?, read(self.page()?)?);
                ensure!(before == now, "it was {before}, and is {now}");
            }
            "again" => {
                let tag = self.headers.get(ETAG).context("a tag")?.clone();
                let guest = self.guest().await?.clone();
                let address = format!("{}{}", guest.address, self.address);
                let again = guest.http.get(address).header(IF_NONE_MATCH, tag).send().await?;
                ensure!(again.status().as_str() == rest, "it is {}", again.status());
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Nobody may overlook a page that is an error.
    pub(crate) fn ends(&self) -> Result<()> {
        let Some(page) = self.page.as_ref().filter(|_| !self.status_known) else { return Ok(()) };
        ensure!(page.status.is_success(), "{} is {}:\n{}", page.address, page.status, page.text);
        Ok(())
    }

    fn page(&self) -> Result<&Page> {
        self.page.as_ref().context("no page was opened")
    }

    async fn gets(&mut self, address: &str) -> Result<()> {
        let guest = self.guest().await?.clone();
        let address = format!("{}{}", guest.address, address.trim_start_matches(&guest.address));
        let answer = guest.http.get(address).send().await?;
        let url = answer.url();
        self.address = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
        self.headers = answer.headers().clone();
        let page = guest.read(answer).await?;
        self.page = Some(page);
        self.status_known = false;
        Ok(())
    }

    pub(crate) fn reads(&mut self, page: Page) {
        self.headers.clear();
        self.address.clone_from(&page.address);
        self.page = Some(page);
        self.status_known = false;
    }

    pub(crate) fn name(&mut self, name: &str, value: &str) {
        self.names.insert(name.to_owned(), value.to_owned());
    }

    pub(crate) async fn site(&mut self) -> Result<&Site> {
        if self.table.is_none() && self.site.is_none() {
            self.opens_site(Site::start().await?);
        }
        let laid = self.table.as_ref().map(|table| &table.site);
        laid.or(self.site.as_ref()).context("a site")
    }

    fn opens_site(&mut self, site: Site) {
        self.names.insert("site".to_owned(), site.address.clone());
        self.site = Some(site);
    }

    /// The site, for a table that takes it.
    pub(crate) fn takes_site(&mut self) -> Option<Site> {
        self.site.take()
    }

    /// Somebody on the site: an umpire of that name, or anybody.
    async fn person(&mut self, name: &str) -> Result<&Guest> {
        if !self.people.contains_key(name) {
            let site = self.site().await?;
            let guest = match name {
                ANYBODY | "other-visitor" => site.visitor()?,
                UMPIRE | "other-window" | "idle-window" => site.umpire().await?,
                name => site.umpire_called(name).await?,
            };
            self.people.insert(name.to_owned(), guest);
        }
        self.people.get(name).context("a person")
    }

    async fn guest(&mut self) -> Result<&Guest> {
        let who = if self.who.is_empty() { ANYBODY.to_owned() } else { self.who.clone() };
        if let Some(table) = &self.table
            && let Some(player) = [("p1", &table.p1), ("p2", &table.p2)].into_iter().find(|(seat, _)| *seat == who)
        {
            self.people.entry(who.clone()).or_insert_with(|| player.1.guest.clone());
        }
        self.person(&who).await
    }

    async fn acts(&mut self, kind: &str, rest: &str) -> Result<()> {
        match kind {
            "site" => self.opens_site(if rest.is_empty() { Site::start().await? } else { Site::seeded(rest).await? }),
            "as" => rest.clone_into(&mut self.who),
            "get" => self.gets(rest).await?,
            "visit" => {
                for address in self.page()?.attributes(rest, "href")? {
                    self.gets(&address).await?;
                    self.ends().with_context(|| address.clone())?;
                }
            }
            "leads" => self.leads(rest).await?,
            "follow" => {
                let address = self.page()?.link(rest)?.with_context(|| format!("no link {rest}"))?;
                self.gets(&address).await?;
            }
            "post" => {
                let (address, fields) = fields(rest)?;
                let page = self.guest().await?.post(address, &fields).await?;
                self.reads(page);
            }
            "fill" => self.fills(rest).await?,
            "press" => {
                let (name, fields) = fields(rest)?;
                let form = self.page()?.form_with(name)?;
                let page = form.sends(self.guest().await?, &fields).await?;
                self.reads(page);
            }
            "answer" => self.answers(rest).await?,
            "opens" => {
                let typed = rest.split(" | ").map(|field| field.split_once('=').context("a field"));
                let typed: Vec<(&str, &str)> = typed.collect::<Result<_>>()?;
                let page = self.guest().await?.opens(&typed).await?;
                self.runs(&page.address);
                self.reads(page);
            }
            "import" | "played" | "each" | "folder" => self.imports(kind, rest).await?,
            "open" | "record" | "end" => self.directs(kind, rest).await?,
            "api" | "program" => self.asks(kind, rest).await?,
            "count-statistics" => count(self.site().await?).await?,
            "admin" | "account" | "accounts" | "pass" => self.oversees(kind, rest).await?,
            "filled" => drop(filled_archive(self.site().await?).await?),
            "index" => _ = self.site().await?.app.index.follow().await?,
            "steps" | "strikes" => self.compares(kind, rest).await?,
            _ => self.plays(kind, rest).await?,
        }
        Ok(())
    }

    /// `/umpire/open of before | text=x`: fills in the last form with this address, of this page or of a kept one.
    async fn fills(&mut self, rest: &str) -> Result<()> {
        let (head, fields) = fields(rest)?;
        let (address, page) = match head.split_once(" of ") {
            Some((address, kept)) => (address, self.kept.get(kept).with_context(|| format!("no page {kept}"))?),
            None => (head, self.page()?),
        };
        let form = page.form_to(address)?.with_all(&fields);
        let page = self.guest().await?.sends(address, &form).await?;
        self.reads(page);
        Ok(())
    }

    /// Accounts, as an operator has them, and the time of the site.
    async fn oversees(&mut self, kind: &str, rest: &str) -> Result<()> {
        let app = self.site().await?.app.clone();
        let (pool, system) = (app.pool(), app.system());
        match kind {
            "pass" => system.pass(Duration::from_secs(rest.parse()?)),
            "accounts" => {
                let count = account::all(pool).await?.len().to_string();
                ensure!(count == rest, "there are {count}");
            }
            "admin" => {
                if account::named(pool, rest).await.is_err() {
                    account::add(pool, system, &OPERATOR, rest).await?;
                }
                account::set_role(pool, system, &OPERATOR, &account::named(pool, rest).await?, Role::Admin).await?;
            }
            _ => {
                let (person, name) = rest.split_once(" as ").context("a person, and a name for the id")?;
                let id = account::add(pool, system, &OPERATOR, person).await?.id;
                self.name(name, &id);
            }
        }
        Ok(())
    }

    /// Where an address leads; nowhere if it answers by itself.
    async fn leads(&mut self, rest: &str) -> Result<()> {
        let (from, to) = equation(rest)?;
        let http = Client::builder().redirect(Policy::none()).build()?;
        let answer = http.get(format!("{}{from}", self.site().await?.address)).send().await?;
        let found = answer.headers().get(LOCATION).map(|to| to.to_str()).transpose()?.unwrap_or_default();
        ensure!(found == to, "{from} leads to {found:?}");
        Ok(())
    }

    /// `host with host: deal R1`, `both of before with p1: score / p2: claim`: answers the form that asks exactly these.
    async fn answers(&mut self, rest: &str) -> Result<()> {
        let (asked, line) = rest.split_once(" with ").context("who is asked, and the answer")?;
        let (asked, page) = match asked.split_once(" of ") {
            Some((asked, kept)) => (asked, self.kept.get(kept).with_context(|| format!("no page {kept}"))?),
            None => (asked, self.page()?),
        };
        let asked = if asked == "both" { vec!["p1", "p2"] } else { vec![asked] };
        let form = page.questions(&asked)?.into_iter().next().with_context(|| format!("nobody asks {asked:?}"))?;
        let parts = if asked.len() == 2 { line.split(" / ").collect() } else { vec![line] };
        let sent = parts.into_iter().map(|part| part.split_once(": ").context("a party and its answer"));
        let sent = sent.collect::<Result<Vec<_>>>()?;
        let page = form.sends(self.guest().await?, &sent).await?;
        self.reads(page);
        Ok(())
    }

    /// The public lines of the match's steps, or the number of its strikes.
    async fn compares(&mut self, kind: &str, expected: &str) -> Result<()> {
        let slug = self.names.get("slug").cloned().context("a match")?;
        let history = self.site().await?.app.matches.history_of(&slug).await?;
        let found = match kind {
            "steps" => history.steps.iter().map(|step| step.public.as_str()).collect::<Vec<_>>().join(" | "),
            _ => history.strikes.len().to_string(),
        };
        ensure!(found == expected, "found {found}");
        Ok(())
    }

    /// Matches of the past: a fixture's, one of each ruleset, all of a folder, or `p1, p2, event, date, tags` of one.
    async fn imports(&mut self, kind: &str, rest: &str) -> Result<()> {
        let texts = match kind {
            "import" => vec![fixture(rest)?.text],
            "each" => files()?,
            "folder" => folder(rest)?,
            _ => {
                let parts: Vec<&str> = rest.split(" | ").collect();
                let [p1, p2, event, date, ref tags @ ..] = parts[..] else { anyhow::bail!("p1, p2, event and date") };
                vec![played(p1, p2, event, date, &tags.join("\n"))?]
            }
        };
        for text in texts {
            let page = import(self.person(UMPIRE).await?, &text).await?;
            self.name("match", &page.address);
            self.reads(page);
        }
        Ok(())
    }

    /// From now on, the console of this address is meant.
    fn runs(&mut self, console: &str) {
        self.name("match", &console.replace("/umpire", ""));
        self.name("slug", console.rsplit('/').next().unwrap_or_default());
        self.name("console", console);
    }

    /// The umpire opens a fixture's match, records a step, or ends it; statistics are counted.
    async fn directs(&mut self, kind: &str, rest: &str) -> Result<()> {
        let console = self.names.get("console").cloned().unwrap_or_default();
        match kind {
            "open" => {
                let console = open(self.person(UMPIRE).await?, &fixture(rest)?).await?;
                self.runs(&console);
            }
            "record" => {
                let page = record(self.guest().await?, &console, rest).await?;
                self.reads(page);
            }
            _ => end(self.guest().await?, &console, rest).await?,
        }
        Ok(())
    }
}
