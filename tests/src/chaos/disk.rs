//! The disk of a program under test, which can be full while it runs.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::library::library;

/// A disk, and the library through which a program writes to it.
pub(crate) struct Disk {
    library: PathBuf,
    path: PathBuf,
    file: File,
}

impl Disk {
    /// A disk of this name, which has room at first.
    pub(crate) fn set_up(folder: &Path, name: &str) -> Result<Self> {
        let (library, path) = (library(folder, "disk")?, folder.join(name));
        fs::write(&path, [0_u8; 16])?;
        // The program counts in it, and may be of another user.
        fs::set_permissions(&path, Permissions::from_mode(0o666))?;
        let file = File::options().read(true).write(true).open(&path)?;
        Ok(Self { library, path, file })
    }

    /// The library to preload.
    pub(crate) fn library(&self) -> &Path {
        &self.library
    }

    /// The variable with which a program finds it.
    pub(crate) fn variable(&self) -> (&'static str, &Path) {
        ("CHAOS_DISK", &self.path)
    }

    /// Lets no file of the program grow any more, or all of them again.
    pub(super) fn set_full(&self, full: bool) -> Result<()> {
        Ok(self.file.write_all_at(&i64::from(full).to_ne_bytes(), 0)?)
    }

    /// How many writes were refused so far.
    pub(super) fn refused(&self) -> Result<i64> {
        let mut refused = [0; 8];
        self.file.read_exact_at(&mut refused, 8)?;
        Ok(i64::from_ne_bytes(refused))
    }
}
