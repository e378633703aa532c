//! A start without a key of the log, or with another one: refused in words, and no key is made in its place.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use reqwest::StatusCode;

use crate::program::{Program, command, started};
use crate::site::Guest;
use crate::whole_match::{fixture, open, record};

/// Runs a command on a data folder; returns true if it succeeded, and its whole output.
async fn says(data: &Path, arguments: &[&str]) -> Result<(bool, String)> {
    let output = command(data, arguments)?.output().await?;
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    Ok((output.status.success(), said))
}

/// The names of the key files, in order.
fn files(data: &Path) -> Result<Vec<String>> {
    let names = fs::read_dir(data.join("keys"))?.map(|file| Ok(file?.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect::<Result<_>>()?;
    names.sort();
    Ok(names)
}

/// Every command that opens the log refuses it with these words, and makes no file.
async fn is_refused(data: &Path, words: &str) -> Result<()> {
    let before = files(data)?;
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["umpire", "list"], &["log", "key"]] {
        let (done, said) = says(data, arguments).await?;
        ensure!(!done && said.contains(words), "{arguments:?}: {said}");
        ensure!(files(data)? == before, "{arguments:?} made a key: {:?}", files(data)?);
    }
    Ok(())
}

/// Starts the program again, and plays a step.
async fn goes_on(data: &Path, umpire: Guest, console: &str, step: &str) -> Result<(Program, Guest)> {
    let program = Program::start(data).await?;
    let umpire = Guest { address: program.address.clone(), ..umpire };
    record(&umpire, console, step).await?.is(StatusCode::OK)?;
    Ok((program, umpire))
}

#[tokio::test]
async fn a_lost_host_key_is_not_made_again() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let data = folder.path().join("data");
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let console = open(&umpire, &played).await?;
    program.kill().await?;

    let (key, aside) = (data.join("keys/host.key"), folder.path().join("host.key"));
    fs::rename(&key, &aside)?;
    is_refused(&data, "host.key is missing in ").await?;
    // A key of this shape, and not the one.
    fs::copy(data.join("keys/escrow.key"), &key)?;
    is_refused(&data, "keys/host.key is not the key of this log").await?;
    fs::rename(&aside, &key)?;
    let (program, _) = goes_on(&data, umpire, &console, &played.steps[0]).await?;
    program.kill().await
}

#[tokio::test]
async fn a_lost_escrow_key_is_not_made_again_until_the_operator_says_so() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let data = folder.path().join("data");
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let console = open(&umpire, &played).await?;
    program.kill().await?;

    let (key, aside) = (data.join("keys/escrow.key"), folder.path().join("escrow.key"));
    fs::rename(&key, &aside)?;
    is_refused(&data, "escrow.key is missing in ").await?;
    fs::copy(data.join("keys/host.key"), &key)?;
    is_refused(&data, "keys/escrow.key is not the key of this database").await?;
    fs::rename(&aside, &key)?;
    let (program, umpire) = goes_on(&data, umpire, &console, &played.steps[0]).await?;
    program.kill().await?;
    let (done, said) = says(&data, &["log", "renew-escrow-key", "--yes"]).await?;
    ensure!(!done && said.contains("nothing is lost"), "{said}");

    // Lost for good: only that command makes another.
    fs::remove_file(&key)?;
    let (done, said) = says(&data, &["log", "renew-escrow-key"]).await?;
    ensure!(done && said.contains("Nothing was changed."), "{said}");
    is_refused(&data, "escrow.key is missing in ").await?;
    let (done, said) = says(&data, &["log", "renew-escrow-key", "--yes"]).await?;
    ensure!(done && said.contains("is the key of this database now"), "{said}");
    let program = Program::start(&data).await?;
    let umpire = Guest { address: program.address.clone(), ..umpire };
    let console = open(&umpire, &played).await?;
    record(&umpire, &console, &played.steps[0]).await?.is(StatusCode::OK)?;
    program.kill().await
}
