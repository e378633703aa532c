//! What an umpire learns of a match that is another's: nothing more than everybody, whatever they ask, and how often.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use app::account::{self, Role, Scope};
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::routes::{Route, routes};
use crate::api::Program;
use crate::page::Page;
use crate::play::table::{RULESET, Table};
use crate::site::{Guest, Site};

/// What only a match's umpire and the helpers read, for programs.
const READ: [&str; 6] = ["received", "late", "links", "readiness", "private-notes", "objections"];

/// A match of Ursula's, and Vera, who neither umpires it nor helps.
struct Foreign {
    table: Table,
    vera: Guest,
    program: Program,
    routes: BTreeSet<Route>,
}

/// A page without the ids of its forms, which are new each time.
fn without_forms(text: &str) -> String {
    let mut parts = text.split("name=\"form\" value=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |before, part| before + part.split_once('"').map_or(part, |(_, after)| after))
}

impl Foreign {
    async fn of(more: &[(&str, &str)], role: Role) -> Result<Self> {
        let table = Table::set(Site::seeded("a live match").await?, RULESET, true, &["p1", "p2"], more).await?;
        let vera = table.site.umpire_called("Vera").await?;
        let (pool, system) = (table.site.app.pool(), table.site.app.system());
        let umpire = account::named(pool, "Vera").await?;
        account::set_role(pool, system, &account::OPERATOR, &umpire, role).await?;
        let (token, _) =
            account::make_token(pool, system, &account::OPERATOR, &umpire, "a test", Scope::Umpire, None).await?;
        let program = Program::with(&table.site, account::reveal_token(&token));
        let document: Value = serde_json::from_str(&vera.get("/openapi.json").await?.text)?;
        let about = |route: &Route| {
            ["/umpire/m/{slug}", "/api/v1/matches/{slug}"].iter().any(|begins| route.path.starts_with(begins))
        };
        let routes: BTreeSet<Route> = routes(&document)?.into_iter().filter(about).collect();
        ensure!(routes.len() > 60, "{routes:#?}");
        Ok(Self { table, vera, program, routes })
    }

    /// Every answer about the match, to pages and to programs.
    async fn everything(&self, time: &str) -> Result<BTreeMap<String, String>> {
        let mut read = BTreeMap::new();
        for (n, route) in self.routes.iter().enumerate() {
            let path = route.path.replace("{slug}", &self.table.slug).replace("{id}", &"0".repeat(64));
            let method: Method = route.method.to_uppercase().parse()?;
            let answer = if route.is_api() {
                let key = format!("{time}-{n}");
                let (key, body) = if method == Method::GET { (None, "") } else { (Some(key.as_str()), "{}") };
                let answer = self.program.send(method, &path, key, "application/json", body.to_owned()).await?;
                format!("{}\n{}", answer.status, answer.text)
            } else {
                let asked = if method == Method::GET {
                    self.vera.get(&path).await?
                } else {
                    self.vera.post(&path, &[("nothing", "")]).await?
                };
                format!("{}\n{}", asked.status, without_forms(&asked.text))
            };
            read.insert(route.to_string(), answer);
        }
        for path in ["/umpire", "/umpire/webhooks", "/umpire/discord"] {
            read.insert(path.to_owned(), without_forms(&self.vera.get(path).await?.text));
        }
        for what in ["read", "typed"] {
            let line = json!({ "decision": "d1", "seat": "p1", "text": "grow" });
            let path = format!("/api/v1/matches/{}/{what}", self.table.slug);
            let answer = self.program.post(&path, &format!("{time}-{what}"), &line).await?;
            read.insert(format!("{what} by a program"), format!("{}\n{}", answer.status, answer.text));
        }
        Ok(read)
    }

    /// What programs may not read, and to whom.
    async fn programs_read(&self, program: &Program, status: StatusCode) -> Result<()> {
        for what in READ {
            let answer = program.get(&format!("/api/v1/matches/{}/{what}", self.table.slug)).await?;
            ensure!(answer.status == status, "{what}: {} {}", answer.status, answer.text);
        }
        Ok(())
    }

    /// A player is ready and sends a move, and the umpire notes something.
    async fn something_comes(&self) -> Result<()> {
        let ready = format!("{}/ready", self.table.p1.home);
        self.table.p1.guest.post(&ready, &[]).await?.is(StatusCode::OK)?;
        self.table.p1.submits("grow").await?.says("move received.")?;
        self.table.act("private-note", &[("text", "Bo hesitates.")]).await?.says("The note is kept")?;
        Ok(())
    }

    async fn console_of(&self, guest: &Guest) -> Result<Page> {
        guest.get(&self.table.console).await
    }
}

/// Asks for everything before and after something came.
async fn is_told_nothing(more: &[(&str, &str)], role: Role) -> Result<()> {
    let foreign = Foreign::of(more, role).await?;
    let before = foreign.everything("before").await?;
    foreign.something_comes().await?;
    let after = foreign.everything("after").await?;
    for (what, said) in &before {
        let now = after.get(what).with_context(|| format!("{what} was asked once"))?;
        ensure!(said == now, "{more:?}: {what} tells that something came:\n{said}\n{now}");
    }
    foreign.programs_read(&foreign.program, StatusCode::FORBIDDEN).await?;
    let page = foreign.console_of(&foreign.vera).await?;
    page.is(StatusCode::FORBIDDEN)?.says("This is the match of Ursula")?.says("name you as a helper")?;
    ensure!(!page.addresses(&format!("/m/{}", foreign.table.slug))?.is_empty(), "the public page: {}", page.text);
    for what in ["links", "strike?from=1", "correct?step=1", "delete"] {
        let page = foreign.vera.get(&format!("{}/{what}", foreign.table.console)).await?;
        page.is(StatusCode::FORBIDDEN)?.says("This match is another umpire")?;
    }
    Ok(())
}

#[tokio::test]
async fn another_umpire_is_told_nothing_of_what_came() -> Result<()> {
    is_told_nothing(&[("looks", "on")], Role::Umpire).await?;
    is_told_nothing(&[], Role::Umpire).await
}

#[tokio::test]
async fn an_admin_is_told_nothing_of_what_came_either_nor_anybody_in_practice() -> Result<()> {
    is_told_nothing(&[("looks", "on")], Role::Admin).await?;
    is_told_nothing(&[("looks", "on"), ("practice", "on")], Role::Umpire).await
}

#[tokio::test]
async fn another_umpire_takes_a_match_and_gives_it_to_nobody_else() -> Result<()> {
    let foreign = Foreign::of(&[], Role::Umpire).await?;
    let (table, vera) = (&foreign.table, &foreign.vera);
    let (pool, system) = (table.site.app.pool(), table.site.app.system());
    let walter = account::add(pool, system, &account::OPERATOR, "Walter").await?;
    let page = foreign.console_of(vera).await?;
    let to = format!("{}/hand", table.console);
    let given = vera.fills_in(&page, &to, &[("text", "Walter wants it"), ("to", &walter.id)]).await?;
    given.is(StatusCode::FORBIDDEN)?.says("This match is another umpire")?;
    let at = format!("/api/v1/matches/{}", table.slug);
    let head = foreign.program.get(&format!("{at}/state")).await?.is(StatusCode::OK)?["head"].clone();
    let hand = |to: &str| json!({ "head": head, "to": to, "text": "Walter wants it" });
    let path = format!("{at}/handover");
    foreign.program.post(&path, "walter", &hand(&walter.id)).await?.is(StatusCode::FORBIDDEN)?;
    assert_eq!(table.history().await?.handovers.len(), 0);
    let own = account::named(pool, "Vera").await?.id;
    foreign.program.post(&path, "vera", &hand(&own)).await?.is(StatusCode::OK)?;
    assert_eq!(table.history().await?.handovers.len(), 1);
    Ok(())
}

#[tokio::test]
async fn a_helper_reads_what_came_and_so_does_whoever_took_the_match_over() -> Result<()> {
    let foreign = Foreign::of(&[("looks", "on")], Role::Umpire).await?;
    let (table, vera) = (&foreign.table, &foreign.vera);
    foreign.something_comes().await?;
    let own = Program::of(&table.site, Scope::Umpire).await?;
    foreign.programs_read(&own, StatusCode::OK).await?;

    let links = format!("{}/links", table.console);
    let id = table.umpire.get(&links).await?.option("Vera")?;
    table.umpire.post(&links, &[("helper", &id)]).await?.says("Dismiss")?;
    foreign.programs_read(&foreign.program, StatusCode::OK).await?;
    let console = foreign.console_of(vera).await?;
    console.says("You are a helper in it")?.says("valid, sent by the player")?.says("Bo hesitates.")?;
    table.umpire.post(&links, &[("dismiss", &id)]).await?.says("No helpers.")?;
    foreign.programs_read(&foreign.program, StatusCode::FORBIDDEN).await?;

    // Taking it over needs nobody's consent, and everybody reads it.
    let page = foreign.console_of(vera).await?;
    let to = format!("{}/hand", table.console);
    vera.fills_in(&page, &to, &[("text", "Ursula is away")]).await?.says("valid, sent by the player")?;
    foreign.programs_read(&foreign.program, StatusCode::OK).await?;
    foreign.programs_read(&own, StatusCode::FORBIDDEN).await?;
    foreign.console_of(&table.umpire).await?.is(StatusCode::FORBIDDEN)?.says("This is the match of Vera")?;
    ensure!(table.history().await?.handovers.len() == 1, "it is in the record");
    table.site.visitor()?.get(&format!("{}/verify", table.public())).await?.says("Ursula is away")?;
    Ok(())
}
