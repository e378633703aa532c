//! Killing the program with kill -9 around the close: acknowledged submissions count, and the decision closes once.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use reqwest::{Client, StatusCode};
use tempfile::TempDir;

use crate::play::table::RULESET;
use crate::program::{Program, command, started};
use crate::site::Guest;

/// A player in a seat.
pub(crate) async fn seated(umpire: &Guest, console: &str, seat: &str) -> Result<(Guest, String)> {
    let page = umpire.post(&format!("{console}/links"), &[("seat", seat)]).await?;
    let http = Client::builder().cookie_store(true).timeout(Duration::from_secs(30)).build()?;
    let guest = Guest { http, address: umpire.address.clone() };
    let sat = guest.read(guest.http.post(page.private_link()?).send().await?).await?;
    Ok((guest, sat.address))
}

#[tokio::test]
async fn killed_at_any_moment_around_the_close_a_decision_closes_once() -> Result<()> {
    let (folder, mut program, mut umpire) = started().await?;
    let data = folder.path().join("data");
    let opening = [("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo"), ("live", "on")];
    let console = umpire.opens(&opening).await?.address;
    let (mut p1, home1) = seated(&umpire, &console, "p1").await?;
    let (mut p2, home2) = seated(&umpire, &console, "p2").await?;
    let moves = ["grow", "claim", "score grow", "steal", "grow", "claim"];
    for (n, text) in moves.into_iter().enumerate() {
        // The first player's move is acknowledged; the second's, and the close, race with the kill.
        let form = p1.get(&home1).await?.fields(&["decision", "submit"])?.with("move", text);
        let sent = p1.sends(&format!("{home1}/submit"), &form).await?;
        ensure!(sent.status.is_success(), "{}", sent.text);
        let other = ["claim", "score", "steal"][n % 3];
        let other = p2.get(&home2).await?.fields(&["decision", "submit"])?.with("move", other);
        let close = umpire.get(&console).await?.fields(&["decision", "form", "head"])?;
        let submitting =
            tokio::spawn(p2.http.post(format!("{}{home2}/submit", p2.address)).form(other.filled_in()).send());
        let closing =
            tokio::spawn(umpire.http.post(format!("{}{console}/close", umpire.address)).form(close.filled_in()).send());
        tokio::time::sleep(Duration::from_millis(n as u64 * 4)).await;
        program.kill().await?;
        let acknowledged = matches!(submitting.await?, Ok(answer) if answer.status().is_success());
        drop(closing.await?);
        program = Program::start(&data).await?;
        for guest in [&mut umpire, &mut p1, &mut p2] {
            guest.address.clone_from(&program.address);
        }
        // Neither knows the outcome, and both send the same again.
        let again = p2.sends(&format!("{home2}/submit"), &other).await?;
        let stands = again.status.is_success();
        ensure!(stands || !acknowledged, "what was acknowledged is late: {}", again.text);
        let closed = umpire.sends(&format!("{console}/close"), &close).await?;
        ensure!(closed.status.is_success(), "{}", closed.text);
        let lines = umpire.get(&format!("{}.ndjson", console.replace("/umpire", ""))).await?.text;
        let of = |kind: &str| lines.lines().filter(|line| line.contains(&format!("\"kind\":\"{kind}\""))).count();
        ensure!(of("resolved") == n + 1, "round {} is there {} times", n + 1, of("resolved"));
        let last = lines.lines().rfind(|line| line.contains("\"kind\":\"resolved\"")).context("a round")?;
        ensure!(last.contains(text), "the first player's move counts: {last}");
        ensure!(last.contains("/ -") != stands, "acknowledged and counted are the same: {last}");
    }
    let bundle = umpire.http.get(format!("{}{}.bundle", umpire.address, console.replace("/umpire", ""))).send().await?;
    let report = ::record::verify::verify(&::record::Bundle::read(&bundle.bytes().await?)?);
    ensure!(report.is_good(), "{report:#?}");
    program.kill().await
}

/// A match with a clockless question, to which the first player's move is acknowledged, and then the program is killed.
async fn killed_behind_a_move() -> Result<(TempDir, Guest, String)> {
    let (folder, program, umpire) = started().await?;
    let opening = [("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo"), ("live", "on")];
    let console = umpire.opens(&opening).await?.address;
    let (p1, home) = seated(&umpire, &console, "p1").await?;
    let (_, _) = seated(&umpire, &console, "p2").await?;
    let form = p1.get(&home).await?.fields(&["decision", "submit"])?.with("move", "grow");
    let sent = p1.sends(&format!("{home}/submit"), &form).await?;
    ensure!(sent.text.contains("move received"), "{}", sent.text);
    program.kill().await?;
    Ok((folder, umpire, console))
}

/// Makes the database of a stopped program like one that lost the first player's move.
async fn forgets(data: &Path) -> Result<()> {
    let forget = "delete from escrow; delete from submissions where seat = 'p1'";
    let forgotten = command(data, &["db", "psql"])?.args(["--", "-c", forget]).output().await?;
    ensure!(String::from_utf8_lossy(&forgotten.stdout).contains("DELETE 1"), "{forgotten:?}");
    Ok(())
}

/// Closes the open question.
pub(super) async fn closes(umpire: &Guest, console: &str) -> Result<()> {
    let close = umpire.get(console).await?.fields(&["decision", "form", "head"])?;
    umpire.sends(&format!("{console}/close"), &close).await?.is(StatusCode::OK)?;
    Ok(())
}

#[tokio::test]
async fn a_journal_that_is_copied_after_the_close_shows_what_the_record_lacks() -> Result<()> {
    let (folder, mut umpire, console) = killed_behind_a_move().await?;
    let data = folder.path().join("data");
    let [journal, aside, copied] =
        ["checkpoint.journal-1", "aside", "checkpoint.journal-2"].map(|name| folder.path().join(name));
    fs::rename(&journal, &aside)?;
    forgets(&data).await?;
    let program = Program::start(&data).await?;
    umpire.address.clone_from(&program.address);
    closes(&umpire, &console).await?;
    program.kill().await?;

    fs::rename(&aside, &copied)?;
    let program = Program::start(&data).await?;
    umpire.address.clone_from(&program.address);
    umpire.get("/healthz").await?.says("\"submissions_missing\":1")?;
    umpire.get(&console.replace("/umpire", "")).await?.says("Moves are missing")?;
    program.kill().await?;
    let audit = command(&data, &["audit"])?.output().await?;
    let said = String::from_utf8_lossy(&audit.stdout);
    ensure!(said.contains("missing: a submission of match") && said.contains("nothing is wrong"), "{said}");
    Ok(())
}

#[tokio::test]
async fn what_the_database_lost_while_the_program_was_down_counts_after_its_start() -> Result<()> {
    let (folder, mut umpire, console) = killed_behind_a_move().await?;
    let data = folder.path().join("data");
    forgets(&data).await?;
    let program = Program::start(&data).await?;
    umpire.address.clone_from(&program.address);
    closes(&umpire, &console).await?;
    let public = console.replace("/umpire", "");
    umpire.get(&public).await?.says("Moves came back")?;
    let lines = umpire.get(&format!("{public}.ndjson")).await?.text;
    ensure!(lines.contains("1. grow / -"), "{lines}");
    program.kill().await?;
    let audit = command(&data, &["audit"])?.output().await?;
    let said = String::from_utf8_lossy(&audit.stdout);
    ensure!(said.contains("put back: a submission of match") && said.contains("nothing is wrong"), "{said}");
    Ok(())
}
