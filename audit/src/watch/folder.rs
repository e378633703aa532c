//! The folder of a monitor: the last checkpoint that it accepted, and all that it needs to go on from there.
//!
//! `state` is written whole beside the old one and then takes its name, so that at any time there is one whole state.
//! The file of the tree's hashes only grows before that, and what stands in it behind the state's size counts for
//! nothing. `checkpoint` is a copy for people and for `matchbook audit --checkpoint`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use ledger::note::Note;
use ledger::{Checkpoint, Hash, MatchId, Moment, Tree, TreeSize};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::log_state::{LogState, MatchState};
use crate::tree_file::TreeFile;

pub(super) struct Folder {
    path: PathBuf,
    _lock: File,
}

#[derive(Clone, Debug)]
pub(super) struct WatchState {
    pub(super) checkpoint: Checkpoint,
    pub(super) note: String,
    pub(super) seen: Moment,
    /// The number of the tree's file: another one from each start at the first entry.
    pub(super) term: u32,
    pub(super) log: LogState,
}

#[derive(Debug, Error)]
pub enum FolderError {
    /// It cannot be read or written.
    #[error("the folder {}: {error}", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// Another monitor uses it.
    #[error("another monitor uses the folder {}: stop it, or name another folder", .0.display())]
    InUse(PathBuf),
    /// It is damaged.
    #[error(
        "the folder {} is damaged: {why}. Keep its file checkpoint, which matchbook audit --checkpoint takes, and begin \
         with an empty folder", path.display()
    )]
    Damaged {
        /// The folder.
        path: PathBuf,
        /// The fault.
        why: String,
    },
}

const FORMAT: &str = "watch/1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    matchbook: String,
    checkpoint: String,
    seen: Moment,
    term: u32,
    host_keys: Vec<String>,
    matches: usize,
}

#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(rename = "match")]
    match_id: MatchId,
    state: MatchState,
}

impl Folder {
    pub(super) fn open(path: &Path) -> Result<Self, FolderError> {
        let io = |error| FolderError::Io { path: path.to_owned(), error };
        fs::create_dir_all(path).map_err(io)?;
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(path.join("lock")).map_err(io)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(fs::TryLockError::WouldBlock) => Err(FolderError::InUse(path.to_owned())),
            Err(fs::TryLockError::Error(error)) => Err(io(error)),
        }
    }

    pub(super) fn read(&self) -> Result<Option<WatchState>, FolderError> {
        let file = match File::open(self.path.join("state")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(|error| self.io(error))?,
        };
        let kept = parsed(BufReader::new(file)).map_err(|why| self.damaged(why))?;
        let tree = self.tree(kept.term).and_then(|tree| tree.root(kept.tree().size));
        if tree.map_err(|error| self.io(error))? != Some(kept.tree().root) {
            return Err(self.damaged("the hashes of the tree are not those of its checkpoint".to_owned()));
        }
        Ok(Some(kept))
    }

    /// Keeps a state. After it, and not before, the old one is gone.
    pub(super) fn write(&self, kept: &WatchState) -> Result<(), FolderError> {
        self.replace(kept).map_err(|error| self.io(error))
    }

    fn replace(&self, kept: &WatchState) -> io::Result<()> {
        let header = Header {
            matchbook: FORMAT.to_owned(),
            checkpoint: kept.note.clone(),
            seen: kept.seen,
            term: kept.term,
            host_keys: kept.log.host_keys.clone(),
            matches: kept.log.matches.len(),
        };
        self.put("state", |file| {
            serde_json::to_writer(&mut *file, &header)?;
            for (match_id, state) in &kept.log.matches {
                file.write_all(b"\n")?;
                serde_json::to_writer(&mut *file, &Line { match_id: *match_id, state: *state })?;
            }
            file.write_all(b"\n")
        })?;
        // A crash before this leaves an older copy, which the next state replaces.
        self.put("checkpoint", |file| file.write_all(kept.note.as_bytes()))?;
        for term in (0..kept.term).rev().map_while(|term| self.path_of(term).exists().then_some(term)) {
            fs::remove_file(self.path_of(term))?;
        }
        Ok(())
    }

    /// Keeps a checkpoint that contradicts the kept one: both together are the proof. Its path.
    pub(super) fn write_fork(&self, tree: Tree, note: &str) -> Result<PathBuf, FolderError> {
        let root: String = tree.root.to_string().chars().take(16).collect();
        let name = format!("fork-{}-{root}", tree.size);
        self.put(&name, |file| file.write_all(note.as_bytes())).map_err(|error| self.io(error))?;
        Ok(self.path.join(name))
    }

    pub(super) fn tree(&self, term: u32) -> io::Result<TreeFile> {
        let options = OpenOptions::new().create(true).truncate(false).read(true).write(true).clone();
        Ok(TreeFile::of(options.open(self.path_of(term))?))
    }

    fn path_of(&self, term: u32) -> PathBuf {
        self.path.join(format!("tree.{term}"))
    }

    fn put(&self, name: &str, write: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>) -> io::Result<()> {
        let mut made = tempfile::Builder::new().prefix(name).suffix(".new").tempfile_in(&self.path)?;
        let mut file = BufWriter::new(made.as_file_mut());
        write(&mut file)?;
        file.flush()?;
        drop(file);
        made.as_file().sync_all()?;
        made.persist(self.path.join(name)).map_err(|error| error.error)?;
        File::open(&self.path)?.sync_all()
    }

    pub(super) fn io(&self, error: io::Error) -> FolderError {
        FolderError::Io { path: self.path.clone(), error }
    }

    fn damaged(&self, why: String) -> FolderError {
        FolderError::Damaged { path: self.path.clone(), why }
    }
}

impl WatchState {
    pub(super) fn tree(&self) -> Tree {
        self.checkpoint.tree()
    }
}

fn parsed(mut file: BufReader<File>) -> Result<WatchState, String> {
    let mut line = String::new();
    let next = |file: &mut BufReader<File>, line: &mut String| {
        line.clear();
        file.read_line(line).map_err(|error| error.to_string())
    };
    next(&mut file, &mut line)?;
    let header: Header = serde_json::from_str(&line).map_err(|why| format!("its state does not read: {why}"))?;
    if header.matchbook != FORMAT {
        return Err(format!("this program reads {FORMAT}, and its state is {:?}", header.matchbook));
    }
    let note = Note::read(header.checkpoint.as_bytes()).map_err(|why| why.to_string())?;
    let checkpoint = Checkpoint::read(note.text()).map_err(|why| why.to_string())?;
    let mut log = LogState { host_keys: header.host_keys, ..LogState::default() };
    while next(&mut file, &mut line)? > 0 {
        let Line { match_id, state } = serde_json::from_str(&line).map_err(|why| why.to_string())?;
        log.matches.insert(match_id, state);
    }
    if log.matches.len() != header.matches {
        return Err(format!("its state has {} matches, not {}", log.matches.len(), header.matches));
    }
    Ok(WatchState { checkpoint, note: header.checkpoint, seen: header.seen, term: header.term, log })
}

impl TreeFile {
    pub(super) fn root(&self, size: TreeSize) -> io::Result<Option<Hash>> {
        Ok(ledger::proof::root(size, &|subtree| self.hash_of(subtree)).ok())
    }
}
