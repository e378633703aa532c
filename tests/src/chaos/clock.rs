//! The clock of a program under test, which can be set while it runs.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::library::library;

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
        let (library, path) = (library(folder, "clock")?, folder.join(name));
        fs::write(&path, 0_i64.to_ne_bytes())?;
        let file = File::options().write(true).open(&path)?;
        Ok(Self { library, path, file, ahead: 0 })
    }

    /// The library to preload.
    pub(crate) fn library(&self) -> &Path {
        &self.library
    }

    /// The variable with which a program finds it.
    pub(crate) fn variable(&self) -> (&'static str, &Path) {
        ("CHAOS_CLOCK", &self.path)
    }

    /// Sets it ahead by this many seconds, or back.
    pub(crate) fn jump(&mut self, seconds: i64) -> Result<()> {
        self.ahead += seconds;
        Ok(self.file.write_all_at(&self.ahead.to_ne_bytes(), 0)?)
    }
}
