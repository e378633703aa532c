//! The checkpoint file: the last signed checkpoint, outside the database. A database restored from a backup forgets
//! what it signed; this file does not. So it should be out of reach of any restore of the database or the data folder.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use ledger::checkpoint::Checkpoint;
use ledger::note::Note;
use ledger::{OriginLine, Tree, TreeSize};
use thiserror::Error;

use super::log_terms::Terms;
use crate::durable::sync_name;

#[derive(Clone, Debug)]
pub(super) struct CheckpointFile {
    path: PathBuf,
    terms: Terms,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileCheckpoint {
    pub(super) origin: OriginLine,
    pub(super) tree: Tree,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FileError {
    /// It holds something else.
    #[error("the checkpoint file {} does not hold a checkpoint that was signed with this log\u{2019}s key", path.display())]
    Foreign { path: PathBuf },
    /// It holds a checkpoint under an origin that is not in the database.
    #[error(
        "the checkpoint file {} remembers the origin {origin}, and the database knows nothing of it", path.display()
    )]
    Unknown {
        path: PathBuf,
        /// Its origin.
        origin: OriginLine,
    },
    /// It is not there, and the database says that this log has signed checkpoints.
    #[error(
        "the checkpoint file {} is not there, and the database says that a checkpoint of {size} entries was signed",
        path.display()
    )]
    Missing {
        path: PathBuf,
        /// The number of entries of the last signed checkpoint in the database.
        size: TreeSize,
    },
    /// It cannot be read or written.
    #[error("the checkpoint file {} cannot be read or written: {why}", path.display())]
    Unusable {
        path: PathBuf,
        /// The system's message.
        why: String,
    },
}

/// How long another process may hold the lock: it needs it for one write.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);
const LOCK_RETRY: Duration = Duration::from_millis(5);

impl CheckpointFile {
    pub(super) const fn new(path: PathBuf, terms: Terms) -> Self {
        Self { path, terms }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) const fn terms(&self) -> &Terms {
        &self.terms
    }

    pub(super) fn read(&self) -> io::Result<Result<Option<FileCheckpoint>, FileError>> {
        match fs::read(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Ok(None)),
            Err(error) => Err(error),
            Ok(bytes) => {
                let foreign = || FileError::Foreign { path: self.path.clone() };
                Ok(self.parse(&bytes).or_else(|| self.later(&bytes)).ok_or_else(foreign).map(Some))
            }
        }
    }

    pub(super) fn parse(&self, note: &[u8]) -> Option<FileCheckpoint> {
        let note = Note::read(note).ok()?;
        let checkpoint = Checkpoint::read(note.text()).ok()?;
        note.verify([self.terms.key(checkpoint.origin().as_str())?]).ok()?;
        Some(FileCheckpoint { origin: checkpoint.origin().clone(), tree: checkpoint.tree() })
    }

    /// The checkpoint of a later origin of this log, of which the database knows nothing: it was set back, and nobody here knows
    /// the key. Such a file only stops the signing.
    fn later(&self, note: &[u8]) -> Option<FileCheckpoint> {
        let checkpoint = Checkpoint::read(Note::read(note).ok()?.text()).ok()?;
        let origin = checkpoint.origin().clone();
        let first = self.terms.iter().next()?.origin.as_str();
        let is_unknown = origin.term().0 == first && self.terms.key(origin.as_str()).is_none();
        is_unknown.then(|| FileCheckpoint { origin, tree: checkpoint.tree() })
    }

    /// Stores a checkpoint durably, replacing the expected one. False if the file holds something else by now, and then
    /// nothing is changed: another process wrote it, perhaps one on a copy of this log.
    pub(super) fn advance(
        &self,
        from: Option<&FileCheckpoint>,
        origin: &OriginLine,
        tree: Tree,
        note: &str,
    ) -> io::Result<bool> {
        let _lock = self.lock()?;
        let Ok(kept) = self.read()? else { return Ok(false) };
        if kept.as_ref().is_some_and(|kept| kept.origin == *origin && kept.tree == tree) {
            return Ok(true);
        }
        if kept.as_ref() != from {
            return Ok(false);
        }
        // The expected checkpoint may be ahead of this one: the file knows more than the row, and the row is catching
        // up.
        if kept.is_none_or(|kept| kept.origin != *origin || kept.tree.size < tree.size) {
            self.replace(note)?;
        }
        Ok(true)
    }

    /// Stores somebody else's checkpoint durably, unless a larger one of the same origin is stored.
    pub(super) fn write(&self, origin: &OriginLine, tree: Tree, note: &str) -> io::Result<()> {
        let _lock = self.lock()?;
        match self.read()? {
            Ok(Some(kept)) if kept.origin == *origin && kept.tree.size >= tree.size => Ok(()),
            _ => self.replace(note),
        }
    }

    /// Lets in one process of a machine at a time, until it is dropped. It waits on the thread of its caller.
    fn lock(&self) -> io::Result<File> {
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(self.beside(".lock"))?;
        for _ in 0..LOCK_PATIENCE.as_millis() / LOCK_RETRY.as_millis() {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::WouldBlock) => thread::sleep(LOCK_RETRY),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::WouldBlock, "another program holds its lock"))
    }

    fn replace(&self, note: &str) -> io::Result<()> {
        // A crash before the rename leaves the old file, and after it the new one; never a part of either.
        let new = self.beside(".new");
        let mut file = File::create(&new)?;
        file.write_all(note.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, &self.path)?;
        sync_name(&self.path)
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = OsString::from(self.path.as_os_str());
        name.push(ending);
        name.into()
    }
}

#[cfg(test)]
mod tests {
    use ledger::{Checkpoint, Hash, KeyName, Origin, SignerKey};

    use super::*;

    fn tree(size: u64, root: u8) -> Tree {
        Tree { size: TreeSize(size), root: Hash::new([root; 32]) }
    }

    #[test]
    fn a_checkpoint_of_another_process_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let origin: Origin = "localhost/matchbook-0123abcd".parse().unwrap();
        let key = SignerKey::from_seed(KeyName::from(&origin), &[7; 32]);
        let file = CheckpointFile::new(folder.path().join("checkpoint"), Terms::first(origin.clone(), key.verifier()));
        let line = OriginLine::from(&origin);
        let remembered = |tree| FileCheckpoint { origin: line.clone(), tree };
        let advance = |from: Option<Tree>, to: Tree| {
            let note = Checkpoint::new(&origin, to).sign(&key).to_string();
            file.advance(from.map(remembered).as_ref(), &line, to, &note).unwrap()
        };
        let kept = || file.read().unwrap().unwrap().map(|kept| kept.tree);

        assert!(advance(None, tree(5, 1)));
        // Two processes compared their logs with 5 entries, and one of them was first.
        assert!(advance(Some(tree(5, 1)), tree(9, 2)));
        for late in [tree(9, 3), tree(8, 3), tree(10, 3)] {
            assert!(!advance(Some(tree(5, 1)), late), "{late:?}");
            assert_eq!(kept(), Some(tree(9, 2)));
        }
        // The same tree is not another history, and a process that expects the current checkpoint can continue.
        assert!(advance(Some(tree(5, 1)), tree(9, 2)));
        assert!(advance(Some(tree(9, 2)), tree(7, 2)));
        assert_eq!(kept(), Some(tree(9, 2)), "it never remembers less");
        assert!(advance(Some(tree(9, 2)), tree(10, 3)));
        assert!(!advance(None, tree(11, 3)), "nor is it taken for empty");
        fs::write(file.path(), "something else").unwrap();
        assert!(!advance(Some(tree(10, 3)), tree(11, 3)));
        assert_eq!(fs::read_to_string(file.path()).unwrap(), "something else");
    }
}
