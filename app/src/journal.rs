//! The journal: every acknowledged submission in a second place, beside the checkpoint file. A database that is set back,
//! by an older snapshot or by a failover that lost commits, may forget submissions that somebody has a receipt for, and
//! nothing in the log shows it before they are entered.
//!
//! The order is: commit, journal, answer; and a close is in the journal before anything of its decision enters. What the
//! database has lost [comes back](crate::recorder::Recorder::put_back) before anything closes.
//!
//! A line is a MAC under a key that is not in the database, and the row as JSON, with its openings encrypted as there.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use ledger::{DecisionId, Hash, MatchId, Moment};
use serde::Deserialize;
use store::AcknowledgedRow;
use thiserror::Error;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use crate::vault::Vault;

/// The most journals beside one checkpoint file: one for each process of the machine that shares it.
const PROCESSES_MAX: u32 = 16;
/// A journal below this size is never rewritten, in bytes.
const SMALL: u64 = 16 << 20;

/// The journal of this process. Its file is made with its first line.
#[derive(Debug)]
pub struct Journal {
    vault: Vault,
    /// Beside it are all journals of this machine.
    checkpoint_file: PathBuf,
    to_writer: Mutex<Sender<Message>>,
    state: Mutex<JournalState>,
    /// How often the database had to be compared with the lines.
    comparisons: AtomicU64,
}

/// What the journal knows of the database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum JournalState {
    /// The database has everything in it.
    #[default]
    Settled,
    /// The database was away, and may have lost something.
    Behind,
    /// The database has something else than what was acknowledged.
    Contradicted(String),
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) row: AcknowledgedRow,
    pub(crate) place: Place,
    /// The leaf hash of the entry that asked. The same name can be asked again after a succession.
    pub(crate) asked: Hash,
}

/// The place of a row.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Place {
    pub(crate) match_id: MatchId,
    pub(crate) decision: DecisionId,
    pub(crate) seat: String,
    pub(crate) ordinal: u8,
    pub(crate) at: Moment,
}

/// The journal could not be written or read.
#[derive(Debug, Error)]
#[error("the journal of submissions beside {} cannot be used: {error}", beside.display())]
pub struct JournalError {
    beside: PathBuf,
    error: io::Error,
}

enum Message {
    Line(Vec<u8>, oneshot::Sender<io::Result<()>>),
    /// Of the lines before a moment, only those of these matches are still needed.
    Keep(BTreeSet<MatchId>, Moment),
}

impl Journal {
    pub(crate) fn new(vault: Vault, checkpoint_file: PathBuf) -> Self {
        let (to_writer, messages) = channel();
        let writer = Writer { checkpoint_file: checkpoint_file.clone(), open: None, rewritten: 0 };
        thread::spawn(move || writer.run(&messages));
        Self {
            vault,
            checkpoint_file,
            to_writer: Mutex::new(to_writer),
            state: Mutex::default(),
            comparisons: AtomicU64::new(0),
        }
    }

    /// What is known of the database.
    #[must_use]
    pub fn state(&self) -> JournalState {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How often the database had to be compared with the lines: if it changes while a submission is stored, its row may be
    /// one that the database forgot, and its line one that nobody compared.
    pub(crate) fn comparisons(&self) -> u64 {
        self.comparisons.load(Ordering::SeqCst)
    }

    /// Says what is known of the database.
    pub(crate) fn set(&self, state: JournalState) {
        if state == JournalState::Behind {
            self.comparisons.fetch_add(1, Ordering::SeqCst);
        }
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    /// Keeps a row durably. Only then may it be acknowledged.
    ///
    /// # Errors
    /// The disk.
    pub(crate) async fn keep(&self, row: &AcknowledgedRow, asked: Hash) -> Result<(), JournalError> {
        let json = format!("{{\"asked\":\"{asked}\",\"row\":{}}}", row.as_str());
        let line = format!("{} {json}\n", self.mac(&json)).into_bytes();
        let (done, written) = oneshot::channel();
        let sent = self.to_writer.lock().unwrap_or_else(PoisonError::into_inner).send(Message::Line(line, done));
        let gone = || io::Error::other("its writer has stopped");
        let written = if sent.is_ok() { written.await.unwrap_or_else(|_| Err(gone())) } else { Err(gone()) };
        written.map_err(|error| JournalError { beside: self.checkpoint_file.clone(), error })
    }

    /// All lines of this machine's journals, oldest first in each. A line that this program did not write, or that a crash
    /// cut off, is left out, and the program's log says so.
    ///
    /// # Errors
    /// The disk.
    pub(crate) async fn lines(&self) -> Result<Vec<Line>, JournalError> {
        let (beside, vault) = (self.checkpoint_file.clone(), self.vault.clone());
        let read = spawn_blocking(move || {
            let mut lines = Vec::new();
            for number in 1..=PROCESSES_MAX {
                let file = journal_file(&beside, number);
                let open = match File::open(&file) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    open => open?,
                };
                for line in BufReader::new(open).split(b'\n') {
                    match parse(&vault, &line?) {
                        Some(line) => lines.push(line),
                        None => tracing::warn!(file = %file.display(), "a line of the journal is no line of this site"),
                    }
                }
            }
            Ok(lines)
        });
        let read = read.await.unwrap_or_else(|_| Err(io::Error::other("the reading was cut short")));
        read.map_err(|error| JournalError { beside: self.checkpoint_file.clone(), error })
    }

    /// Says which matches ran at a moment: older lines of others are dropped once the file has grown.
    pub(crate) fn keep_only(&self, running: BTreeSet<MatchId>, at: Moment) {
        let to_writer = self.to_writer.lock().unwrap_or_else(PoisonError::into_inner);
        // A writer that has stopped says so to the next submission.
        drop(to_writer.send(Message::Keep(running, at)));
    }

    fn mac(&self, json: &str) -> Hash {
        mac(&self.vault, json)
    }
}

fn mac(vault: &Vault, json: &str) -> Hash {
    vault.digest(&[b"journal", json.as_bytes()])
}

#[derive(Deserialize)]
struct RawLine<'a> {
    asked: String,
    #[serde(borrow)]
    row: &'a serde_json::value::RawValue,
}

fn parse(vault: &Vault, line: &[u8]) -> Option<Line> {
    let (claimed, json) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    // The MAC of both is compared: how long that takes says nothing about either.
    if mac(vault, claimed) != mac(vault, &mac(vault, json).to_string()) {
        return None;
    }
    let raw: RawLine<'_> = serde_json::from_str(json).ok()?;
    let place = serde_json::from_str(raw.row.get()).ok()?;
    Some(Line { row: AcknowledgedRow::from_text(raw.row.get().to_owned()), place, asked: raw.asked.parse().ok()? })
}

fn journal_file(checkpoint_file: &Path, number: u32) -> PathBuf {
    let mut name = checkpoint_file.as_os_str().to_owned();
    name.push(format!(".journal-{number}"));
    name.into()
}

/// The thread that writes. Everything that queued during the last write shares one.
struct Writer {
    checkpoint_file: PathBuf,
    open: Option<OpenJournal>,
    /// The size after it was last rewritten, in bytes.
    rewritten: u64,
}

/// An open journal.
struct OpenJournal {
    path: PathBuf,
    file: File,
    /// Held for as long as the process lives: no other process writes to this file.
    _lock: File,
}

impl Writer {
    fn run(mut self, messages: &Receiver<Message>) {
        while let Ok(first) = messages.recv() {
            let (mut bytes, mut waiting, mut keep) = (Vec::new(), Vec::new(), None);
            for message in std::iter::once(first).chain(messages.try_iter()) {
                match message {
                    Message::Line(line, done) => {
                        bytes.extend(line);
                        waiting.push(done);
                    }
                    Message::Keep(running, at) => keep = Some((running, at)),
                }
            }
            let written = if bytes.is_empty() { Ok(()) } else { self.write(&bytes) };
            for done in waiting {
                let copy = match &written {
                    Ok(()) => Ok(()),
                    Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
                };
                // A caller that has stopped waiting sends its submission again.
                drop(done.send(copy));
            }
            if let Some((running, at)) = keep
                && let Err(error) = self.rewrite(&running, at)
            {
                tracing::warn!(%error, "the journal of submissions could not be made smaller");
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let open = match &mut self.open {
            Some(open) => open,
            None => self.open.insert(OpenJournal::beside(&self.checkpoint_file)?),
        };
        let written = open.file.write_all(bytes).and_then(|()| open.file.sync_data());
        if written.is_err() {
            // What was written of it is cut off by the next line's beginning: a new line for that.
            drop(open.file.write_all(b"\n"));
        }
        written
    }

    /// Drops the lines of matches that have ended, if the file is worth it.
    fn rewrite(&mut self, running: &BTreeSet<MatchId>, at: Moment) -> io::Result<()> {
        let Some(open) = &mut self.open else { return Ok(()) };
        if open.file.metadata()?.len() < SMALL.max(2 * self.rewritten) {
            return Ok(());
        }
        let new = open.path.with_extension("new");
        let mut file = append_to(&new, true)?;
        for line in BufReader::new(File::open(&open.path)?).split(b'\n') {
            let line = line?;
            if is_needed(&line, running, at) {
                file.write_all(&line)?;
                file.write_all(b"\n")?;
            }
        }
        file.sync_all()?;
        // A crash before the rename leaves the old file, and after it the new one.
        fs::rename(&new, &open.path)?;
        self.rewritten = file.metadata()?.len();
        open.file = file;
        Ok(())
    }
}

/// True if a line is of one of these matches, is not before this moment, or cannot be read.
fn is_needed(line: &[u8], running: &BTreeSet<MatchId>, at: Moment) -> bool {
    let json = std::str::from_utf8(line).ok().and_then(|line| line.split_once(' ')).map(|(_, json)| json);
    let raw = json.and_then(|json| serde_json::from_str::<RawLine<'_>>(json).ok());
    let place = raw.and_then(|raw| serde_json::from_str::<Place>(raw.row.get()).ok());
    place.is_none_or(|place| running.contains(&place.match_id) || place.at >= at)
}

impl OpenJournal {
    /// The first journal that no other process has.
    fn beside(checkpoint_file: &Path) -> io::Result<Self> {
        for number in 1..=PROCESSES_MAX {
            let path = journal_file(checkpoint_file, number);
            let lock = append_to(&path.with_extension(format!("journal-{number}-lock")), false)?;
            match lock.try_lock() {
                Ok(()) => return Ok(Self { file: append_to(&path, false)?, path, _lock: lock }),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Err(io::Error::other(format!("{PROCESSES_MAX} other programs write journals beside this checkpoint file")))
    }
}

/// A file of this user alone, to append to.
fn append_to(path: &Path, anew: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).mode(0o600);
    if anew {
        options.write(true).truncate(true)
    } else {
        options.append(true)
    };
    options.open(path)
}
