//! `matchbook verify` of several bundles at once.

use std::fs;
use std::path::Path;
use std::process::Output;

use anyhow::{Context, Result, ensure};
use tokio::process::Command;

use crate::program::binary;

async fn verifies(bundles: &[&Path]) -> Result<(Output, String)> {
    let output = Command::new(binary()?).args(["verify", "--quiet"]).args(bundles).output().await?;
    let said = String::from_utf8(output.stdout.clone())?;
    Ok((output, said))
}

/// One of the rules' examples.
fn example(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/rules").join(name)
}

#[tokio::test]
async fn a_bundle_that_cannot_be_read_keeps_no_other_from_being_checked() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let garbage = folder.path().join("garbage");
    fs::write(&garbage, "no bundle")?;
    let good = example("8.1.bundle");
    let (output, said) = verifies(&[&garbage, &good]).await?;
    ensure!(!output.status.success(), "{said}");
    ensure!(said.contains("8.1.bundle: so far imported; the moves follow the rules"), "{said}");
    ensure!(String::from_utf8(output.stderr)?.contains("garbage is no bundle"));
    Ok(())
}

/// Each of two bundles may fit together, and be evidence against the host beside the other.
#[tokio::test]
async fn bundles_of_one_log_are_held_against_each_other() -> Result<()> {
    let (one, other) = (example("8.1.bundle"), example("7.10.bundle"));
    for alone in [&one, &other] {
        let (output, said) = verifies(&[alone]).await?;
        ensure!(output.status.success(), "{said}");
    }
    let (output, said) = verifies(&[&one, &one]).await?;
    ensure!(output.status.success(), "{said}");
    // Both are of one match.
    let (output, said) = verifies(&[&one, &other]).await?;
    ensure!(!output.status.success(), "{said}");
    let last = said.lines().last().context("a line")?;
    ensure!(last.contains("7.10.bundle: its entries differ from those of"), "{said}");
    let (output, said) = verifies(&[&one, &example("3.1.bundle")]).await?;
    ensure!(!output.status.success() && said.contains("a log has one host key"), "{said}");
    Ok(())
}
