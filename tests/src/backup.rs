//! Backups, restored; and the audit of what was restored.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Result, ensure};

use crate::program::{Program, command, started};
use crate::whole_match::{fixture, open, record};

/// Runs a command on a data folder; gives whether it succeeded, and everything that it said.
async fn says(data: &Path, arguments: &[&str]) -> Result<(bool, String)> {
    let output = command(data, arguments)?.output().await?;
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    Ok((output.status.success(), said))
}

fn mode(path: &Path) -> Result<u32> {
    Ok(fs::metadata(path)?.permissions().mode() & 0o777)
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
    record(&umpire, &console, &played.steps[3]).await?;
    program.kill().await?;

    let (restored, said) = says(&again, &["restore", &name]).await?;
    ensure!(restored && said.contains("nothing is wrong"), "{said}");
    ensure!(said.contains("What was recorded later is not in it."), "{said}");
    let (twice, said) = says(&again, &["restore", &name]).await?;
    ensure!(!twice && said.contains("restoring would replace keys"), "{said}");

    // The match goes on where the backup was made: sessions, sealed values and keys are all there.
    let program = Program::start(&again).await?;
    let mut umpire = umpire;
    umpire.address = program.address.clone();
    for step in &played.steps[3..] {
        record(&umpire, &console, step).await?;
    }
    let sheet = umpire.get(&console).await?;
    sheet.says("won")?;
    let (good, said) = says(&again, &["audit"]).await?;
    ensure!(good && said.contains("nothing is wrong"), "{said}");

    let alter = "update entries set bytes = overlay(bytes placing 'X' from octet_length(bytes) - 4) where pos = 5";
    let altered = command(&again, &["db", "psql"])?.args(["--", "-qc", alter]).output().await?;
    ensure!(altered.status.success(), "{altered:?}");
    let (good, said) = says(&again, &["audit"]).await?;
    ensure!(!good && said.contains("position 5, match"), "{said}");
    ensure!(said.contains("its bytes were altered") && said.contains("this log is not what it says it is"), "{said}");
    program.kill().await?;
    Ok(())
}
