//! When the last backup was made: the time of a file beside the checkpoint file. No restore reaches it, and whatever makes
//! backups can touch it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use ledger::Moment;

use crate::app::App;

fn mark(checkpoint_file: &Path) -> PathBuf {
    let mut name = checkpoint_file.as_os_str().to_owned();
    name.push(".backup");
    name.into()
}

pub fn note_backup(checkpoint_file: &Path) -> io::Result<()> {
    fs::write(mark(checkpoint_file), "Its time is that of the last backup.\n")
}

impl App {
    #[must_use]
    pub fn last_backup(&self) -> Option<Moment> {
        let made = fs::metadata(mark(self.signer().file())).and_then(|mark| mark.modified()).ok()?;
        Moment::try_from(DateTime::<Utc>::from(made)).ok()
    }
}
