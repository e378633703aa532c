//! A standby that answers readers: what it answers, how old that may be, and what it never answers.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use app::account::Scope;
use app::replicas::{ReplicaFault, Replicas};
use app::system::System;
use reqwest::StatusCode;
use serde_json::json;
use sqlx::{Connection, Executor};
use store::MIGRATIONS;
use store::database;
use tempfile::TempDir;

use crate::api::{Answer, Program};
use crate::page::Page;
use crate::play::table::{RULESET, Table};
use crate::postgres::Postgres;
use crate::site::{Guest, Site};
use crate::wait::until;
use crate::whole_match::{fixture, open, record};

const PLAYED: &str = "five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn";
const OTHER: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";

/// A site whose database has a standby that answers readers.
struct Replicated {
    site: Site,
    standby: Postgres,
    primary: Postgres,
    folder: TempDir,
}

impl Replicated {
    async fn start() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("matchbook-replica").tempdir()?;
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o711))?;
        let primary = Postgres::start(folder.path().join("primary"), None).await?;
        let mut superuser = primary.superuser().await?;
        MIGRATIONS.run(&mut superuser).await?;
        superuser.close().await?;
        let standby = primary.standby(folder.path().join("standby")).await?;
        let site = Site::node(primary.options(), Arc::new(tempfile::tempdir()?), "checkpoint").await?;
        site.app.read_from(vec![database::replica(&standby.url())?]).await;
        Ok(Self { site, standby, primary, folder })
    }
}

/// A page, and by how much it may be behind; none if the primary answered.
async fn read(guest: &Guest, path: &str) -> Result<(Page, Option<f64>)> {
    let response = guest.http.get(format!("{}{path}", guest.address)).send().await?;
    let behind =
        response.headers().get("matchbook-behind").map(|seconds| Ok::<_, anyhow::Error>(seconds.to_str()?.parse()?));
    let behind = behind.transpose()?;
    let page = guest.read(response).await?;
    page.is(StatusCode::OK)?;
    Ok((page, behind))
}

/// An export is read from the standby to its end, and a tile of the log as well, once it is signed.
async fn files_come_from_it(reader: &Guest) -> Result<()> {
    let (file, behind) = read(reader, "/archive.csv").await?;
    ensure!(behind.is_some() && file.text.contains("Marlowe"), "{behind:?}: {}", file.text);
    for tile in ["/tile/0/000.p/1", "/tile/entries/000.p/1"] {
        until(async || {
            let (_, behind) = read(reader, tile).await?;
            ensure!(behind.is_some(), "the primary answers {tile}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_standby_answers_readers_as_long_as_it_keeps_up_and_no_match_goes_back() -> Result<()> {
    let Replicated { site, standby, primary, folder: _folder } = Replicated::start().await?;
    let (umpire, reader) = (site.umpire().await?, site.visitor()?);
    let (played, other) = (fixture(PLAYED)?, fixture(OTHER)?);
    let console = open(&umpire, &played).await?;
    let public = console.replace("/umpire", "");
    until(async || {
        let (list, behind) = read(&reader, "/archive").await?;
        ensure!(behind.is_some_and(|behind| behind <= 5.0), "the standby does not answer: {behind:?}");
        list.says(&public).map(drop)
    })
    .await?;
    files_come_from_it(&reader).await?;
    // A program that reads without a token reads there too.
    let (list, behind) = read(&reader, "/api/v1/matches").await?;
    ensure!(behind.is_some() && list.text.contains("Marlowe"), "{behind:?}: {}", list.text);

    // The standby stands still. Nobody sees a match as it was before.
    let mut superuser = standby.superuser().await?;
    superuser.execute("select pg_wal_replay_pause()").await?;
    record(&umpire, &console, &played.steps[0]).await?;
    record(&umpire, &console, &played.steps[1]).await?;
    let recorded = format!("{public}/r/2/after");
    read(&reader, &recorded).await?.0.says("Round 2, after")?;
    let json = read(&reader, &format!("{public}.json")).await?.0.text;
    // Read again from the database, not from memory.
    let id = site.app.matches.match_of(public.trim_start_matches("/m/")).await?;
    site.app.matches.evict(id);
    assert_eq!(read(&reader, &format!("{public}.json")).await?.0.text, json);
    read(&reader, &format!("{public}.bundle")).await?.0.says("resolved")?;
    // Whoever acts sees what they did.
    let second = open(&umpire, &other).await?.replace("/umpire", "");
    let (list, behind) = read(&umpire, "/archive").await?;
    ensure!(behind.is_none(), "the primary answers an umpire");
    list.says(&second)?;
    // After five seconds it is too old for anybody.
    until(async || {
        let (list, behind) = read(&reader, "/archive").await?;
        ensure!(behind.is_none(), "it still answers: {behind:?}");
        list.says(&second).map(drop)
    })
    .await?;
    site.visitor()?.get("/healthz").await?.says("it is more than 5 s behind")?;

    superuser.execute("select pg_wal_replay_resume()").await?;
    until(async || {
        let (list, behind) = read(&reader, "/archive").await?;
        ensure!(behind.is_some(), "it does not answer again");
        list.says(&second).map(drop)
    })
    .await?;

    // It is gone: the primary answers.
    drop(superuser);
    standby.end().await?;
    until(async || {
        let (_, behind) = read(&reader, "/archive").await?;
        ensure!(behind.is_none(), "it is gone");
        Ok(())
    })
    .await?;
    site.visitor()?.get("/healthz").await?.says("it does not answer")?;
    site.stop().await?;
    primary.end().await
}

/// A program's answer, which must be the primary's.
fn of_the_primary(answer: Answer) -> Result<String> {
    let behind = answer.headers.get("matchbook-behind");
    ensure!(answer.status.is_success() && behind.is_none(), "{}, {behind:?}: {}", answer.status, answer.text);
    Ok(answer.text)
}

#[tokio::test]
async fn programs_read_there_without_a_token_and_with_one_they_read_the_primary_as_seats_do() -> Result<()> {
    let Replicated { site, standby, primary, folder: _folder } = Replicated::start().await?;
    let table = Table::on(site, RULESET, false, &["p1"]).await?;
    let (site, reader) = (&table.site, table.site.visitor()?);
    let one = format!("/api/v1/matches/{}", table.slug);
    let reads = [
        "/api/v1/matches",
        "/api/v1/players",
        "/api/v1/events",
        &one,
        &format!("{one}/state"),
        &format!("{one}/entries"),
    ]
    .map(str::to_owned);
    let id = site.app.matches.match_of(&table.slug).await?;
    for path in &reads {
        until(async || {
            // Read from a database, not from memory.
            site.app.matches.evict(id);
            let (_, behind) = read(&reader, path).await?;
            ensure!(behind.is_some_and(|behind| behind <= 5.0), "the standby does not answer {path}: {behind:?}");
            Ok(())
        })
        .await?;
    }

    // The standby stands still, and answers readers for some seconds more. Whoever acts sees at once what they did.
    let mut superuser = standby.superuser().await?;
    superuser.execute("select pg_wal_replay_pause()").await?;
    let link = table.link("p2").await?;
    let seat = Program::with(site, link.rsplit('/').next().context("a token")?.to_owned());
    let umpire = Program::of(site, Scope::Umpire).await?;
    let new = json!({ "ruleset": RULESET, "players": { "p1": "Cleo", "p2": "Dan" }, "mode": "live", "clocks": "off" });
    umpire.post("/api/v1/matches", "open", &new).await?.is(StatusCode::CREATED)?;
    let list = of_the_primary(umpire.get("/api/v1/matches").await?)?;
    ensure!(list.contains("Cleo"), "{list}");
    let sent = json!({ "decision": "d1", "text": "claim" });
    seat.post("/api/v1/seat/submissions", "claim", &sent).await?.is(StatusCode::CREATED)?;
    let receipts = of_the_primary(seat.get("/api/v1/seat/receipts").await?)?;
    ensure!(receipts.contains("d1"), "{receipts}");
    of_the_primary(seat.get("/api/v1/seat").await?)?;
    for path in &reads {
        site.app.matches.evict(id);
        of_the_primary(umpire.get(path).await?)?;
        of_the_primary(seat.get(path).await?)?;
    }
    // A browser in a seat.
    table.p1.submits("grow").await?.says("move received.")?;
    let (page, behind) = read(&table.p1.guest, &table.p1.home).await?;
    ensure!(behind.is_none(), "the primary answers a seat: {behind:?}");
    page.says("grow")?;

    drop((superuser, seat, umpire, reader));
    let Table { site, .. } = table;
    site.stop().await?;
    standby.end().await?;
    primary.end().await
}

#[tokio::test]
async fn only_a_standby_of_the_same_database_answers() -> Result<()> {
    let Replicated { site, standby, primary, folder } = Replicated::start().await?;
    let another = Postgres::start(folder.path().join("another"), None).await?;
    MIGRATIONS.run(&mut another.superuser().await?).await?;
    for (url, expected) in [(primary.url(), ReplicaFault::Primary), (another.url(), ReplicaFault::Foreign)] {
        let replicas = Replicas::new(Arc::new(System::real()));
        replicas.set(vec![database::replica(&url)?]);
        replicas.look(site.app.pool()).await;
        let fault = replicas.states().into_iter().next().context("a replica")?.fault;
        assert_eq!(fault, Some(expected), "{url}");
    }
    site.stop().await?;
    for server in [standby, primary, another] {
        server.end().await?;
    }
    Ok(())
}
