//! The journal: every acknowledged submission in a second place, beside the checkpoint file. A database that is set back,
//! by an older snapshot or by a failover that lost commits, may forget submissions that somebody has a receipt for, and
//! nothing in the log shows it before they are entered.
//!
//! The order is: commit, journal, answer; and a close is in the journal before anything of its decision enters. What the
//! database has lost [comes back](crate::recorder::Recorder::put_back) before anything closes.
//!
//! A line is a MAC under a key that is not in the database, and the row as JSON, with its openings encrypted as there. A later
//! line withdraws one whose row nobody has a receipt for: otherwise it would accuse the database of having lost it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use ledger::{DecisionId, Hash, MatchId, Moment};
use serde::Deserialize;
use store::AcknowledgedRow;
use thiserror::Error;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use crate::journal_writer::{Message, NewLine, Writer, journal_file};
use crate::vault::Vault;

/// The most journals beside one checkpoint file: one for each process of the machine that shares it.
pub(crate) const PROCESSES_MAX: u32 = 16;

/// The journal of this process. Its file is made with its first line.
#[derive(Debug)]
pub struct Journal {
    vault: Vault,
    /// Beside it are all journals of this machine.
    checkpoint_file: PathBuf,
    to_writer: Mutex<Sender<Message>>,
    state: Mutex<JournalState>,
    /// How often the database had to be compared with the lines.
    comparisons: Arc<AtomicU64>,
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

/// What a line says of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counts {
    /// It may be acknowledged.
    Kept,
    /// The lines of it before do not count.
    Withdrawn,
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

impl Journal {
    pub(crate) fn new(vault: Vault, checkpoint_file: PathBuf) -> Self {
        let (to_writer, messages) = channel();
        let comparisons = Arc::new(AtomicU64::new(0));
        let writer = Writer::beside(checkpoint_file.clone(), comparisons.clone());
        thread::spawn(move || writer.run(&messages));
        Self { vault, checkpoint_file, to_writer: Mutex::new(to_writer), state: Mutex::default(), comparisons }
    }

    /// What is known of the database.
    #[must_use]
    pub fn state(&self) -> JournalState {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How often the database had to be compared with the lines.
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

    /// Keeps a row durably. Only then may it be acknowledged. False if the database was compared with the lines since the
    /// `compared`th time, before which the row was not stored: the database may have forgotten it again, so its line does not
    /// count.
    ///
    /// # Errors
    /// The disk.
    pub(crate) async fn keep(&self, row: &AcknowledgedRow, asked: Hash, compared: u64) -> Result<bool, JournalError> {
        let (done, written) = oneshot::channel();
        let (line, withdrawal) = (self.line("row", row, asked), self.line("withdrawn", row, asked));
        let message = Message::Line(NewLine { line, withdrawal, compared, done });
        let sent = self.to_writer.lock().unwrap_or_else(PoisonError::into_inner).send(message);
        let gone = || io::Error::other("its writer has stopped");
        let written = if sent.is_ok() { written.await.unwrap_or_else(|_| Err(gone())) } else { Err(gone()) };
        written.map_err(|error| JournalError { beside: self.checkpoint_file.clone(), error })
    }

    /// All lines of this machine's journals that count, oldest first in each. A line that this program did not write, or that
    /// a crash cut off, is left out, and the program's log says so.
    ///
    /// # Errors
    /// The disk.
    pub(crate) async fn lines(&self) -> Result<Vec<Line>, JournalError> {
        let (beside, vault) = (self.checkpoint_file.clone(), self.vault.clone());
        let read = spawn_blocking(move || {
            let mut all = Vec::new();
            for number in 1..=PROCESSES_MAX {
                let file = journal_file(&beside, number);
                let open = match File::open(&file) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    open => open?,
                };
                let mut lines = Vec::new();
                for line in BufReader::new(open).split(b'\n') {
                    let line = line?;
                    match parse(&vault, &line) {
                        None if line.is_empty() => {}
                        Some((line, Counts::Kept)) => lines.push(line),
                        Some((line, Counts::Withdrawn)) => lines.retain(|kept| *kept != line),
                        None => tracing::warn!(file = %file.display(), "a line of the journal is no line of this site"),
                    }
                }
                all.append(&mut lines);
            }
            Ok(all)
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

    /// A line that says this of a row.
    fn line(&self, what: &str, row: &AcknowledgedRow, asked: Hash) -> Vec<u8> {
        let json = format!("{{\"asked\":\"{asked}\",\"{what}\":{}}}", row.as_str());
        format!("{} {json}\n", mac(&self.vault, &json)).into_bytes()
    }
}

fn mac(vault: &Vault, json: &str) -> Hash {
    vault.digest(&[b"journal", json.as_bytes()])
}

/// The JSON of a line, as it is read.
#[derive(Deserialize)]
pub(crate) struct RawLine<'a> {
    asked: String,
    #[serde(borrow)]
    row: Option<&'a serde_json::value::RawValue>,
    #[serde(borrow)]
    withdrawn: Option<&'a serde_json::value::RawValue>,
}

impl RawLine<'_> {
    /// The row, and what the line says of it.
    pub(crate) fn row(&self) -> Option<(&str, Counts)> {
        let kept = self.row.map(|row| (row.get(), Counts::Kept));
        kept.or_else(|| Some((self.withdrawn?.get(), Counts::Withdrawn)))
    }
}

fn parse(vault: &Vault, line: &[u8]) -> Option<(Line, Counts)> {
    let (claimed, json) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    // The MAC of both is compared: how long that takes says nothing about either.
    if mac(vault, claimed) != mac(vault, &mac(vault, json).to_string()) {
        return None;
    }
    let raw: RawLine<'_> = serde_json::from_str(json).ok()?;
    let (row, counts) = raw.row()?;
    let place = serde_json::from_str(row).ok()?;
    let line = Line { row: AcknowledgedRow::from_text(row.to_owned()), place, asked: raw.asked.parse().ok()? };
    Some((line, counts))
}
