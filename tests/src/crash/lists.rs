//! Lists that an older version derived. There may be a hundred thousand matches: a start does not wait for them.

use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use tokio::io::AsyncWriteExt;

use super::standby::asks;
use crate::play::table::RULESET;
use crate::program::{Program, command, started};
use crate::wait::until;

#[tokio::test]
async fn lists_of_an_older_version_are_derived_again_while_the_site_serves() -> Result<()> {
    let (folder, program, mut umpire) = started().await?;
    let data = folder.path().join("data");
    umpire.opens(&[("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo")]).await?;
    // A program that runs would derive them again at once.
    program.kill().await?;
    asks(&data, "update archive set p1 = 'Derived long ago'").await?;
    asks(&data, "update archive_cursor set form = form - 1").await?;

    // Nothing can be derived as long as this is held.
    let mut holder = command(&data, &["db", "psql"])?.arg("--").arg("-qX").stdin(Stdio::piped()).spawn()?;
    let mut held = holder.stdin.take().context("its input")?;
    held.write_all(b"begin; lock table archive in share mode;\n").await?;
    until(async || {
        let locks = "select count(*) from pg_locks where relation = 'archive'::regclass and mode = 'ShareLock'";
        ensure!(asks(&data, locks).await? == "1", "it is not held");
        Ok(())
    })
    .await?;
    let program = Program::start(&data).await?;
    umpire.address = program.address.clone();
    let listed = umpire.get("/archive").await?.text;
    ensure!(listed.contains("Derived long ago"), "the lists as they were: {listed}");

    held.write_all(b"commit;\n").await?;
    drop(held);
    ensure!(holder.wait().await?.success());
    until(async || {
        let listed = umpire.get("/archive").await?.text;
        ensure!(listed.contains("Ada") && !listed.contains("Derived long ago"), "{listed}");
        Ok(())
    })
    .await?;
    program.kill().await
}
