//! The journal: every acknowledged submission in a second place, beside the checkpoint file. A database that is set back,
//! by an older snapshot or by a failover that lost commits, may forget submissions that somebody has a receipt for, and
//! nothing in the log shows it before they are entered.
//!
//! The order is: commit, journal, answer; and a close is in the journal before anything of its decision enters. What the
//! database has lost [comes back](crate::recorder::Recorder::put_back) before anything closes.
//!
//! A line is a MAC under a key that is not in the database, and the row as JSON, with its openings encrypted as there. A later
//! line withdraws one whose row nobody has a receipt for: otherwise it would accuse the database of having lost it.
//!
//! While it cannot be written, nothing new is accepted, nothing closes, and the heart of this node [pauses](crate::recorder):
//! so running clocks get the time back.

mod lines;
pub(crate) mod writer;

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::mem;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use ledger::{Commitment, DecisionId, Hash, MatchId, Moment};
use lru::LruCache;
use serde::Deserialize;
use store::AcknowledgedRow;
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::submission_journal::lines::{LINE_MAX, Piece, read_pieces};
use crate::submission_journal::writer::{Message, NewLine, WriteFailure, Writer, journal_file};
use crate::vault::Vault;

/// The most journals beside one checkpoint file: one for each process of the machine that shares it.
pub(crate) const PROCESSES_MAX: u32 = 16;
/// The most rows that are remembered as kept, of some 200 bytes each. One that is forgotten is only kept again.
const KNOWN_MAX: NonZeroUsize = NonZeroUsize::new(20_000).unwrap();
/// The time between probes of a journal that can be written, as far as anybody knows. Without them a full disk would be
/// found by the next submission, and everybody would see that there was one.
const PROBE: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(5);
/// The lines that are compared with the database by one query, and their most bytes.
const BATCH: (usize, usize) = (2_000, 4 << 20);

/// The journal of this process. Its file is made with its first line or probe.
#[derive(Debug)]
pub struct Journal {
    vault: Vault,
    checkpoint_file: PathBuf,
    to_writer: Mutex<Sender<Message>>,
    state: Mutex<JournalState>,
    comparisons: Arc<AtomicU64>,
    known: Arc<Mutex<LruCache<Place, ()>>>,
    failure: WriteFailure,
    probed: Mutex<Option<Duration>>,
    unreadable: Arc<AtomicU64>,
    replaced: Arc<AtomicU64>,
    noticed: Mutex<(u64, Option<Duration>)>,
}

/// The damage to the journals of this machine. It says nothing of any seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JournalDamage {
    pub unreadable: u64,
    /// How often the file was deleted, replaced or cut while this program wrote it.
    pub replaced: u64,
    /// When that was noticed last, by the clock that never goes back.
    pub replaced_at: Option<Duration>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum JournalState {
    #[default]
    Settled,
    Behind,
    Contradicted(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) row: AcknowledgedRow,
    pub(crate) place: Place,
    /// The leaf hash of the entry that asked. The same name can be asked again after a succession.
    pub(crate) asked: Hash,
}

impl Line {
    /// The commitments of its submission; none if it is the line of a close, or cannot be read.
    pub(crate) fn commitments(&self) -> Option<Vec<Commitment>> {
        #[derive(Deserialize)]
        struct Sealed {
            commitments: Option<String>,
        }
        let sealed: Sealed = serde_json::from_str(self.row.as_str()).ok()?;
        let digits = sealed.commitments?;
        let digits = digits.strip_prefix("\\x")?.as_bytes();
        digits.chunks(64).map(|one| std::str::from_utf8(one).ok()?.parse().ok()).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counts {
    Kept,
    Withdrawn,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
pub(crate) struct Place {
    pub(crate) match_id: MatchId,
    pub(crate) decision: DecisionId,
    pub(crate) seat: String,
    pub(crate) ordinal: u8,
    pub(crate) at: Moment,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the journal of submissions beside {} cannot be used: {error}", beside.display())]
pub struct JournalError {
    beside: PathBuf,
    error: String,
}

impl Journal {
    pub(crate) fn new(vault: Vault, checkpoint_file: PathBuf) -> Self {
        let (to_writer, messages) = channel();
        let comparisons = Arc::new(AtomicU64::new(0));
        let (failure, replaced) = (WriteFailure::default(), Arc::<AtomicU64>::default());
        let writer = Writer::beside(checkpoint_file.clone(), comparisons.clone(), failure.clone(), replaced.clone());
        thread::spawn(move || writer.run(&messages));
        let (to_writer, known) = (Mutex::new(to_writer), Arc::new(Mutex::new(LruCache::new(KNOWN_MAX))));
        let (state, probed, noticed) = (Mutex::default(), Mutex::default(), Mutex::default());
        let unreadable = Arc::default();
        Self {
            vault,
            checkpoint_file,
            to_writer,
            state,
            comparisons,
            known,
            failure,
            probed,
            unreadable,
            replaced,
            noticed,
        }
    }

    #[must_use]
    pub fn damage(&self) -> JournalDamage {
        let (replaced, replaced_at) = *self.noticed.lock().unwrap_or_else(PoisonError::into_inner);
        JournalDamage { unreadable: self.unreadable.load(Ordering::SeqCst), replaced, replaced_at }
    }

    #[must_use]
    pub fn failure(&self) -> Option<JournalError> {
        self.failure.get().map(|error| self.error(error))
    }

    /// Finds out, now and then, if it can be written; and each time if the last write failed. The time is one that never goes
    /// back.
    pub(crate) async fn check(&self, ticking: Duration) -> Result<(), JournalError> {
        let is_due = {
            let mut probed = self.probed.lock().unwrap_or_else(PoisonError::into_inner);
            let is_due = probed.is_none_or(|probed| ticking.saturating_sub(probed) >= PROBE);
            if is_due {
                *probed = Some(ticking);
            }
            is_due
        };
        let checked = if is_due { self.probe().await } else { self.try_again().await };
        let replaced = self.replaced.load(Ordering::SeqCst);
        let mut noticed = self.noticed.lock().unwrap_or_else(PoisonError::into_inner);
        if noticed.0 < replaced {
            // The rows that were in it have to be kept again, before anything is acknowledged that they belong to.
            *noticed = (replaced, Some(ticking));
            self.known.lock().unwrap_or_else(PoisonError::into_inner).clear();
            if self.state() == JournalState::Settled {
                self.set(JournalState::Behind);
            }
        }
        checked
    }

    pub(crate) async fn try_again(&self) -> Result<(), JournalError> {
        if self.failure.get().is_some() { self.probe().await } else { Ok(()) }
    }

    async fn probe(&self) -> Result<(), JournalError> {
        let (done, probed) = oneshot::channel();
        self.ask(Message::Probe(done), probed).await
    }

    async fn ask<T>(&self, message: Message, answer: oneshot::Receiver<io::Result<T>>) -> Result<T, JournalError> {
        let sent = self.to_writer.lock().unwrap_or_else(PoisonError::into_inner).send(message).is_ok();
        let why = match timeout(PATIENCE, answer).await {
            Ok(Ok(Ok(done))) => return Ok(done),
            Ok(Ok(Err(error))) => return Err(self.error(error.to_string())),
            Err(_) if sent => "its disk does not answer",
            _ => "its writer has stopped",
        };
        self.failure.set(Some(why.to_owned()));
        Err(self.error(why.to_owned()))
    }

    fn error(&self, error: String) -> JournalError {
        JournalError { beside: self.checkpoint_file.clone(), error }
    }

    #[must_use]
    pub fn state(&self) -> JournalState {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn comparisons(&self) -> u64 {
        self.comparisons.load(Ordering::SeqCst)
    }

    pub(crate) fn set(&self, state: JournalState) {
        if state == JournalState::Behind {
            self.comparisons.fetch_add(1, Ordering::SeqCst);
        }
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    /// Keeps a row durably. Only then may it be acknowledged. False if the database was compared with the lines since the
    /// `compared`th time, before which the row was not stored: the database may have forgotten it again, so its line does not
    /// count.
    pub(crate) async fn keep(&self, row: &AcknowledgedRow, asked: Hash, compared: u64) -> Result<bool, JournalError> {
        let place = serde_json::from_str(row.as_str()).ok();
        if self.has_row(row) {
            return Ok(true);
        }
        let (done, written) = oneshot::channel();
        let (line, withdrawal) = (self.line("row", row, asked), self.line("withdrawn", row, asked));
        if withdrawal.len() > LINE_MAX {
            return Err(self.error(format!("a line of {} bytes is longer than any that is read again", line.len())));
        }
        let counts = self.ask(Message::Line(NewLine { line, withdrawal, compared, done }), written).await?;
        if let Some(place) = place.filter(|_| counts) {
            self.known.lock().unwrap_or_else(PoisonError::into_inner).put(place, ());
        }
        Ok(counts)
    }

    pub(crate) fn has_row(&self, row: &AcknowledgedRow) -> bool {
        serde_json::from_str(row.as_str()).is_ok_and(|place| self.has(&place))
    }

    pub(crate) fn has(&self, place: &Place) -> bool {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).contains(place)
    }

    /// Reads this machine's journals line by line, oldest first in each, in batches. A line that this program did not write
    /// is left out; it is counted, and the program's log names the file.
    pub(crate) fn read(&self) -> Batches {
        let (beside, vault, known) = (self.checkpoint_file.clone(), self.vault.clone(), self.known.clone());
        let (unreadable, (sender, batches)) = (self.unreadable.clone(), mpsc::channel(1));
        spawn_blocking(move || {
            let read = read_all(&beside, &vault, |batch| {
                let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
                for (line, counts) in &batch {
                    match counts {
                        Counts::Kept => drop(known.put(line.place.clone(), ())),
                        // Another one may be there: then it is only kept again.
                        Counts::Withdrawn => drop(known.pop(&line.place)),
                    }
                }
                drop(known);
                sender.blocking_send(Ok(batch)).map_err(io::Error::other)
            });
            match read {
                Ok(found) => unreadable.store(found, Ordering::SeqCst),
                // Whoever reads may be gone.
                Err(error) => drop(sender.blocking_send(Err(JournalError { beside, error: error.to_string() }))),
            }
        });
        batches
    }

    /// Says which matches ran at a moment: older lines of others are dropped once the file has grown.
    pub(crate) fn keep_only(&self, running: BTreeSet<MatchId>, at: Moment) {
        let to_writer = self.to_writer.lock().unwrap_or_else(PoisonError::into_inner);
        // A writer that has stopped says so to the next submission.
        drop(to_writer.send(Message::Keep(running, at)));
    }

    fn line(&self, what: &str, row: &AcknowledgedRow, asked: Hash) -> Vec<u8> {
        let json = format!("{{\"asked\":\"{asked}\",\"{what}\":{}}}", row.as_str());
        format!("{} {json}\n", mac(&self.vault, &json)).into_bytes()
    }
}

/// Lines of journals, and what each says of its row; an error is the last.
pub(crate) type Batches = mpsc::Receiver<Result<Vec<(Line, Counts)>, JournalError>>;

fn read_all(
    beside: &Path,
    vault: &Vault,
    mut each: impl FnMut(Vec<(Line, Counts)>) -> io::Result<()>,
) -> io::Result<u64> {
    let mut all_unreadable = 0;
    for number in 1..=PROCESSES_MAX {
        let path = journal_file(beside, number);
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            open => open?,
        };
        let (mut batch, mut bytes, mut unreadable) = (Vec::new(), 0, 0_u64);
        read_pieces(file, |piece| {
            let read = match piece {
                Piece::Line(line) | Piece::Rest(line) => parse(vault, line).map(|read| (read, line.len())),
                Piece::TooLong => None,
            };
            match read {
                Some((read, length)) => {
                    bytes += length;
                    batch.push(read);
                }
                None if matches!(piece, Piece::Rest(_)) => {}
                None => unreadable += 1,
            }
            if batch.len() >= BATCH.0 || bytes >= BATCH.1 {
                bytes = 0;
                each(mem::take(&mut batch))?;
            }
            Ok(())
        })?;
        each(batch)?;
        if unreadable > 0 {
            tracing::error!(file = %path.display(), unreadable, "lines of a journal of submissions are not of this site, or damaged");
        }
        all_unreadable += unreadable;
    }
    Ok(all_unreadable)
}

fn mac(vault: &Vault, json: &str) -> Hash {
    vault.digest(&[b"journal", json.as_bytes()])
}

#[derive(Deserialize)]
pub(crate) struct RawLine<'a> {
    asked: String,
    #[serde(borrow)]
    row: Option<&'a serde_json::value::RawValue>,
    #[serde(borrow)]
    withdrawn: Option<&'a serde_json::value::RawValue>,
}

impl RawLine<'_> {
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
