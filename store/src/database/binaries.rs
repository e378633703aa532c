//! The PostgreSQL programs of this system: found on PATH or in the usual places.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use thiserror::Error;

/// The oldest major version that a new cluster is made with.
const OLDEST: u32 = 13;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Binaries {
    pub(super) folder: PathBuf,
    pub(super) major: u32,
}

#[derive(Debug, Error)]
pub enum BinariesError {
    /// There are none at all.
    #[error("PostgreSQL is not installed on this system. This line installs it:\n\n    {install}\n")]
    Missing {
        /// The command that installs them.
        install: &'static str,
    },
    /// They are all too old.
    #[error(
        "PostgreSQL {found} is too old, Matchbook needs {OLDEST} or newer. This line installs it:\n\n    {install}\n"
    )]
    TooOld {
        /// The newest major version found.
        found: u32,
        /// The command that installs a newer one.
        install: &'static str,
    },
    /// The cluster has another version.
    #[error(
        "the database was made by PostgreSQL {made_by}, and this system has only {found}: install PostgreSQL \
         {made_by} beside it, or move the database with pg_upgrade"
    )]
    OtherVersion {
        /// The cluster's major version.
        made_by: u32,
        /// The versions that are installed.
        found: String,
    },
}

impl Binaries {
    /// The programs for a cluster of the given major version, or the best ones for a new cluster: those on PATH,
    /// otherwise the newest in the usual places.
    pub(super) fn find(cluster: Option<u32>) -> Result<Self, BinariesError> {
        choose(installed(), cluster)
    }

    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

pub(super) fn cluster_major(cluster: &Path) -> Option<u32> {
    fs::read_to_string(cluster.join("PG_VERSION")).ok()?.trim().parse().ok()
}

fn choose(installed: Vec<Binaries>, cluster: Option<u32>) -> Result<Binaries, BinariesError> {
    let found: Vec<u32> = installed.iter().map(|binaries| binaries.major).collect();
    let Some(newest) = found.iter().copied().max() else {
        return Err(BinariesError::Missing { install: install_line() });
    };
    let fits = |binaries: &Binaries| cluster.map_or(binaries.major >= OLDEST, |made_by| binaries.major == made_by);
    installed.into_iter().find(fits).ok_or_else(|| match cluster {
        None => BinariesError::TooOld { found: newest, install: install_line() },
        Some(made_by) => {
            let found: Vec<String> = found.iter().map(u32::to_string).collect();
            BinariesError::OtherVersion { made_by, found: found.join(", ") }
        }
    })
}

/// All installed versions: PATH first, because it is the operator's choice, then the usual places, newest first.
fn installed() -> Vec<Binaries> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut all: Vec<Binaries> = Vec::new();
    let mut usual = BTreeMap::new();
    for folder in env::split_paths(&path) {
        if let Some(binaries) = look_into(&folder)
            && !all.contains(&binaries)
        {
            all.push(binaries);
        }
    }
    for folder in usual_places() {
        if let Some(binaries) = look_into(&folder) {
            usual.insert((binaries.major, binaries.folder.clone()), binaries);
        }
    }
    for binaries in usual.into_values().rev() {
        if !all.contains(&binaries) {
            all.push(binaries);
        }
    }
    all
}

fn usual_places() -> Vec<PathBuf> {
    let mut places = vec![PathBuf::from("/usr/local/pgsql/bin"), PathBuf::from("/opt/local/bin")];
    for (parent, prefix, rest) in [
        ("/usr/lib/postgresql", "", "bin"),
        ("/usr", "pgsql-", "bin"),
        ("/usr/libexec", "postgresql", ""),
        ("/opt/homebrew/opt", "postgresql", "bin"),
        ("/usr/local/opt", "postgresql", "bin"),
        ("/home/linuxbrew/.linuxbrew/opt", "postgresql", "bin"),
    ] {
        for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(prefix) {
                places.push(entry.path().join(rest));
            }
        }
    }
    places
}

fn look_into(folder: &Path) -> Option<Binaries> {
    let postgres = folder.join("postgres").canonicalize().ok()?;
    let folder = postgres.parent()?.to_owned();
    if !folder.join("initdb").is_file() {
        return None;
    }
    let said = Command::new(&postgres).arg("--version").output().ok()?;
    Some(Binaries { folder, major: read_major(&String::from_utf8_lossy(&said.stdout))? })
}

/// `postgres (PostgreSQL) 15.16 (Debian 15.16-0+deb12u1)` is 15; `18beta1` is 18.
fn read_major(version: &str) -> Option<u32> {
    let number = version.split_once("(PostgreSQL)")?.1.trim_start();
    let digits = number.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

fn install_line() -> &'static str {
    for (tool, line) in [
        ("/usr/bin/apt-get", "sudo apt-get install -y postgresql"),
        ("/usr/bin/dnf", "sudo dnf install -y postgresql-server"),
        ("/usr/bin/zypper", "sudo zypper install -y postgresql-server"),
        ("/usr/bin/pacman", "sudo pacman -S --noconfirm postgresql"),
        ("/sbin/apk", "sudo apk add postgresql"),
        ("/opt/homebrew/bin/brew", "brew install postgresql@17"),
        ("/usr/local/bin/brew", "brew install postgresql@17"),
    ] {
        if Path::new(tool).exists() {
            return line;
        }
    }
    "(your system's package manager) install postgresql    # so that postgres and initdb are on the PATH"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binaries(major: u32) -> Binaries {
        Binaries { folder: PathBuf::from(format!("/usr/lib/postgresql/{major}/bin")), major }
    }

    #[test]
    fn majors_are_read_as_postgres_prints_them() {
        assert_eq!(read_major("postgres (PostgreSQL) 15.16 (Debian 15.16-0+deb12u1)\n"), Some(15));
        assert_eq!(read_major("postgres (PostgreSQL) 18beta1\n"), Some(18));
        assert_eq!(read_major("postgres 15"), None);
        assert_eq!(read_major(""), None);
    }

    #[test]
    fn a_cluster_gets_the_programs_that_made_it() {
        let installed = || vec![binaries(15), binaries(17), binaries(16)];
        assert_eq!(choose(installed(), None).unwrap().major, 15, "the operator's PATH comes first");
        assert_eq!(choose(installed(), Some(16)).unwrap().major, 16);
        assert_eq!(
            choose(installed(), Some(14)).unwrap_err().to_string(),
            "the database was made by PostgreSQL 14, and this system has only 15, 17, 16: install PostgreSQL 14 \
             beside it, or move the database with pg_upgrade"
        );
    }

    #[test]
    fn what_is_missing_can_be_installed_with_one_line() {
        let missing = choose(vec![], None).unwrap_err().to_string();
        assert!(missing.starts_with("PostgreSQL is not installed on this system."), "{missing}");
        assert!(missing.contains(install_line()), "{missing}");
        assert!(choose(vec![binaries(9)], None).unwrap_err().to_string().starts_with("PostgreSQL 9 is too old"));
    }
}
