//! A library that is preloaded into a program under test.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

/// Builds the library of this name in a folder, if it is not there yet.
pub(super) fn library(folder: &Path, name: &str) -> Result<PathBuf> {
    let built = folder.join(name).with_extension("so");
    if !built.exists() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/chaos").join(name).with_extension("c");
        let made = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&built).arg(source).output()?;
        ensure!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
    Ok(built)
}
