//! A folder of past matches, entered from the command line.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::{LONG, send, tables};
use crate::program::{command, started};
use crate::site::Guest;
use crate::wait::until;
use crate::whole_match::fixture;

#[tokio::test]
async fn a_folder_of_spreadsheets_is_entered_and_guesses_are_named() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let (data, past) = (folder.path().join("data"), folder.path().join("past"));
    fs::create_dir_all(&past)?;
    let [wide, narrow] = tables("Quill");
    fs::write(past.join("wide.csv"), wide)?;
    fs::write(past.join("narrow.csv"), narrow)?;
    fs::write(past.join("none.csv"), b"\x89PNG\0\0")?;
    let (at, gone) = (past.display().to_string(), folder.path().join("gone.dmn").display().to_string());
    let output = command(&data, &["import", &at, &gone, "--umpire", "Ursula"])?.output().await?;
    let (said, wrong) = (String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
    ensure!(said.contains("2 entered, 0 already there, 2 refused"), "{said}{wrong}");
    ensure!(wrong.contains(&format!("{at}/narrow.csv: The letters of the file are no UTF-8")), "{wrong}");
    ensure!(wrong.contains("none.csv:1: it is no text: there are NUL signs"), "{wrong}");
    ensure!(wrong.contains(&format!("{gone}:1: it cannot be read: ")) && wrong.matches(&gone).count() == 1, "{wrong}");
    umpire.get("/archive").await?.says("Zoë Quill")?.says("Chloë Quill")?;
    program.kill().await?;
    Ok(())
}

#[tokio::test]
async fn a_folder_is_entered_once_and_what_is_refused_is_named() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let (data, past) = (folder.path().join("data"), folder.path().join("past"));
    fs::create_dir_all(past.join("deeper"))?;
    let played = fixture(LONG)?.text;
    let other = played.replace("[P1 \"Noor\"]", "[P1 \"Noor the Second\"]");
    fs::write(past.join("one.DMN"), &played)?;
    fs::write(past.join("deeper/many.dmn"), format!("# Two in one file.\n{played}\n{other}"))?;
    fs::write(
        past.join("table.csv"),
        "ruleset,five-card-trick/dm-colosseum-2\np1,Ada\np2,Bo\nround,p1,p2,ruling\n1,grow,-,p1 Bo left\n",
    )?;
    fs::write(past.join("wrong.dmn"), played.replacen("1. ", "1. jump ", 1))?;
    fs::write(
        past.join("wrong.csv"),
        "ruleset,five-card-trick/dm-colosseum-2\np1,Ada\np2,Bo\nround,p1,p2\n1,grow,jump\n",
    )?;
    let (before, rest) = played.split_once("[Date \"").context("a date")?;
    let (_, rest) = rest.split_once('"').context("its end")?;
    fs::write(past.join("to-come.dmn"), format!("{before}[Date \"9999\"{rest}"))?;
    fs::write(past.join("read-me.txt"), "not a match")?;
    let at = past.display().to_string();
    let run = async || {
        command(&data, &["import", &at, "--umpire", "Ursula", "--source", "the old forum"])?
            .output()
            .await
            .context("a run")
    };
    let first = run().await?;
    let (said, wrong) = (String::from_utf8(first.stdout)?, String::from_utf8(first.stderr)?);
    ensure!(first.status.code() == Some(1), "{said}{wrong}");
    ensure!(said.contains("3 entered, 1 already there, 3 refused"), "{said}{wrong}");
    ensure!(said.contains("; 1 file of another kind passed over"), "{said}{wrong}");
    ensure!(wrong.contains("to-come.dmn:1: Date: 9999 is still to come"), "{wrong}");
    ensure!(wrong.contains("wrong.dmn:10: column 4: \"jump\"") && wrong.contains("wrong.csv:5: "), "{wrong}");
    // Corrected, and run again: existing matches are skipped, for any user and any folder.
    fs::remove_file(past.join("wrong.dmn"))?;
    fs::remove_file(past.join("wrong.csv"))?;
    fs::remove_file(past.join("to-come.dmn"))?;
    let again = run().await?;
    let said = String::from_utf8(again.stdout)?;
    ensure!(again.status.success() && said.contains("0 entered, 4 already there, 0 refused"), "{said}");
    let list = umpire.get("/archive").await?;
    list.says("Noor the Second")?.says("Ada")?;
    program.kill().await?;
    Ok(())
}

#[tokio::test]
async fn a_folder_enters_nothing_that_came_into_the_record_by_another_way() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let (data, past) = (folder.path().join("data"), folder.path().join("past"));
    fs::create_dir_all(&past)?;
    let played = fixture(LONG)?.text;
    let page = umpire.get("/umpire/import").await?;
    let entered = send(&umpire, &page, &[("text", &played), ("do", "enter")]).await?;
    let there = entered.address.replace("/umpire", "");
    let there = there.split('?').next().context("its address")?;
    // The same match, as two other people wrote it down.
    fs::write(past.join("one.dmn"), played.replacen("[Event \"", "[Event \"As I call it: ", 1))?;
    fs::write(past.join("two.dmn"), played.replacen("[P1 \"Noor\"]", "[P1 \"noor\"]", 1))?;
    fs::write(past.join("empty.dmn"), "\n# Nothing yet.\n")?;
    std::os::unix::fs::symlink(&past, past.join("back"))?;
    let at = past.display().to_string();
    let run = async |more: &[&str]| {
        let arguments = [&["import", &at, "--umpire", "Ursula"], more].concat();
        let output = command(&data, &arguments)?.output().await.context("a run")?;
        Ok::<_, anyhow::Error>((String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?))
    };
    let (said, wrong) = run(&[]).await?;
    ensure!(said.contains("0 entered, 2 already there, 1 refused"), "{said}{wrong}");
    ensure!(said.matches(&format!("already there as {there}\n")).count() == 2, "{said} {there}");
    ensure!(wrong.contains("empty.dmn:1: there is nothing in it"), "{wrong}");
    ensure!(wrong.contains("back: passed over, it leads to "), "{wrong}");
    // With a flag they are entered, once.
    let (said, wrong) = run(&["--even-if-there"]).await?;
    ensure!(said.contains("2 entered, 0 already there, 1 refused"), "{said}{wrong}");
    let (said, wrong) = run(&["--even-if-there"]).await?;
    ensure!(said.contains("0 entered, 2 already there, 1 refused"), "{said}{wrong}");
    program.kill().await?;
    Ok(())
}

#[tokio::test]
async fn what_was_played_alike_on_other_days_is_another_match() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let (data, past) = (folder.path().join("data"), folder.path().join("past"));
    fs::create_dir_all(&past)?;
    let walkover = |said: &str| {
        format!(
            "[DMN \"1\"]\n[Ruleset \"three-card/simply-genius\"]\n{said}[P1 \"Ada\"]\n[P2 \"Bo\"]\n[DMO \"p1\"]\n\n\
             umpire: result p1 Bo did not come\n"
        )
    };
    for day in ["2021-05-01", "2021-05-08", "2021-05-15"] {
        fs::write(past.join(format!("{day}.dmn")), walkover(&format!("[Date \"{day}\"]\n")))?;
    }
    let at = past.display().to_string();
    let run = async || {
        let output = command(&data, &["import", &at, "--umpire", "Ursula"])?.output().await.context("a run")?;
        Ok::<_, anyhow::Error>((String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?))
    };
    let (said, wrong) = run().await?;
    ensure!(said.contains("3 entered, 0 already there, 0 refused"), "{said}{wrong}");
    let (said, wrong) = run().await?;
    ensure!(said.contains("0 entered, 3 already there, 0 refused"), "{said}{wrong}");
    // With fewer details, none of them different: only the month, or only the event.
    fs::write(past.join("month.dmn"), walkover("[Date \"2021-05\"]\n[Event \"Cup\"]\n"))?;
    fs::write(past.join("event.dmn"), walkover("[Event \"Cup\"]\n"))?;
    let (said, wrong) = run().await?;
    ensure!(said.contains("0 entered, 5 already there, 0 refused"), "{said}{wrong}");
    let list = umpire.get("/archive.ndjson").await?.text;
    ensure!(list.lines().count() == 3, "{list}");
    program.kill().await?;
    Ok(())
}

/// Checks every match of the list.
async fn all_verify(reader: &Guest, list: &str) -> Result<()> {
    for line in list.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let address = row["address"].as_str().context("an address")?;
        let bundle = reader.http.get(format!("{address}.bundle")).send().await?.bytes().await?;
        let report = record::verify::verify(&record::Bundle::read(&bundle)?);
        ensure!(report.is_good(), "{address}: {}", report.verdict);
        ensure!(record::Bundle::read(&bundle)?.texts.len() == 4, "{address}: the words of another attempt");
    }
    Ok(())
}

#[tokio::test]
async fn a_folder_that_is_entered_twice_at_once_or_killed_and_entered_again_verifies() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let (data, past) = (folder.path().join("data"), folder.path().join("past"));
    fs::create_dir_all(&past)?;
    let played = fixture(LONG)?.text;
    for n in 0..120 {
        let named = played.replace("[P1 \"Noor\"]", &format!("[P1 \"Noor {n}\"]"));
        fs::write(past.join(format!("{n}.dmn")), named)?;
    }
    let at = past.display().to_string();
    let run = || command(&data, &["import", &at, "--umpire", "Ursula", "--source", "the old forum"]);
    // Killed at any point, several times.
    for n in 1..=4 {
        let mut import = run()?.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        tokio::time::sleep(Duration::from_millis(150 * n)).await;
        import.kill().await?;
    }
    let (one, two) = tokio::join!(run()?.output(), run()?.output());
    let (one, two) = (one?, two?);
    ensure!(one.status.success() && two.status.success(), "{one:?} {two:?}");
    // Matches entered by a killed run are in the list once the server has followed the log.
    let list = until(async || {
        let list = umpire.get("/archive.ndjson").await?.text;
        let listed = list.lines().count();
        ensure!(listed == 120, "{listed} matches of 120 files");
        Ok(list)
    })
    .await?;
    all_verify(&umpire, &list).await?;
    program.kill().await?;
    Ok(())
}
