//! The checkpoint file: what was signed last, outside the database. A database that is restored from a backup forgets what
//! it signed; this file does not, and so it should live where no restore of the database, or of the data folder, reaches.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ledger::checkpoint::Checkpoint;
use ledger::ed25519::PublicKey;
use ledger::note::{KeyName, Note, VerifierKey};
use ledger::{OriginLine, Tree};
use thiserror::Error;

/// Where the last checkpoint is kept.
#[derive(Clone, Debug)]
pub(super) struct CheckpointFile {
    path: PathBuf,
    /// The log's public key. Its name is the origin, and so changes with a succession.
    public: PublicKey,
}

/// What the file remembers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Remembered {
    pub(super) origin: OriginLine,
    pub(super) tree: Tree,
}

/// The file says nothing that could be relied upon.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FileError {
    /// It holds something else.
    #[error("the checkpoint file {} does not hold a checkpoint that was signed with this log\u{2019}s key", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// It holds a checkpoint under an origin that the database has not heard of.
    #[error(
        "the checkpoint file {} remembers the origin {origin}, and the database knows nothing of it", path.display()
    )]
    Unknown {
        /// The file.
        path: PathBuf,
        /// Its origin.
        origin: OriginLine,
    },
}

impl CheckpointFile {
    pub(super) const fn new(path: PathBuf, public: PublicKey) -> Self {
        Self { path, public }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The log's key under one of its origins.
    pub(super) fn verifier(&self, origin: KeyName) -> VerifierKey {
        VerifierKey::ed25519(origin, self.public)
    }

    /// What is remembered; nothing where there is no file.
    pub(super) fn read(&self) -> io::Result<Result<Option<Remembered>, FileError>> {
        match fs::read(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Ok(None)),
            Err(error) => Err(error),
            Ok(bytes) => {
                let foreign = || FileError::Foreign { path: self.path.clone() };
                Ok(self.remembered(&bytes).ok_or_else(foreign).map(Some))
            }
        }
    }

    /// The checkpoint in a note that this log's key signed, under whatever origin.
    pub(super) fn remembered(&self, note: &[u8]) -> Option<Remembered> {
        let note = Note::read(note).ok()?;
        let checkpoint = Checkpoint::read(note.text()).ok()?;
        let name: KeyName = checkpoint.origin().as_str().parse().ok()?;
        note.verify([&self.verifier(name)]).ok()?;
        Some(Remembered { origin: checkpoint.origin().clone(), tree: checkpoint.tree() })
    }

    /// Remembers a checkpoint, durably, unless a larger one of the same origin is remembered already: several processes of
    /// one machine may share the file.
    pub(super) fn write(&self, origin: &OriginLine, tree: Tree, note: &str) -> io::Result<()> {
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(self.beside(".lock"))?;
        // Held until this returns.
        lock.lock()?;
        if let Ok(Some(kept)) = self.read()?
            && kept.origin == *origin
            && kept.tree.size >= tree.size
        {
            return Ok(());
        }
        // A crash before the rename leaves the old file, and after it the new one; never a part of either.
        let new = self.beside(".new");
        let mut file = File::create(&new)?;
        file.write_all(note.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, &self.path)?;
        // The rename itself is durable when the folder is.
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or_else(|| Path::new(".")))?.sync_all()
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = OsString::from(self.path.as_os_str());
        name.push(ending);
        name.into()
    }
}
