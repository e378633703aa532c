//! A site with which nobody does anything writes next to nothing: its database's log is archived and sent to standbys.

use anyhow::{Result, ensure};
use sqlx::PgPool;

use crate::program::{command, started};
use crate::wait::until;

#[tokio::test]
async fn an_idle_site_has_less_than_a_transaction_a_second_that_writes() -> Result<()> {
    let (folder, program, _) = started().await?;
    let url = String::from_utf8(command(&folder.path().join("data"), &["db", "url"])?.output().await?.stdout)?;
    let owner = PgPool::connect(url.trim()).await?;
    let mut beats: Vec<(f64, f64, f64)> = Vec::new();
    // From one stored beat to the next: a heart that never rests has four a second.
    while beats.len() < 3 {
        let last = beats.last().map_or(0.0, |beat| beat.0);
        let asked = "select extract(epoch from at)::float8, extract(epoch from clock_timestamp())::float8, \
            pg_snapshot_xmax(pg_current_snapshot())::text::float8 from heartbeat";
        let beat = until(async || {
            let beat: (f64, f64, f64) = sqlx::query_as(asked).fetch_one(&owner).await?;
            ensure!(beat.0 > last, "no other beat");
            Ok(beat)
        });
        let beat = beat.await?;
        beats.push(beat);
    }
    let [_, (_, began, first), (_, ended, last)] = beats[..] else { anyhow::bail!("{beats:?}") };
    let rate = (last - first) / (ended - began);
    ensure!(rate < 1.0, "{rate} transactions a second write");
    owner.close().await;
    program.kill().await
}
