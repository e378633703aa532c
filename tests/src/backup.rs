//! Backups, restored, and the audit of the restored data.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Result, ensure};
use reqwest::StatusCode;

use crate::program::{Program, command, started};
use crate::site::Guest;
use crate::tampered::another;
use crate::wait::until;
use crate::whole_match::{fixture, open, record};

/// Runs a command on a data folder; returns true if it succeeded, and its whole output.
async fn says(data: &Path, arguments: &[&str]) -> Result<(bool, String)> {
    let output = command(data, arguments)?.output().await?;
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    Ok((output.status.success(), said))
}

fn mode(path: &Path) -> Result<u32> {
    Ok(fs::metadata(path)?.permissions().mode() & 0o777)
}

#[tokio::test]
async fn a_backup_that_is_older_than_what_was_signed_is_not_signed_again_and_a_new_origin_goes_on() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let (data, backup, again) = (folder.path().join("data"), folder.path().join("backup"), folder.path().join("again"));
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let console = open(&umpire, &played).await?;
    record(&umpire, &console, &played.steps[0]).await?;
    let name = backup.to_string_lossy().into_owned();
    let (made, said) = says(&data, &["backup", &name]).await?;
    ensure!(made, "{said}");
    // Signed, witnessed, and missing from the backup.
    record(&umpire, &console, &played.steps[1]).await?;
    let signed = umpire.get("/checkpoint").await?.text;
    program.kill().await?;

    let (restored, said) = says(&again, &["restore", &name]).await?;
    ensure!(restored && said.contains("nothing is wrong"), "{said}");
    let program = Program::start(&again).await?;
    let umpire = Guest { address: program.address.clone(), ..umpire };
    stopped(&umpire).await?;
    umpire.get("/log").await?.says("matchbook log succeed")?;
    // The match stands still: what was acknowledged now would be gone if the newer database came back.
    let refused = record(&umpire, &console, &played.steps[2]).await?;
    refused.is(StatusCode::SERVICE_UNAVAILABLE)?.says("Nothing new is accepted at the moment")?;
    program.kill().await?;
    let (good, said) = says(&again, &["audit"]).await?;
    ensure!(!good && said.contains("this log is not what it says it is"), "{said}");

    let (planned, said) = says(&again, &["log", "succeed"]).await?;
    ensure!(planned && said.contains("--yes"), "{said}");
    let (done, said) = says(&again, &["log", "succeed", "--yes"]).await?;
    ensure!(done, "{said}");
    let program = Program::start(&again).await?;
    let umpire = Guest { address: program.address.clone(), ..umpire };
    record(&umpire, &console, &played.steps[3]).await?;
    let now = umpire.get("/checkpoint").await?;
    let origin = signed.lines().next().unwrap_or_default();
    now.says(&format!("{origin}/2\n"))?.says(&format!("\nsucceeds {origin} "))?;
    // Whoever checks a match needs the key of each name.
    let bundle = umpire.get(&format!("{}.bundle", console.replace("/umpire", ""))).await?;
    bundle.says(&format!("{origin}+"))?.says(&format!("{origin}/2+"))?;
    program.kill().await?;
    Ok(())
}

/// Waits until the site reports that its log is no longer signed.
async fn stopped(guest: &Guest) -> Result<()> {
    until(async || {
        let page = guest.get("/checkpoint").await?;
        page.is(StatusCode::SERVICE_UNAVAILABLE)?.says("not signed any more").map(drop)
    })
    .await
}

#[tokio::test]
async fn a_backup_that_is_restored_has_the_log_the_secrets_and_the_keys_and_an_audit_finds_what_was_altered()
-> Result<()> {
    let (folder, program, umpire) = started().await?;
    let (data, backup, again) = (folder.path().join("data"), folder.path().join("backup"), folder.path().join("again"));
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let console = open(&umpire, &played).await?;
    for step in &played.steps[..3] {
        record(&umpire, &console, step).await?;
    }

    let name = backup.to_string_lossy().into_owned();
    let (made, said) = says(&data, &["backup", &name]).await?;
    ensure!(made && said.contains("Whoever has this folder can sign as this log."), "{said}");
    ensure!(mode(&backup)? == 0o700 && mode(&backup.join("database.dump"))? == 0o600, "for this user alone");
    for key in ["host.key", "escrow.key"] {
        ensure!(mode(&backup.join("keys").join(key))? == 0o600, "{key} is for this user alone");
    }
    let (twice, said) = says(&data, &["backup", &name]).await?;
    ensure!(!twice && said.contains("is there already"), "{said}");
    program.kill().await?;

    let (restored, said) = says(&again, &["restore", &name]).await?;
    ensure!(restored && said.contains("nothing is wrong"), "{said}");
    ensure!(said.contains("What was recorded later is not in it."), "{said}");
    let (twice, said) = says(&again, &["restore", &name]).await?;
    ensure!(!twice && said.contains("restoring would replace keys"), "{said}");

    // The match goes on from the backup: sessions, sealed values and keys are all there.
    let program = Program::start(&again).await?;
    let umpire = Guest { address: program.address.clone(), ..umpire };
    for step in &played.steps[3..] {
        record(&umpire, &console, step).await?;
    }
    let sheet = umpire.get(&console).await?;
    sheet.says("won")?;
    let (good, said) = says(&again, &["audit"]).await?;
    ensure!(good && said.contains("nothing is wrong"), "{said}");

    let altered = another("bytes", "octet_length(bytes) - 5");
    let alter = format!("update entries set bytes = {altered} where pos = 5");
    let altered = command(&again, &["db", "psql"])?.args(["--", "-qc", &alter]).output().await?;
    ensure!(altered.status.success(), "{altered:?}");
    let (good, said) = says(&again, &["audit"]).await?;
    ensure!(!good && said.contains("position 5, match"), "{said}");
    ensure!(said.contains("its bytes were altered") && said.contains("this log is not what it says it is"), "{said}");
    program.kill().await?;
    Ok(())
}

#[tokio::test]
async fn a_key_that_is_missing_or_foreign_ends_a_backup_and_is_told_by_a_restore() -> Result<()> {
    let (folder, program, _) = started().await?;
    program.kill().await?;
    let place = |name: &str| folder.path().join(name);
    let (data, backup, again) = (place("data"), place("backup"), place("again"));
    let name = backup.to_string_lossy().into_owned();
    let (host, aside) = (data.join("keys/host.key"), place("host.key"));
    fs::rename(&host, &aside)?;
    let (made, said) = says(&data, &["backup", &name]).await?;
    ensure!(!made && said.contains("host.key is missing in"), "{said}");
    fs::copy(data.join("keys/log.key"), &host)?;
    let (made, said) = says(&data, &["backup", &name]).await?;
    ensure!(!made && said.contains("keys/host.key is not the key"), "{said}");
    ensure!(!backup.exists(), "nothing was begun");
    fs::rename(&aside, &host)?;
    let (made, said) = says(&data, &["backup", &name]).await?;
    ensure!(made && fs::metadata(place("checkpoint.backup")).is_ok(), "{said}");

    // The same in a backup of somebody who put the keys together by hand.
    fs::copy(backup.join("keys/log.key"), backup.join("keys/host.key"))?;
    let (restored, said) = says(&again, &["restore", &name]).await?;
    ensure!(!restored && said.contains("the keys in the backup are not those of its log"), "{said}");
    Ok(())
}

/// The unit names the checkpoint file for `serve` alone.
#[tokio::test]
async fn every_command_finds_the_checkpoint_file_of_the_site_and_says_if_it_is_gone() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let data = folder.path().join("data");
    open(&umpire, &fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?).await?;
    // It has signed more than the one entry that is left in the end.
    until(async || {
        let checkpoint = umpire.get("/checkpoint").await?;
        ensure!(checkpoint.is(StatusCode::OK)?.text.lines().nth(1).is_some_and(|size| size != "1"));
        Ok(())
    })
    .await?;
    program.terminate().await?;
    ensure!(program.ended().await?.success());
    let bare = async |arguments: &[&str]| -> Result<(Option<i32>, String)> {
        let output = command(&data, arguments)?.env_remove("MATCHBOOK_CHECKPOINT_FILE").output().await?;
        let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
        Ok((output.status.code(), said))
    };
    let (code, said) = bare(&["audit"]).await?;
    ensure!(code == Some(0) && said.contains("nothing is wrong"), "{said}");
    ensure!(bare(&["log", "succeed"]).await?.1.contains("there is nothing to succeed"));

    let (file, aside) = (folder.path().join("checkpoint"), folder.path().join("aside"));
    fs::rename(&file, &aside)?;
    let (code, said) = bare(&["audit"]).await?;
    ensure!(code == Some(1) && said.contains("is not there, so nothing outside the database says"), "{said}");
    ensure!(!said.contains("nothing is wrong"), "{said}");
    let (code, said) = bare(&["log", "succeed"]).await?;
    ensure!(code == Some(1) && said.contains("is not there, and the database says that a checkpoint"), "{said}");
    fs::rename(&aside, &file)?;

    // A database that was set back with everything that it says of itself.
    let back = "delete from entries where pos > 0; delete from tiles; delete from checkpoints; delete from signed_head";
    let done = command(&data, &["db", "psql"])?.args(["--", "-qc", back]).output().await?;
    ensure!(done.status.success(), "{done:?}");
    let (code, said) = bare(&["audit"]).await?;
    ensure!(code == Some(1) && said.contains("a kept checkpoint"), "{said}");
    Ok(())
}

/// A key pair of age's own tests.
const RECIPIENT: &str = "age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa";
const SECRET: &str = "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33\n";
/// Another one.
const OTHER: &str = "AGE-SECRET-KEY-1YSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJQMG2N0K\n";

#[tokio::test]
async fn an_encrypted_backup_says_nothing_and_is_restored_with_its_key_alone() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let place = |name: &str| folder.path().join(name);
    let (data, backup, again) = (place("data"), place("backup"), place("again"));
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let console = open(&umpire, &played).await?;
    record(&umpire, &console, &played.steps[0]).await?;
    let name = backup.to_string_lossy().into_owned();
    let (made, said) = says(&data, &["backup", &name, "--recipient", RECIPIENT]).await?;
    ensure!(made && said.contains("It is encrypted."), "{said}");
    program.kill().await?;

    let files = ["database.dump.age", "keys/host.key.age", "keys/log.key.age", "keys/escrow.key.age"];
    for file in files.map(|file| backup.join(file)) {
        ensure!(mode(&file)? == 0o600 && fs::read(&file)?.starts_with(b"age-encryption.org/v1\n"), "{file:?}");
    }
    ensure!(fs::read_dir(&backup)?.count() == 3 && fs::read_dir(backup.join("keys"))?.count() == 3, "nothing in plain");

    let (secret, other) = (place("secret"), place("other"));
    fs::write(&secret, SECRET)?;
    fs::write(&other, OTHER)?;
    let (restored, said) = says(&again, &["restore", &name]).await?;
    ensure!(!restored && said.contains("is encrypted: name what opens it"), "{said}");
    let (restored, said) = says(&again, &["restore", &name, "--identity", &other.to_string_lossy()]).await?;
    ensure!(!restored && said.contains("the backup was encrypted for another one"), "{said}");
    let (restored, said) = says(&again, &["restore", &name, "--identity", &name]).await?;
    ensure!(!restored && said.contains("cannot be decrypted with this key"), "{said}");
    ensure!(!again.exists(), "nothing was begun");
    let (restored, said) = says(&again, &["restore", &name, "--identity", &secret.to_string_lossy()]).await?;
    ensure!(restored && said.contains("nothing is wrong"), "{said}");

    let program = Program::start(&again).await?;
    let umpire = Guest { address: program.address.clone(), ..umpire };
    record(&umpire, &console, &played.steps[1]).await?;
    program.kill().await?;
    Ok(())
}

#[tokio::test]
async fn a_database_and_a_backup_from_before_the_first_package_are_refused_before_anything_changes() -> Result<()> {
    let (folder, program, _) = started().await?;
    let (data, backup, again) = (folder.path().join("data"), folder.path().join("backup"), folder.path().join("again"));
    let name = backup.to_string_lossy().into_owned();
    let (made, said) = says(&data, &["backup", &name]).await?;
    ensure!(made, "{said}");
    program.kill().await?;

    // The same tables, and the numbers of that time, which began with 34.
    let renumber = "update _sqlx_migrations set version = version + 33";
    let renumbered = command(&data, &["db", "psql"])?.args(["--", "-qc", renumber]).output().await?;
    ensure!(renumbered.status.success(), "{renumbered:?}");
    let file = format!("--file={}", backup.join("database.dump").display());
    let dumped = command(&data, &["db", "with"])?.args(["--", "pg_dump", "--format=custom", &file]).output().await?;
    ensure!(dumped.status.success(), "{dumped:?}");

    let refusal =
        "the database is from a matchbook before its first package and cannot be upgraded. Nothing was changed.";
    let before = dump(&data).await?;
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["backup", &format!("{name}-2")]] {
        let (done, said) = says(&data, arguments).await?;
        ensure!(!done && said.contains(refusal), "{arguments:?}: {said}");
    }
    ensure!(dump(&data).await? == before, "the database is as it was");
    ensure!(!folder.path().join("backup-2").exists(), "no backup that nobody could restore");

    let (restored, said) = says(&again, &["restore", &name]).await?;
    ensure!(!restored && said.contains(&format!("{name} cannot be restored: {refusal}")), "{said}");
    ensure!(!again.exists(), "nothing was begun");
    Ok(())
}

/// Everything in the database of a data folder, as SQL.
async fn dump(data: &Path) -> Result<String> {
    let output = command(data, &["db", "with"])?.args(["--", "pg_dump"]).output().await?;
    ensure!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout)?;
    // Newer versions of pg_dump guard against psql's commands with a random word.
    Ok(text.lines().filter(|line| !line.contains("restrict ")).collect::<Vec<_>>().join("\n"))
}
