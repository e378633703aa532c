//! A background worker that ends is reported.

use std::sync::Arc;

use anyhow::{Result, ensure};
use reqwest::StatusCode;
use sqlx::{Connection, Executor, PgConnection};

use crate::database::database;
use crate::site::Site;
use crate::whole_match::{fixture, open};

#[tokio::test]
async fn health_reports_a_writer_that_ended() -> Result<()> {
    let options = database().await?;
    let site = Site::node(options.clone(), Arc::new(tempfile::tempdir()?), "checkpoint").await?;
    let umpire = site.umpire().await?;
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    open(&umpire, &played).await?;
    let health = format!("{}/healthz", site.address);
    ensure!(reqwest::get(&health).await?.status() == StatusCode::OK);
    // A failover that lost commits: the connection breaks, and the log is shorter.
    let mut owner = PgConnection::connect_with(&options).await?;
    owner.execute("delete from entries where pos > 0; delete from tree_heads").await?;
    let writers = "select pg_terminate_backend(pid) from pg_stat_activity \
        where application_name = 'matchbook writer' and datname = current_database()";
    owner.execute(writers).await?;
    // Whatever the umpire hears: the writer reads the log again, and finds it shorter than it was.
    drop(open(&umpire, &played).await);
    let end = site.app.workers().wait().await;
    assert_eq!(end.worker, "writer of the log");
    let answer = reqwest::get(&health).await?;
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    let text = answer.text().await?;
    ensure!(
        text.contains("the writer of the log of this process ended: the log is not what it was written as"),
        "{text}"
    );
    Ok(())
}
