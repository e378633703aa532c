//! The unit for systemd, as far as systemd itself can check it without starting it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The highest exposure that `systemd-analyze security` may find, in tenths of a point: 10 is no protection at all.
const EXPOSURE_MAX: &str = "15";

fn unit() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/matchbook.service")
}

#[test]
fn the_unit_is_valid_and_hardened() -> Result<()> {
    let text = fs::read_to_string(unit())?;
    // Without systemd nobody runs the unit here either, and before 250 it checks no file.
    let Ok(said) = Command::new("systemd-analyze").arg("--version").output() else { return Ok(()) };
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let version: u32 = said.split_whitespace().nth(1).and_then(|version| version.parse().ok()).unwrap_or(0);
    if version < 250 {
        return Ok(());
    }
    // The program need not be installed here for its unit to be checked.
    let folder = tempfile::tempdir()?;
    let copy = folder.path().join("matchbook.service");
    fs::write(&copy, text.replace("/usr/local/bin/matchbook", "/bin/sh"))?;
    let checked = Command::new("systemd-analyze").arg("verify").arg(&copy).output()?;
    ensure!(checked.status.success() && checked.stderr.is_empty(), "{checked:?}");
    // The message of a unit that failed, which the program cannot send.
    let failed = fs::read_to_string(unit().with_file_name("matchbook-failed@.service"))?;
    let message = failed.split('\'').nth(1).context("a message")?;
    let message: serde_json::Value = serde_json::from_str(message).context("the message is no JSON")?;
    ensure!(message["type"] == "alert.raised" && message["text"] == message["content"], "{message}");
    let copy_of_it = folder.path().join("matchbook-failed@one.service");
    fs::write(&copy_of_it, failed)?;
    let checked = Command::new("systemd-analyze").arg("verify").arg(&copy_of_it).output()?;
    ensure!(checked.status.success() && checked.stderr.is_empty(), "{checked:?}");
    let exposed = Command::new("systemd-analyze")
        .args(["security", "--offline=true", "--threshold", EXPOSURE_MAX, "--no-pager"])
        .arg(&copy)
        .output()
        .context("systemd-analyze security")?;
    ensure!(exposed.status.success(), "{}", String::from_utf8_lossy(&exposed.stdout));
    Ok(())
}
