//! A start without a key of the log, or with another one: refused in words, and no key is made in its place.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use reqwest::{Client, StatusCode};

use crate::crash::close::seated;
use crate::play::table::RULESET;
use crate::program::{Program, command, entered_by_all, started};
use crate::site::Guest;
use crate::wait::until;
use crate::whole_match::{end, fixture, open, record};

/// Runs a command on a data folder; returns true if it succeeded, and its whole output.
async fn says(data: &Path, arguments: &[&str]) -> Result<(bool, String)> {
    let (code, said) = ends(data, arguments).await?;
    Ok((code == Some(0), said))
}

/// The same with its exit code.
async fn ends(data: &Path, arguments: &[&str]) -> Result<(Option<i32>, String)> {
    let output = command(data, arguments)?.output().await?;
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    Ok((output.status.code(), said))
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
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["umpire", "list"]] {
        // Who starts it again knows by the code that this does not help.
        let (code, said) = ends(data, arguments).await?;
        ensure!(code == Some(4) && said.contains(words), "{arguments:?}: {code:?} {said}");
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

/// The bundle of a match, and its verdict under the policy that the operator hands out.
async fn holds(data: &Path, umpire: &Guest, console: &str) -> Result<String> {
    let (done, lines) = says(data, &["log", "policy"]).await?;
    ensure!(done, "{lines}");
    let (file, policy) = (data.with_file_name("a.bundle"), data.with_file_name("policy"));
    let address = format!("{}{}.bundle", umpire.address, console.replace("/umpire", ""));
    fs::write(&file, umpire.http.get(address).send().await?.bytes().await?)?;
    fs::write(&policy, format!("{lines}quorum none\n"))?;
    let names = [&policy, &file].map(|path| path.to_str().map(str::to_owned));
    let [Some(policy), Some(file)] = names else { anyhow::bail!("paths") };
    let (done, said) = says(data, &["verify", "--policy", &policy, &file]).await?;
    ensure!(done, "{said}");
    Ok(said)
}

#[tokio::test]
async fn lost_keys_of_the_log_and_the_host_are_followed_by_others() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let data = folder.path().join("data");
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let console = open(&umpire, &played).await?;
    program.kill().await?;
    let (program, umpire) = goes_on(&data, umpire, &console, &played.steps[0]).await?;
    program.kill().await?;

    // The host's key is lost: the log's own names both that come next.
    fs::remove_file(data.join("keys/host.key"))?;
    is_refused(&data, "host.key is missing in ").await?;
    let (done, said) = says(&data, &["log", "rotate"]).await?;
    ensure!(done && said.contains("Nothing was changed.") && said.contains("The new origin: "), "{said}");
    let (done, said) = says(&data, &["log", "rotate", "--yes"]).await?;
    ensure!(done && said.contains("Start every node again") && said.contains("\nended "), "{said}");
    ensure!(files(&data)? == ["escrow.key", "host-2.key", "log-2.key", "log.key"]);
    let (program, umpire) = goes_on(&data, umpire, &console, &played.steps[1]).await?;
    let said = holds(&data, &umpire, &console).await?;
    ensure!(!said.contains("did not name"), "{said}");
    program.kill().await?;

    // The log's is lost, too: nobody names the next.
    fs::remove_file(data.join("keys/log-2.key"))?;
    is_refused(&data, "log-2.key is missing in ").await?;
    let (done, said) = says(&data, &["log", "rotate", "--yes"]).await?;
    ensure!(!done && said.contains("is not in keys/, so it cannot name the next one"), "{said}");
    let (done, said) = says(&data, &["log", "succeed", "--old-key-lost", "--yes"]).await?;
    ensure!(!done && said.contains("there is nothing to succeed"), "{said}");
    let (done, said) = says(&data, &["log", "rotate", "--old-key-lost", "--yes"]).await?;
    ensure!(done && said.contains(" lost\n") && said.contains("/3+"), "{said}");
    let (program, umpire) = goes_on(&data, umpire, &console, &played.steps[2]).await?;
    end(&umpire, &console, "p1").await?;
    let said = holds(&data, &umpire, &console).await?;
    ensure!(said.contains("/3 under a key that its key before did not name"), "{said}");
    program.kill().await
}

/// A command with a key of its own in this folder, such as a piece of hardware would have.
fn signer(folder: &Path) -> Result<String> {
    let script = r#"#!/bin/sh
cd "$(dirname "$0")"
case $1 in
public) openssl pkey -in hardware.pem -pubout -outform DER | tail -c 32 | base64 ;;
sign) cat >text && openssl pkeyutl -sign -inkey hardware.pem -rawin -in text | base64 -w 0 ;;
esac
"#;
    let (path, key) = (folder.join("signer"), folder.join("hardware.pem"));
    fs::write(&path, script)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700))?;
    let made = Command::new("openssl").args(["genpkey", "-algorithm", "ed25519", "-out"]).arg(key).status()?;
    ensure!(made.success(), "{made}");
    Ok(path.display().to_string())
}

#[tokio::test]
async fn a_log_is_signed_by_a_key_behind_a_command() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let data = folder.path().join("data");
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let console = open(&umpire, &played).await?;
    program.kill().await?;
    let signer = signer(folder.path())?;
    let (done, said) = says(&data, &["serve", "--log-signer", &signer]).await?;
    ensure!(!done && said.contains("log.key is there and holds another key"), "{said}");
    let (key, lost) = (data.join("keys/log.key"), folder.path().join("log.key"));
    fs::rename(&key, &lost)?;
    let (done, said) = says(&data, &["serve", "--log-signer", &signer]).await?;
    ensure!(!done && said.contains("log.key is missing in ") && !key.exists(), "{said}");
    fs::rename(&lost, &key)?;

    // A new site has its log's key there from the start.
    let new = tempfile::Builder::new().prefix("matchbook-test").permissions(entered_by_all()).tempdir()?;
    let begun = Program::start_at(&new.path().join("data"), "127.0.0.1:0", &["--log-signer", &signer]).await?;
    ensure!(fs::read_to_string(new.path().join("data/keys/log.key"))?.starts_with("signer "), "it holds a key");
    begun.kill().await?;

    let rotates = ["log", "rotate", "--yes", "--log-signer", &signer];
    let (done, said) = says(&data, &rotates).await?;
    ensure!(done && said.contains("Start every node again"), "{said}");
    let (program, umpire) = goes_on(&data, umpire, &console, &played.steps[0]).await?;
    let said = holds(&data, &umpire, &console).await?;
    ensure!(!said.contains("did not name"), "{said}");

    // While the hardware is away nothing is acknowledged that it did not sign.
    let aside = folder.path().join("aside");
    fs::rename(&signer, &aside)?;
    record(&umpire, &console, &played.steps[1]).await?;
    until(async || umpire.get("/readyz").await?.is(StatusCode::SERVICE_UNAVAILABLE).map(drop)).await?;
    // Its arguments may hold a PIN.
    for page in ["/log", &console, "/healthz", "/readyz"] {
        let page = umpire.get(page).await?;
        ensure!(!page.text.contains(&signer), "{}", page.text);
    }
    umpire.get("/log").await?.says("key is behind a command, and it cannot be run")?;
    fs::rename(&aside, &signer)?;
    until(async || umpire.get("/readyz").await?.is(StatusCode::OK).map(drop)).await?;
    holds(&data, &umpire, &console).await?;
    program.kill().await?;

    // The key before names the next, and no key has two names.
    let (done, said) = says(&data, &rotates).await?;
    ensure!(!done && said.contains("each name of a log has its own"), "{said}");
    fs::remove_file(data.join("keys/log-3.key"))?;
    let (done, said) = says(&data, &["log", "rotate", "--yes"]).await?;
    ensure!(done, "{said}");
    let (program, umpire) = goes_on(&data, umpire, &console, &played.steps[2]).await?;
    end(&umpire, &console, "p1").await?;
    let said = holds(&data, &umpire, &console).await?;
    ensure!(!said.contains("did not name"), "{said}");
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

/// Loses the escrow key of a stopped program for good, and starts it with another.
async fn with_another_escrow_key(data: &Path) -> Result<Program> {
    fs::remove_file(data.join("keys/escrow.key"))?;
    let (done, said) = says(data, &["log", "renew-escrow-key", "--yes"]).await?;
    ensure!(done && said.contains("1 running matches have moves under the lost key"), "{said}");
    Program::start(data).await
}

/// Somebody who is not signed in.
fn anybody(program: &Program) -> Guest {
    Guest { http: Client::new(), address: program.address.clone() }
}

/// The match has this result on its page and in the archive, and its evidence holds, with seals that were never opened.
async fn is_ruled_on(guest: &Guest, public: &str, result: &str) -> Result<()> {
    let page = guest.get(public).await?;
    page.is(StatusCode::OK)?.says(result)?;
    ensure!(!page.text.contains("was lost, and replaced on"), "{}", page.text);
    guest.get("/archive").await?.says(public)?;
    let bundle = guest.http.get(format!("{}{public}.bundle", guest.address)).send().await?.bytes().await?;
    let report = ::record::verify::verify(&::record::Bundle::read(&bundle)?);
    ensure!(report.is_good(), "{report:#?}");
    let third = report.findings.get(2).context("a finding on seals")?;
    ensure!(third.details.iter().any(|detail| detail.text.contains("this seal was never opened")), "{third:#?}");
    Ok(())
}

#[tokio::test]
async fn a_move_under_a_lost_key_stays_sealed_and_its_match_is_read_and_ruled_on() -> Result<()> {
    let (folder, program, mut umpire) = started().await?;
    let data = folder.path().join("data");
    let opening = [("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo"), ("live", "on")];
    let console = umpire.opens(&opening).await?.address;
    let public = console.replace("/umpire", "");
    let (mut p1, home) = seated(&umpire, &console, "p1").await?;
    seated(&umpire, &console, "p2").await?;
    let form = p1.get(&home).await?.fields(&["decision", "submit"])?.with("move", "grow");
    p1.sends(&format!("{home}/submit"), &form).await?.says("move received")?;
    program.kill().await?;
    let program = with_another_escrow_key(&data).await?;
    for guest in [&mut umpire, &mut p1] {
        guest.address.clone_from(&program.address);
    }

    // As long as the round is open, only the umpire and the player may know that there is a move.
    let page = anybody(&program).get(&public).await?;
    page.is(StatusCode::OK)?.says("Open questions")?;
    ensure!(!page.text.contains("was lost, and replaced on"), "{}", page.text);
    p1.get(&home).await?.is(StatusCode::OK)?.says("The server cannot open it any more: send it again")?;
    let page = umpire.get(&console).await?;
    page.is(StatusCode::OK)?.says("sealed under a lost key: ask for it again")?;
    let close = page.fields(&["decision", "form", "head"])?;
    umpire.sends(&format!("{console}/close"), &close).await?.is(StatusCode::OK)?;

    // It is sealed now, and a restart changes nothing.
    program.kill().await?;
    let program = Program::start(&data).await?;
    for guest in [&mut umpire, &mut p1] {
        guest.address.clone_from(&program.address);
    }
    let guest = anybody(&program);
    for (reader, page) in [(&guest, &public), (&p1, &home), (&umpire, &console)] {
        let page = reader.get(page).await?;
        page.is(StatusCode::OK)?.says("The key that could open these moves was lost, and replaced on")?;
        page.says("They stay sealed, and the umpire rules.")?;
    }
    for page in ["/live", "/verify", ".json", ".ndjson", ".dmn", ".png"] {
        guest.get(&format!("{public}{page}")).await?.is(StatusCode::OK)?;
    }
    end(&umpire, &console, "p1").await?;
    is_ruled_on(&guest, &public, "Ada won").await?;
    program.kill().await
}

/// A target that did not act stays sealed while the match runs, so every later state depends on the lost key.
#[tokio::test]
async fn a_match_with_a_step_under_a_lost_key_is_struck_back_and_ruled_on() -> Result<()> {
    let (folder, program, mut umpire) = started().await?;
    let data = folder.path().join("data");
    let opening = [("ruleset", "five-card-trick/genius-puzzler"), ("p1", "Ada"), ("p2", "Bo"), ("dmo", "p2")];
    let console = umpire.opens(&opening).await?.address;
    let public = console.replace("/umpire", "");
    for step in ["1. score grow / score steal", "2. claim block:claim / grow block:steal"] {
        record(&umpire, &console, step).await?.is(StatusCode::OK)?;
    }
    program.kill().await?;
    let program = with_another_escrow_key(&data).await?;
    umpire.address.clone_from(&program.address);
    let guest = anybody(&program);
    let page = guest.get(&public).await?;
    page.is(StatusCode::OK)?.says("The key that could open these moves was lost, and replaced on")?;
    page.says("The table is as it was before round 2.")?;
    for page in ["/live", "/verify", ".json", ".ndjson", ".dmn", ".png", "/r/1/after"] {
        guest.get(&format!("{public}{page}")).await?.is(StatusCode::OK)?;
    }
    let page = umpire.get(&console).await?;
    page.is(StatusCode::OK)?.says("Strike back to round 2 first")?;
    let ruling = [("result", "void"), ("text", "The key is lost.")];
    let refused = umpire.fills_in(&page, &format!("{console}/rule"), &ruling).await?;
    refused.says("strike back to that step first")?;

    let preview = umpire.get(&format!("{console}/strike?from=2")).await?;
    let reason = [("reason", "The key is lost.")];
    umpire.fills_in(&preview, &format!("{console}/strike"), &reason).await?.is(StatusCode::OK)?;
    record(&umpire, &console, "2. claim / grow").await?.is(StatusCode::OK)?;
    end(&umpire, &console, "void").await?;
    is_ruled_on(&guest, &public, "the match does not count").await?;
    program.kill().await
}
