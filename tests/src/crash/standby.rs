//! A synchronous standby that is away: whoever cancels the wait for it makes nothing acknowledged.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin};

use super::close::seated;
use crate::play::table::RULESET;
use crate::program::{Program, command, started};
use crate::site::Guest;
use crate::wait::until;

/// The answer of the program's database.
pub(super) async fn asks(data: &Path, sql: &str) -> Result<String> {
    let answer = command(data, &["db", "psql"])?.args(["--", "-AtqX", "-c", sql]).output().await?;
    ensure!(answer.status.success(), "{sql}: {answer:?}");
    Ok(String::from_utf8(answer.stdout)?.trim().to_owned())
}

/// Waits until a task of the program, or without a name a connection of its pool, waits for something in a statement, and gives
/// its process at the server.
async fn waits(data: &Path, task: &str, statement: &str, event: &str) -> Result<String> {
    let name = if task.is_empty() { String::new() } else { format!("matchbook {task}") };
    let waiting = format!(
        "select pid from pg_stat_activity where application_name = '{name}' \
         and wait_event = '{event}' and query like '%{statement}%'"
    );
    until(async || {
        let pid = asks(data, &waiting).await?;
        ensure!(!pid.is_empty(), "{statement} does not wait");
        Ok(pid)
    })
    .await
}

/// A table to which nobody can add, as long as this holds it.
struct Held {
    input: ChildStdin,
    _holder: Child,
}

impl Held {
    async fn of(data: &Path, table: &str) -> Result<Self> {
        let psql = command(data, &["db", "psql"])?.arg("--").arg("-qX").stdin(Stdio::piped()).spawn();
        let mut holder = psql?;
        let mut input = holder.stdin.take().context("its input")?;
        input.write_all(format!("begin; lock table {table} in share mode;\n").as_bytes()).await?;
        let locks =
            format!("select count(*) from pg_locks where relation = '{table}'::regclass and mode = 'ShareLock'");
        until(async || {
            ensure!(asks(data, &locks).await? == "1", "it is not held");
            Ok(())
        })
        .await?;
        Ok(Self { input, _holder: holder })
    }

    async fn ends(mut self) -> Result<()> {
        Ok(self.input.write_all(b"commit;\n").await?)
    }
}

/// From now on commits wait for a standby that is not there.
async fn waits_for_standby(data: &Path) -> Result<()> {
    asks(data, "alter system set synchronous_standby_names = 'away'").await?;
    asks(data, "select pg_reload_conf()").await?;
    until(async || {
        ensure!(asks(data, "show synchronous_standby_names").await? == "away", "it is not set");
        Ok(())
    })
    .await
}

async fn waits_for_nobody(data: &Path) -> Result<()> {
    asks(data, "alter system reset synchronous_standby_names").await?;
    asks(data, "select pg_reload_conf()").await?;
    Ok(())
}

/// A program with a live match, its umpire, and the address of its console.
async fn live_match() -> Result<(TempDir, Program, Guest, String)> {
    let (folder, program, umpire) = started().await?;
    let opening = [("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo"), ("live", "on")];
    let console = umpire.opens(&opening).await?.address;
    Ok((folder, program, umpire, console))
}

#[tokio::test]
async fn what_only_the_primary_has_is_not_signed_either() -> Result<()> {
    let (folder, program, umpire, console) = live_match().await?;
    let data = folder.path().join("data");
    let entries = async || asks(&data, "select count(*) from entries where log_id = 1").await;
    // The second line of a checkpoint is the number of entries.
    let kept = async || {
        let note = tokio::fs::read_to_string(folder.path().join("checkpoint")).await?;
        anyhow::Ok(note.lines().nth(1).unwrap_or_default().to_owned())
    };
    let before = entries().await?;
    until(async || {
        ensure!(kept().await? == before, "all that there is gets signed");
        Ok(())
    })
    .await?;

    let held = Held::of(&data, "entries").await?;
    let page = umpire.get(&console).await?;
    let to = format!("{console}/warn");
    let warning = umpire.fills_in(&page, &to, &[("seat", "p1"), ("text", "Hurry")]);
    let cancels = async {
        waits(&data, "writer", "with head", "relation").await?;
        waits_for_standby(&data).await?;
        held.ends().await?;
        let pid = waits(&data, "writer", "with head", "SyncRep").await?;
        asks(&data, &format!("select pg_cancel_backend({pid})")).await?;
        // The primary shows it now, and the signer has read it.
        waits(&data, "writer", "pg_logical_emit_message", "SyncRep").await?;
        waits(&data, "signer", "", "SyncRep").await?;
        ensure!(entries().await? != before, "nothing new is to be signed");
        ensure!(kept().await? == before, "it is signed, and a failover would lose it");
        waits_for_nobody(&data).await
    };
    let (_, cancelled) = tokio::join!(warning, cancels);
    cancelled?;
    until(async || {
        ensure!(kept().await? == entries().await?, "it is signed once it is kept");
        Ok(())
    })
    .await?;
    program.kill().await
}

#[tokio::test]
async fn what_only_the_primary_has_is_not_acknowledged_if_the_wait_is_cancelled() -> Result<()> {
    let (folder, program, umpire, console) = live_match().await?;
    let data = folder.path().join("data");
    let (p1, home) = seated(&umpire, &console, "p1").await?;
    let form = p1.get(&home).await?.fields(&["decision", "submit"])?.with("move", "grow");

    // A node whose heartbeat waits for a standby begins nothing, so the submission is on its way before the standby is away.
    let held = Held::of(&data, "submissions").await?;
    let sending = p1.http.post(format!("{}{home}/submit", p1.address)).form(form.filled_in()).send();
    let sending = tokio::spawn(sending);
    waits(&data, "submissions", "with wanted", "relation").await?;
    waits_for_standby(&data).await?;
    held.ends().await?;
    let pid = waits(&data, "submissions", "with wanted", "SyncRep").await?;
    asks(&data, &format!("select pg_cancel_backend({pid})")).await?;
    // The primary has it now, and says so with a warning.
    waits(&data, "submissions", "pg_logical_emit_message", "SyncRep").await?;
    ensure!(asks(&data, "select count(*) from submissions").await? == "1");
    ensure!(!sending.is_finished(), "it is acknowledged, and a failover would lose it");

    waits_for_nobody(&data).await?;
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

#[tokio::test]
async fn a_close_that_only_the_primary_has_closes_nothing_yet() -> Result<()> {
    let (folder, program, umpire, console) = live_match().await?;
    let data = folder.path().join("data");
    let (p1, home) = seated(&umpire, &console, "p1").await?;
    let form = p1.get(&home).await?.fields(&["decision", "submit"])?.with("move", "grow");
    let sent = p1.http.post(format!("{}{home}/submit", p1.address)).form(form.filled_in()).send().await?;
    ensure!(sent.status().is_success(), "{}", sent.text().await?);

    let close = umpire.get(&console).await?.fields(&["decision", "form", "head"])?.with("sure", "yes");
    let entries = async || asks(&data, "select count(*) from entries where log_id = 1").await;
    let before = entries().await?;
    let held = Held::of(&data, "submissions").await?;
    let to = format!("{console}/close");
    let closing = umpire.sends(&to, &close);
    let cancels = async {
        waits(&data, "", "with closed", "relation").await?;
        waits_for_standby(&data).await?;
        held.ends().await?;
        let pid = waits(&data, "", "with closed", "SyncRep").await?;
        asks(&data, &format!("select pg_cancel_backend({pid})")).await?;
        // The primary has it now.
        waits(&data, "", "pg_logical_emit_message", "SyncRep").await?;
        ensure!(asks(&data, "select count(*) from submissions where commitments is null").await? != "0");
        ensure!(entries().await? == before, "it enters, and a failover would lose its close");
        waits_for_nobody(&data).await
    };
    let (_, cancelled) = tokio::join!(closing, cancels);
    cancelled?;
    until(async || {
        ensure!(entries().await? != before, "it closes once the standby has it");
        Ok(())
    })
    .await?;
    program.kill().await
}

#[tokio::test]
async fn a_link_that_only_the_primary_has_is_not_shown() -> Result<()> {
    let (folder, program, umpire, console) = live_match().await?;
    let data = folder.path().join("data");
    let held = Held::of(&data, "player_links").await?;
    let form = umpire.get(&format!("{console}/links")).await?.fields(&["form"])?.with("seat", "p1");
    let address = format!("{}{console}/links", umpire.address);
    let asks_for_it = || umpire.http.post(&address).form(&form.filled_in()).send();
    let asking = tokio::spawn(asks_for_it());
    waits(&data, "", "insert into player_links", "relation").await?;
    waits_for_standby(&data).await?;
    held.ends().await?;
    let pid = waits(&data, "", "insert into player_links", "SyncRep").await?;
    asks(&data, &format!("select pg_cancel_backend({pid})")).await?;
    // The primary has it now.
    waits(&data, "", "pg_logical_emit_message", "SyncRep").await?;
    ensure!(asks(&data, "select count(*) from player_links").await? == "1");
    ensure!(!asking.is_finished(), "it is shown, and a failover would lose it");
    // Whoever sees nothing sends the same form again: it is there already, and nothing is committed.
    let again = tokio::spawn(asks_for_it());
    let two = "select count(*) from pg_stat_activity where application_name = '' and wait_event = 'SyncRep' \
        and query like '%emit_message%'";
    until(async || {
        let waiting = asks(&data, two).await?;
        ensure!(waiting == "2", "{waiting} wait for the standby");
        Ok(())
    })
    .await?;
    ensure!(!again.is_finished(), "it is shown the second time");

    waits_for_nobody(&data).await?;
    for asking in [asking, again] {
        let answer = asking.await?.context("an answer")?;
        let (status, text) = (answer.status(), answer.text().await?);
        ensure!(status.is_success() && text.contains("/play/"), "{status}: {text}");
    }
    program.kill().await
}
