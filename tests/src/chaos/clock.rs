//! The clock of a program under test, which can be set while it runs.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

/// A clock, and the library through which a program reads it.
pub(crate) struct Clock {
    library: PathBuf,
    path: PathBuf,
    file: File,
    ahead: i64,
}

impl Clock {
    /// A clock of this name, which is right at first.
    pub(crate) fn set_up(folder: &Path, name: &str) -> Result<Self> {
        let (library, path) = (folder.join("clock.so"), folder.join(name));
        if !library.exists() {
            let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/chaos/clock.c");
            let made = Command::new("cc").args(["-shared", "-fPIC", "-O1", source, "-o"]).arg(&library).output()?;
            ensure!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        }
        fs::write(&path, 0_i64.to_ne_bytes())?;
        let file = File::options().write(true).open(&path)?;
        Ok(Self { library, path, file, ahead: 0 })
    }

    /// The variables with which a program reads it.
    pub(crate) fn variables(&self) -> [(&'static str, &Path); 2] {
        [("LD_PRELOAD", &self.library), ("CHAOS_CLOCK", &self.path)]
    }

    /// Sets it ahead by this many seconds, or back.
    pub(crate) fn jump(&mut self, seconds: i64) -> Result<()> {
        self.ahead += seconds;
        Ok(self.file.write_all_at(&self.ahead.to_ne_bytes(), 0)?)
    }
}
