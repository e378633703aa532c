//! The package, as far as it can be checked without installing it: `make package-test` does that.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The highest exposure that `systemd-analyze security` may find, in tenths of a point: 10 is no protection at all.
const EXPOSURE_MAX: &str = "15";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn succeeds(program: &str, arguments: &[&str], folder: &Path) -> Result<()> {
    let done = Command::new(program).args(arguments).current_dir(folder).output().context(program.to_owned())?;
    ensure!(done.status.success() && done.stderr.is_empty(), "{arguments:?}: {done:?}");
    Ok(())
}

#[test]
fn the_unit_is_valid_and_hardened() -> Result<()> {
    // Without systemd nobody runs the units here either, and before 250 it checks no file.
    let Ok(said) = Command::new("systemd-analyze").arg("--version").output() else { return Ok(()) };
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let version: u32 = said.split_whitespace().nth(1).and_then(|version| version.parse().ok()).unwrap_or(0);
    if version < 250 {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    for (unit, copy) in
        [("matchbook.service", "matchbook.service"), ("matchbook-failed@.service", "matchbook-failed@one.service")]
    {
        // The program need not be installed here for its unit to be checked.
        let text = fs::read_to_string(root().join("deploy").join(unit))?.replace("/usr/bin/matchbook", "/bin/sh");
        fs::write(folder.path().join(copy), text)?;
        succeeds("systemd-analyze", &["verify", &format!("./{copy}")], folder.path())?;
    }
    // The message of a unit that failed, which the program cannot send.
    let failed = fs::read_to_string(root().join("deploy/matchbook-failed@.service"))?;
    let message = failed.split('\'').nth(1).context("a message")?;
    let message: serde_json::Value = serde_json::from_str(message).context("the message is no JSON")?;
    ensure!(message["type"] == "alert.raised" && message["text"] == message["content"], "{message}");
    let security = ["security", "--offline=true", "--threshold", EXPOSURE_MAX, "--no-pager", "./matchbook.service"];
    succeeds("systemd-analyze", &security, folder.path())
}

#[test]
fn each_alert_leads_to_its_line_and_each_block_of_the_page_can_be_run() -> Result<()> {
    let page = fs::read_to_string(root().join("docs/operating.md"))?;
    let rules = fs::read_to_string(root().join("deploy/monitoring/rules.yml"))?;
    for rule in rules.split("- alert: ").skip(1) {
        let (name, _) = rule.split_once('\n').context("a name")?;
        let place = rule.split("docs/operating.md#").nth(1).and_then(|rest| rest.lines().next());
        let anchor = format!("<a id=\"{}\"></a>", place.with_context(|| format!("{name} has no runbook"))?);
        let line = page.lines().find(|line| line.contains(&anchor)).with_context(|| format!("no {anchor}"))?;
        ensure!(line.contains(&format!("`{name}`")), "the line of {name} does not name it: {line}");
    }
    // Between two fences: the language, and the block.
    for block in page.split("\n```").skip(1).step_by(2) {
        let (language, block) = block.split_once('\n').context("a block")?;
        ensure!(["sh", "text", "ini"].contains(&language), "can this be run? {block}");
        succeeds("bash", &["-n", "-c", if language == "sh" { block } else { "" }], &root())?;
    }
    for script in ["postinst", "prerm", "postrm"] {
        succeeds("sh", &["-n", script], &root().join("deploy/package"))?;
    }
    let manifest = fs::read_to_string(root().join("server/Cargo.toml"))?;
    for asset in manifest.lines().filter_map(|line| line.strip_prefix("    [\"../")) {
        let glob = format!("compgen -G '{}'", asset.split('"').next().context("a file")?);
        succeeds("bash", &["-c", &glob], &root())?;
    }
    Ok(())
}
