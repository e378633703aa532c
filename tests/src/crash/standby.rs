//! A synchronous standby that is away: whoever cancels the wait for it makes nothing acknowledged.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;
use tokio::io::AsyncWriteExt;

use super::close::seated;
use crate::play::table::RULESET;
use crate::program::{command, started};
use crate::wait::until;

/// The answer of the program's database.
pub(super) async fn asks(data: &Path, sql: &str) -> Result<String> {
    let answer = command(data, &["db", "psql"])?.args(["--", "-AtqX", "-c", sql]).output().await?;
    ensure!(answer.status.success(), "{sql}: {answer:?}");
    Ok(String::from_utf8(answer.stdout)?.trim().to_owned())
}

/// Waits until the task that stores submissions waits for something in a statement, and gives its process.
async fn waits(data: &Path, statement: &str, event: &str) -> Result<String> {
    let waiting = format!(
        "select pid from pg_stat_activity where application_name = 'matchbook submissions' \
         and wait_event = '{event}' and query like '%{statement}%'"
    );
    until(async || {
        let pid = asks(data, &waiting).await?;
        ensure!(!pid.is_empty(), "{statement} does not wait");
        Ok(pid)
    })
    .await
}

#[tokio::test]
async fn what_only_the_primary_has_is_not_acknowledged_if_the_wait_is_cancelled() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let data = folder.path().join("data");
    let opening = [("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo"), ("live", "on")];
    let console = umpire.opens(&opening).await?.address;
    let (p1, home) = seated(&umpire, &console, "p1").await?;
    let form = p1.get(&home).await?.fields(&["decision", "submit"])?.with("move", "grow");

    // A node whose heartbeat waits for a standby begins nothing, so the submission is on its way before the standby is away.
    let mut holder = command(&data, &["db", "psql"])?.arg("--").arg("-qX").stdin(Stdio::piped()).spawn()?;
    let mut held = holder.stdin.take().context("its input")?;
    held.write_all(b"begin; lock table submissions in share mode;\n").await?;
    until(async || {
        let locks = "select count(*) from pg_locks where relation = 'submissions'::regclass and mode = 'ShareLock'";
        ensure!(asks(&data, locks).await? == "1", "it is not held");
        Ok(())
    })
    .await?;
    let sending = p1.http.post(format!("{}{home}/submit", p1.address)).form(form.filled_in()).send();
    let sending = tokio::spawn(sending);
    waits(&data, "with wanted", "relation").await?;
    asks(&data, "alter system set synchronous_standby_names = 'away'").await?;
    asks(&data, "select pg_reload_conf()").await?;
    until(async || {
        ensure!(asks(&data, "show synchronous_standby_names").await? == "away", "it is not set");
        Ok(())
    })
    .await?;
    held.write_all(b"commit;\n").await?;
    drop(held);
    let pid = waits(&data, "with wanted", "SyncRep").await?;
    asks(&data, &format!("select pg_cancel_backend({pid})")).await?;
    // The primary has it now, and says so with a warning.
    waits(&data, "pg_logical_emit_message", "SyncRep").await?;
    ensure!(asks(&data, "select count(*) from submissions").await? == "1");
    ensure!(!sending.is_finished(), "it is acknowledged, and a failover would lose it");

    asks(&data, "alter system reset synchronous_standby_names").await?;
    asks(&data, "select pg_reload_conf()").await?;
    let mut answer = sending.await?.context("an answer")?;
    if answer.status() == StatusCode::SERVICE_UNAVAILABLE {
        // The node's heart missed beats meanwhile. Sent again, it counts once.
        answer = until(async || {
            let again = p1.http.post(format!("{}{home}/submit", p1.address)).form(form.filled_in()).send().await?;
            ensure!(again.status().is_success(), "{}", again.text().await?);
            Ok(again)
        })
        .await?;
        ensure!(asks(&data, "select count(*) from submissions where ordinal = 0 and seat = 'p1'").await? == "1");
    }
    ensure!(answer.status().is_success(), "{}", answer.text().await?);
    program.kill().await
}
