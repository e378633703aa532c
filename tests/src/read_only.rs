//! Every reason why the log cannot be written or signed is one state: nothing new is accepted, everybody reads the same
//! sentence and the right cause, pages are served, and everything goes on by itself once the cause is gone.

use std::fs;

use anyhow::{Context, Result, ensure};
use app::monitoring::Monitor;
use app::signing::NOT_SIGNED;
use reqwest::StatusCode;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::play::table::{RULESET, Table};
use crate::site::Site;
use crate::wait::until;

/// A reason in the database: what an operator does and undoes, whose connections end with it, and what is said.
struct Reason {
    does: &'static str,
    undoes: &'static str,
    ends: &'static str,
    said: &'static str,
}

const REFUSES: &str = "create function refuses() returns trigger language plpgsql as \
    $$ begin raise exception 'not today'; end $$; \
    create trigger refuses before insert on checkpoints for each row execute function refuses()";
const HAS_NO_ROOM: &str = "create function refuses() returns trigger language plpgsql as \
    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$; \
    create trigger refuses before insert on entries for each row execute function refuses()";

const REASONS: [Reason; 6] = [
    Reason {
        does: "revoke insert on checkpoints from matchbook_serve",
        undoes: "grant insert on checkpoints to matchbook_serve",
        ends: "nobody",
        said: "the program lacks a right in the database (permission denied for table checkpoints)",
    },
    Reason {
        does: "revoke insert on entries from matchbook_serve",
        undoes: "grant insert on entries to matchbook_serve",
        ends: "nobody",
        said: "the program lacks a right in the database (permission denied for table entries)",
    },
    Reason {
        does: REFUSES,
        undoes: "drop function refuses cascade",
        ends: "nobody",
        said: "PostgreSQL refuses what it is asked (not today)",
    },
    Reason {
        does: HAS_NO_ROOM,
        undoes: "drop function refuses cascade",
        ends: "nobody",
        said: "the disk of the database is full (could not extend file)",
    },
    Reason {
        does: "alter database DATABASE set synchronous_commit = off",
        undoes: "alter database DATABASE reset synchronous_commit",
        ends: "matchbook writer",
        said: "PostgreSQL may lose what it acknowledges (synchronous_commit = off)",
    },
    Reason {
        does: "alter database DATABASE set default_transaction_read_only = on",
        undoes: "alter database DATABASE reset default_transaction_read_only",
        ends: "%",
        said: "the database is read-only",
    },
];

async fn does(owner: &mut PgConnection, what: &str, ends: &str) -> Result<()> {
    let database: String = sqlx::query_scalar("select current_database()::text").fetch_one(&mut *owner).await?;
    let what = what.replace("DATABASE", &format!("\"{database}\""));
    owner.execute(sqlx::raw_sql(AssertSqlSafe(what))).await?;
    let end = "select pg_terminate_backend(pid, 60000) from pg_stat_activity \
        where datname = current_database() and pid <> pg_backend_pid() and application_name like $1";
    sqlx::query(end).bind(ends).execute(owner).await?;
    Ok(())
}

/// A live match on a site whose heart beats.
async fn table() -> Result<Table> {
    let site = Site::start().await?;
    tokio::spawn(site.app.recorder.clone().beats());
    Table::on(site, RULESET, false, &["p1", "p2"]).await
}

/// Acts are refused, and whoever watches reads why.
async fn is_told(table: &Table, said: &str) -> Result<()> {
    let guest = table.site.visitor()?;
    until(async || {
        table.act("note", &[("text", "a remark")]).await?.is(StatusCode::SERVICE_UNAVAILABLE)?;
        let health = guest.get("/healthz").await?;
        health.is(StatusCode::SERVICE_UNAVAILABLE)?.says(NOT_SIGNED)?.says(said).map(drop)
    })
    .await?;
    guest.get("/healthz").await?.says("\"accepts\":\"nothing\"")?;
    guest.get("/readyz").await?.is(StatusCode::SERVICE_UNAVAILABLE)?.says(NOT_SIGNED)?;
    let metrics = Monitor::new(table.site.app.clone(), table.site.data.path().to_owned()).text().await;
    ensure!(metrics.contains("matchbook_signing_stopped 1"), "{metrics}");
    Ok(())
}

/// The umpire, the players and readers have their pages, with the same sentence.
async fn is_on_pages(table: &Table, said: &str) -> Result<()> {
    is_told(table, said).await?;
    table.act("note", &[("text", "a remark")]).await?.is(StatusCode::SERVICE_UNAVAILABLE)?.says(NOT_SIGNED)?;
    table.p1.page().await?.is(StatusCode::OK)?.says(NOT_SIGNED)?;
    table.p1.submits("grow").await?.is(StatusCode::SERVICE_UNAVAILABLE)?.says(NOT_SIGNED)?;
    table.umpire.get(&table.console).await?.is(StatusCode::OK)?.says(NOT_SIGNED)?.says(said)?;
    table.site.visitor()?.get("/archive").await?.is(StatusCode::OK)?;
    ensure!(table.site.app.workers().first_end().is_none(), "a worker ended");
    Ok(())
}

/// Everything goes on by itself.
async fn goes_on(table: &Table) -> Result<()> {
    table.site.visitor()?.until("/readyz", "ready\n").await?;
    until(async || table.act("note", &[("text", "it goes on")]).await?.is(StatusCode::OK).map(drop)).await?;
    let size = table.site.app.logs.record().size().await?;
    until(async || Ok(table.site.app.signer().covering(size).await?)).await?;
    ensure!(table.site.app.workers().first_end().is_none(), "a worker ended");
    Ok(())
}

async fn plays_on(table: &Table) -> Result<()> {
    until(async || table.p1.submits("grow").await?.says("move received").map(drop)).await?;
    until(async || table.p2.submits("claim").await?.says("move received").map(drop)).await?;
    table.closes().await?;
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    Ok(())
}

#[tokio::test]
async fn a_database_that_denies_something_makes_the_site_read_only_with_the_cause() -> Result<()> {
    let table = table().await?;
    let mut owner = table.site.owner().await?;
    for Reason { does: done, undoes, ends, said } in REASONS {
        does(&mut owner, done, ends).await?;
        match ends {
            // Pages note who looks at them.
            "%" => is_told(&table, said).await.with_context(|| done)?,
            _ => is_on_pages(&table, said).await.with_context(|| done)?,
        }
        does(&mut owner, undoes, ends).await?;
        goes_on(&table).await.with_context(|| undoes)?;
    }
    plays_on(&table).await
}

#[tokio::test]
async fn a_checkpoint_file_of_no_use_makes_the_site_read_only_with_the_cause() -> Result<()> {
    let table = table().await?;
    let path = |name: &str| table.site.data.path().join(name);
    let (file, aside, new) = (path("checkpoint"), path("aside"), path("checkpoint.new"));
    // A folder in its place: root could write to any file.
    fs::create_dir(&new)?;
    is_on_pages(&table, "cannot be read or written").await.context("unwritable")?;
    fs::remove_dir(&new)?;
    goes_on(&table).await?;
    fs::rename(&file, &aside)?;
    fs::create_dir(&file)?;
    is_on_pages(&table, "cannot be read or written").await.context("a folder")?;
    fs::remove_dir(&file)?;
    fs::write(&file, "garbage")?;
    is_on_pages(&table, "does not hold a checkpoint that was signed with this log").await.context("garbage")?;
    fs::rename(&aside, &file)?;
    goes_on(&table).await?;
    plays_on(&table).await
}

#[tokio::test]
async fn a_database_that_lets_nobody_in_is_told_from_one_that_does_not_answer() -> Result<()> {
    let table = table().await?;
    let name: String =
        sqlx::query_scalar("select current_database()::text").fetch_one(&mut table.site.owner().await?).await?;
    // Whoever is in a database cannot close it.
    let mut outside = PgConnection::connect_with(&table.site.database.clone().database("postgres")).await?;
    let allows = |allows: bool| {
        let end = format!("select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = '{name}'");
        [format!("alter database \"{name}\" with allow_connections {allows}"), end]
    };
    for what in allows(false) {
        outside.execute(AssertSqlSafe(what)).await?;
    }
    let guest = table.site.visitor()?;
    let said = format!("{NOT_SIGNED}: PostgreSQL does not let the program in");
    guest.until("/readyz", &said).await?;
    guest.get("/healthz").await?.is(StatusCode::SERVICE_UNAVAILABLE)?.says(&said)?;
    for what in allows(true) {
        outside.execute(AssertSqlSafe(what)).await?;
    }
    goes_on(&table).await?;
    plays_on(&table).await
}
