//! A log that lost what the writer knows: it adds nothing more, and the site goes on for readers.

use std::sync::Arc;

use anyhow::{Result, ensure};
use app::signing::NOT_SIGNED;
use reqwest::StatusCode;
use sqlx::{Connection, Executor, PgConnection, PgPool, query_scalar};

use crate::database::database;
use crate::site::Site;
use crate::wait::until;
use crate::whole_match::{fixture, open};

#[tokio::test]
async fn a_writer_that_finds_the_log_shorter_adds_nothing_and_readers_go_on() -> Result<()> {
    let options = database().await?;
    let site = Site::node(options.clone(), Arc::new(tempfile::tempdir()?), "checkpoint").await?;
    let umpire = site.umpire().await?;
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    open(&umpire, &played).await?;
    let health = format!("{}/healthz", site.address);
    ensure!(reqwest::get(&health).await?.status() == StatusCode::OK);
    // An act is on its way to the log: its insert waits. From the signer, which finds the loss by itself, the umpire would
    // hear of it before the writer is asked.
    let mut owner = PgConnection::connect_with(&options).await?;
    owner.execute("begin; lock table entries in share row exclusive mode").await?;
    let act = tokio::spawn(async move { open(&umpire, &played).await.map(drop) });
    let database = PgPool::connect_with(options).await?;
    until(async || {
        let waiting = "select exists (select from pg_stat_activity where application_name = 'matchbook writer' \
            and datname = current_database() and wait_event_type = 'Lock')";
        ensure!(query_scalar::<_, bool>(waiting).fetch_one(&database).await?, "the writer does not wait");
        Ok(())
    })
    .await?;
    // A failover that lost commits: the connection breaks, and the log is shorter.
    owner.execute("lock table entries in access exclusive mode").await?;
    owner.execute("delete from entries where pos > 0; delete from tree_heads").await?;
    let writers = "select pg_terminate_backend(pid, 60000) from pg_stat_activity \
        where application_name = 'matchbook writer' and datname = current_database()";
    owner.execute(writers).await?;
    owner.execute("commit").await?;
    // The writer reads the log again, and finds it shorter than it was.
    ensure!(act.await?.is_err(), "the act was taken");
    until(async || {
        let answer = reqwest::get(&health).await?;
        ensure!(answer.status() == StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
        let text = answer.text().await?;
        ensure!(text.contains(NOT_SIGNED) && text.contains("matchbook log succeed"), "{text}");
        Ok(())
    })
    .await?;
    ensure!(reqwest::get(format!("{}/log", site.address)).await?.status() == StatusCode::OK);
    ensure!(site.app.workers().first_end().is_none(), "a worker ended");
    Ok(())
}
