//! A standby that answers readers: what it answers, how old that may be, and what it never answers.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use app::replicas::{ReplicaFault, Replicas};
use app::system::System;
use reqwest::StatusCode;
use sqlx::{Connection, Executor};
use store::MIGRATIONS;
use store::database;
use tempfile::TempDir;

use crate::page::Page;
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
