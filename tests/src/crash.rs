//! Killing the program at any moment: nothing acknowledged is lost, and nothing is stored twice.

mod clock;
pub(crate) mod close;
mod durable;
mod lists;
mod outage;
mod promoted;
mod standby;

use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::program::{Program, started};
use crate::site::Guest;
use crate::whole_match::{fixture, open, record};

#[tokio::test]
async fn killed_at_any_moment_a_round_is_there_once_or_not_at_all() -> Result<()> {
    let (data, program, mut umpire) = started().await?;
    let data = data.path().join("data");
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let console = open(&umpire, &played).await?;

    let mut program = program;
    let mut acknowledged = 0;
    for (n, step) in played.steps.iter().take(8).enumerate() {
        let page = umpire.get(&console).await?;
        let (p1, p2) = step.split_once(" / ").context("a joint step")?;
        let p1 = p1.split_once(". ").map_or(p1, |(_, sent)| sent);
        let fields = page.fields(&["decision", "form", "head"])?.with("p1", p1).with("p2", p2);
        let url = format!("{}{console}/record", umpire.address);
        let sending = tokio::spawn(umpire.http.post(url).form(fields.filled_in()).send());
        // Anywhere from before the first row to after the answer.
        tokio::time::sleep(Duration::from_millis(n as u64 * 2)).await;
        program.kill().await?;
        if matches!(sending.await?, Ok(answer) if answer.status().is_success()) {
            acknowledged += 1;
        }
        program = Program::start(&data).await?;
        umpire.address = program.address.clone();
        // The umpire does not know the outcome, and sends the same form again.
        let again = umpire.sends(&format!("{console}/record"), &fields).await?;
        ensure!(again.status.is_success(), "round {}: {}: {}", n + 1, again.status, again.text);
        let lines = umpire.get(&format!("{}.ndjson", console.replace("/umpire", ""))).await?.text;
        let resolved = lines.lines().filter(|line| line.contains("\"kind\":\"resolved\"")).count();
        ensure!(resolved == n + 1, "round {} is there {resolved} times", n + 1);
    }
    let bundle = umpire.http.get(format!("{}{}.bundle", umpire.address, console.replace("/umpire", ""))).send().await?;
    let report = ::record::verify::verify(&::record::Bundle::read(&bundle.bytes().await?)?);
    ensure!(report.is_good(), "{}", report.verdict);
    println!("8 rounds, killed in each, {acknowledged} of them after the answer");
    program.kill().await
}

#[tokio::test]
async fn killed_at_any_moment_a_draw_is_there_once_and_its_seals_open() -> Result<()> {
    let (folder, mut program, mut umpire) = started().await?;
    let data = folder.path().join("data");
    let file = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/matches/higher-lower/tempo-up"))?;
    let file = file.filter_map(Result::ok).map(|file| file.file_name()).min().context("a match")?;
    let played = fixture(&format!("higher-lower/tempo-up/{}", file.to_string_lossy()))?;
    let console = open(&umpire, &played).await?;
    let public = console.replace("/umpire", "");
    let (mut draws, mut steps) = (0, 0);
    for step in &played.steps {
        steps += 1;
        let Some(drawn) = step.strip_prefix("host: place ") else {
            let page = record(&umpire, &console, step).await?;
            ensure!(page.status.is_success(), "{step}: {}", page.text);
            // A few turns after the last board: seals of the draws are opened by later steps.
            if draws == 5 && steps % 6 == 0 {
                break;
            }
            continue;
        };
        let page = umpire.get(&console).await?;
        let line = format!("place {drawn}");
        let fields = page.form_with("host")?.with("decision", "host").with("host", &line);
        let sending = tokio::spawn(
            umpire.http.post(format!("{}{console}/record", umpire.address)).form(fields.filled_in()).send(),
        );
        // Anywhere from before the row of its secrets to after the answer.
        tokio::time::sleep(Duration::from_millis(draws * 4)).await;
        program.kill().await?;
        drop(sending.await?);
        program = Program::start(&data).await?;
        umpire.address = program.address.clone();
        let again = umpire.sends(&format!("{console}/record"), &fields).await?;
        ensure!(again.status.is_success(), "{line}: {}: {}", again.status, again.text);
        draws += 1;
        let lines = umpire.get(&format!("{public}.ndjson")).await?.text;
        let there = lines.lines().filter(|line| line.contains("\"kind\":\"drawn\"")).count();
        ensure!(there as u64 == draws, "after {draws} draws, {there} are there");
    }
    ensure!(draws == 5, "five boards");
    let page = record_end(&umpire, &console).await?;
    ensure!(page.contains("The match is ended"), "{page}");
    let bundle = umpire.http.get(format!("{}{public}.bundle", umpire.address)).send().await?;
    let report = ::record::verify::verify(&::record::Bundle::read(&bundle.bytes().await?)?);
    ensure!(report.verdict.to_string() == "verified with 1 ruling (recorded by the umpire)", "{report:#?}");
    println!("{draws} draws, killed in each, {steps} steps");
    program.kill().await
}

/// Ends the match by a walkover, which opens everything.
async fn record_end(umpire: &Guest, console: &str) -> Result<String> {
    let page = umpire.get(console).await?;
    let page = umpire.fills_in(&page, &format!("{console}/decide"), &[("decided", "walkover-p2")]).await?;
    ensure!(page.status.is_success(), "{}", page.text);
    let page = umpire.fills_in(&page, &format!("{console}/end"), &[]).await?;
    ensure!(page.status.is_success(), "{}", page.text);
    Ok(page.text)
}
