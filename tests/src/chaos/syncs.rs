//! What of the files of a folder is on the disk. A machine that loses its power keeps what was flushed, and the names of files
//! in a folder that was flushed since; a killed program loses neither, so no kill shows a flush that is missing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::library::library;

/// The acts of a program on the files of a folder, and the library that writes them down.
pub(crate) struct Syncs {
    library: PathBuf,
    path: PathBuf,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Act {
    /// `create`, `write`, `sync`, or `rename` to this path.
    pub(crate) what: String,
    pub(crate) path: PathBuf,
}

impl Syncs {
    /// Of the files of this folder, and not of deeper ones.
    pub(crate) fn set_up(folder: &Path) -> Result<Self> {
        let (library, path) = (library(folder, "syncs")?, folder.join("syncs"));
        fs::write(&path, "")?;
        Ok(Self { library, path })
    }

    /// The variables with which a program writes them down.
    pub(crate) fn variables(&self) -> [(&'static str, &Path); 2] {
        [("LD_PRELOAD", &self.library), ("CHAOS_SYNCS", &self.path)]
    }

    /// All so far.
    pub(crate) fn acts(&self) -> Result<Vec<Act>> {
        acts(&fs::read_to_string(&self.path)?)
    }
}

fn acts(lines: &str) -> Result<Vec<Act>> {
    let act = |line: &str| {
        let (what, path) = line.split_once(' ').context("an act")?;
        anyhow::Ok(Act { what: what.to_owned(), path: path.into() })
    };
    lines.lines().map(act).collect()
}

/// The file that takes the place of another one.
fn next(path: &Path) -> PathBuf {
    let mut next = path.as_os_str().to_owned();
    next.push(".new");
    next.into()
}

/// Fails if something of a journal or of the checkpoint file counted before it was on the disk: a line before another one was
/// written, a file before it took the place of the one before, and the name of either before the program went on with it. The
/// program may have ended within the last act.
pub(crate) fn check(acts: &[Act], folder: &Path) -> Result<()> {
    // What is written and not flushed, and the names that are not.
    let (mut contents, mut names) = (BTreeSet::new(), BTreeSet::new());
    for (n, Act { what, path }) in acts.iter().enumerate() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_journal = name.starts_with("checkpoint.journal-") && !name.contains("lock");
        if what == "sync" && path == folder {
            names.clear();
        }
        if !is_journal && name != "checkpoint" && name != "checkpoint.new" {
            continue;
        }
        let is_next = name.ends_with(".new");
        let wrong = |what: &str| format!("act {n}: {} {what}", path.display());
        match what.as_str() {
            // The same name again: nobody relies on it before it has the place of the other one.
            "create" if is_next => {
                let old = path.with_extension("");
                ensure!(!names.contains(&old), "{}", wrong("is made, and the name of the one before may be lost"));
                ensure!(!contents.contains(&old), "{}", wrong("is made, and the one before may be lost"));
                contents.insert(path.clone());
            }
            "create" => {
                names.insert(path.clone());
            }
            "write" if is_next => {
                contents.insert(path.clone());
            }
            "write" => {
                ensure!(!names.contains(path), "{}", wrong("is written to, and its name may be lost"));
                ensure!(contents.insert(path.clone()), "{}", wrong("is written to, and the line before may be lost"));
            }
            "sync" => {
                contents.remove(path);
            }
            "rename" => {
                ensure!(!contents.contains(&next(path)), "{}", wrong("is replaced by what may be lost"));
                contents.remove(path);
                names.insert(path.clone());
            }
            _ => {}
        }
    }
    Ok(())
}

#[test]
fn every_flush_that_is_missing_is_noticed() -> Result<()> {
    let folder = Path::new("/beside");
    let lines = "create /beside/checkpoint.journal-1\nsync /beside\n\
                 write /beside/checkpoint.journal-1\nsync /beside/checkpoint.journal-1\n\
                 write /beside/checkpoint.journal-1\nsync /beside/checkpoint.journal-1\n\
                 create /beside/checkpoint.journal-1.new\nwrite /beside/checkpoint.journal-1.new\n\
                 write /beside/checkpoint.journal-1.new\nsync /beside/checkpoint.journal-1.new\n\
                 rename /beside/checkpoint.journal-1\nsync /beside\n\
                 write /beside/checkpoint.journal-1\nsync /beside/checkpoint.journal-1\n\
                 write /beside/checkpoint.journal-1\n\
                 create /beside/checkpoint.new\nwrite /beside/checkpoint.new\nsync /beside/checkpoint.new\n\
                 rename /beside/checkpoint\nsync /beside\n\
                 create /beside/checkpoint.new\n";
    let all = acts(lines)?;
    check(&all, folder)?;
    for n in (0..all.len()).filter(|n| all[*n].what == "sync") {
        let mut without = all.clone();
        let missing = without.remove(n);
        ensure!(check(&without, folder).is_err(), "act {n} is missing, and nobody notices: {missing:?}");
    }
    Ok(())
}
