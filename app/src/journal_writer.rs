//! The thread that writes the journal of this process, and makes it smaller.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};

use ledger::{MatchId, Moment};
use tokio::sync::oneshot;

use crate::durable::sync_name;
use crate::journal::{PROCESSES_MAX, Place, RawLine};

/// A journal below this size is never rewritten, in bytes. A start compares all of it with the database.
const SMALL: u64 = 1 << 20;
/// A probe has the size of a block of the disk: a full one may still take a short line into the last block of the file.
const BLOCK: usize = 4_096;

/// The journals beside a checkpoint file, by number.
pub(crate) fn journal_file(checkpoint_file: &Path, number: u32) -> PathBuf {
    let mut name = checkpoint_file.as_os_str().to_owned();
    name.push(format!(".journal-{number}"));
    name.into()
}

/// A line to write, and whoever waits for it.
pub(crate) struct NewLine {
    pub(crate) line: Vec<u8>,
    /// The line that withdraws it.
    pub(crate) withdrawal: Vec<u8>,
    /// The comparisons with the database before its row was stored.
    pub(crate) compared: u64,
    /// True if it counts.
    pub(crate) done: oneshot::Sender<io::Result<bool>>,
}

pub(crate) enum Message {
    Line(NewLine),
    /// Only finds out if lines can be written.
    Probe(oneshot::Sender<io::Result<()>>),
    /// Of the lines before a moment, only those of these matches are still needed.
    Keep(BTreeSet<MatchId>, Moment),
}

/// Why nothing could be written, until something is written again.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriteFailure(Arc<Mutex<Option<String>>>);

impl WriteFailure {
    pub(crate) fn get(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set(&self, failure: Option<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = failure;
    }

    /// Remembers how a write ended.
    fn note(&self, written: &io::Result<()>) {
        self.set(written.as_ref().err().map(ToString::to_string));
    }
}

/// The thread that writes. Everything that queued during the last write shares one.
pub(crate) struct Writer {
    checkpoint_file: PathBuf,
    comparisons: Arc<AtomicU64>,
    failure: WriteFailure,
    open: Option<OpenJournal>,
    /// The size after it was last rewritten, in bytes.
    rewritten: u64,
}

/// An open journal.
struct OpenJournal {
    path: PathBuf,
    file: File,
    /// True if a part of a line may be its end.
    torn: bool,
    /// Held for as long as the process lives: no other process writes to this file.
    _lock: File,
}

impl Writer {
    pub(crate) const fn beside(checkpoint_file: PathBuf, comparisons: Arc<AtomicU64>, failure: WriteFailure) -> Self {
        Self { checkpoint_file, comparisons, failure, open: None, rewritten: 0 }
    }

    pub(crate) fn run(mut self, messages: &Receiver<Message>) {
        while let Ok(first) = messages.recv() {
            let (mut lines, mut probes, mut keep) = (Vec::new(), Vec::new(), None);
            for message in std::iter::once(first).chain(messages.try_iter()) {
                match message {
                    Message::Line(line) => lines.push(line),
                    Message::Probe(done) => probes.push(done),
                    Message::Keep(running, at) => keep = Some((running, at)),
                }
            }
            self.write_lines(lines);
            if !probes.is_empty() {
                let probed = self.probe();
                self.failure.note(&probed);
                for done in probes {
                    drop(done.send(copy(&probed)));
                }
            }
            if let Some((running, at)) = keep
                && let Err(error) = self.rewrite(&running, at)
            {
                tracing::warn!(%error, "the journal of submissions could not be made smaller");
            }
        }
    }

    /// Writes lines, and says to each whether it counts: not if the database was compared with the lines since its row was
    /// stored, because it may have lost that row.
    fn write_lines(&mut self, mut lines: Vec<NewLine>) {
        // Whoever has stopped waiting sends its submission again.
        lines.retain(|line| !line.done.is_closed());
        let (lines, refused): (Vec<NewLine>, Vec<NewLine>) = lines.into_iter().partition(|line| self.counts(line));
        let bytes: Vec<u8> = lines.iter().flat_map(|line| &line.line).copied().collect();
        let written = if bytes.is_empty() { Ok(()) } else { self.write(&bytes) };
        // Compared while it was written: its row may be stored again, and otherwise.
        let (counted, withdrawn): (Vec<NewLine>, Vec<NewLine>) = lines.into_iter().partition(|line| self.counts(line));
        // A crash before this leaves lines of rows that nobody has a receipt for.
        let bytes: Vec<u8> = withdrawn.iter().flat_map(|line| &line.withdrawal).copied().collect();
        if written.is_ok()
            && !bytes.is_empty()
            && let Err(error) = self.write(&bytes)
        {
            tracing::error!(%error, "lines of the journal of submissions could not be withdrawn");
        }
        for line in counted {
            drop(line.done.send(copy(&written).map(|()| true)));
        }
        for line in withdrawn.into_iter().chain(refused) {
            drop(line.done.send(Ok(false)));
        }
    }

    fn counts(&self, line: &NewLine) -> bool {
        line.compared == self.comparisons.load(Ordering::SeqCst)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.append(bytes);
        self.failure.note(&written);
        written
    }

    fn opened(&mut self) -> io::Result<&mut OpenJournal> {
        let open = match self.open.take() {
            Some(open) => open,
            None => OpenJournal::beside(&self.checkpoint_file)?,
        };
        Ok(self.open.insert(open))
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let open = self.opened()?;
        // A full disk takes a part of a line and no more, so the new line that cuts it off comes with the next one.
        let new_line: &[u8] = if open.torn { b"\n" } else { b"" };
        let written = open.file.write_all(&[new_line, bytes].concat()).and_then(|()| open.file.sync_data());
        open.torn = written.is_err();
        written
    }

    /// Writes empty lines, and takes them back. A crash in between leaves them, and they say nothing.
    fn probe(&mut self) -> io::Result<()> {
        if self.open.as_ref().is_some_and(|open| !open.is_in_place()) {
            // It was moved away, and whoever reads the journals would not find what is written to it.
            self.open = None;
        }
        let open = self.opened()?;
        let before = open.file.metadata()?.len();
        let written = open.file.write_all(&[b'\n'; BLOCK]).and_then(|()| open.file.sync_data());
        let taken_back = open.file.set_len(before);
        written.and(taken_back)
    }

    /// Drops the lines of matches that have ended, if the file is worth it.
    fn rewrite(&mut self, running: &BTreeSet<MatchId>, at: Moment) -> io::Result<()> {
        // A process that was just started finds the journal of the one before. A site that is killed again and again would
        // otherwise compare more and more.
        if self.open.is_none() && journal_file(&self.checkpoint_file, 1).exists() {
            self.open = Some(OpenJournal::beside(&self.checkpoint_file)?);
        }
        let Some(open) = &mut self.open else { return Ok(()) };
        if open.file.metadata()?.len() < SMALL.max(2 * self.rewritten) {
            return Ok(());
        }
        let new = rewritten_file(&open.path);
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
        sync_name(&open.path)?;
        self.rewritten = file.metadata()?.len();
        open.file = file;
        Ok(())
    }
}

/// The file that takes the place of a journal. It is no other file's: the one before a new checkpoint has the checkpoint
/// file's name with `.new`.
fn rewritten_file(journal: &Path) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

/// The result once more, for another who waits.
fn copy(written: &io::Result<()>) -> io::Result<()> {
    match written {
        Ok(()) => Ok(()),
        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
    }
}

/// True if a line is of one of these matches, is not before this moment, or cannot be read.
fn is_needed(line: &[u8], running: &BTreeSet<MatchId>, at: Moment) -> bool {
    if line.is_empty() {
        return false;
    }
    let json = std::str::from_utf8(line).ok().and_then(|line| line.split_once(' ')).map(|(_, json)| json);
    let raw = json.and_then(|json| serde_json::from_str::<RawLine<'_>>(json).ok());
    let place = raw.and_then(|raw| serde_json::from_str::<Place>(raw.row()?.0).ok());
    place.is_none_or(|place| running.contains(&place.match_id) || place.at >= at)
}

impl OpenJournal {
    /// The first journal that no other process has.
    fn beside(checkpoint_file: &Path) -> io::Result<Self> {
        for number in 1..=PROCESSES_MAX {
            let path = journal_file(checkpoint_file, number);
            let lock = append_to(&path.with_extension(format!("journal-{number}-lock")), false)?;
            match lock.try_lock() {
                Ok(()) => {
                    // The process before may have died in a line.
                    let file = append_to(&path, false)?;
                    sync_name(&path)?;
                    let torn = file.metadata()?.len() > 0;
                    return Ok(Self { file, torn, path, _lock: lock });
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Err(io::Error::other(format!("{PROCESSES_MAX} other programs write journals beside this checkpoint file")))
    }

    /// True if its name still leads to this file.
    fn is_in_place(&self) -> bool {
        let place = |found: Metadata| (found.dev(), found.ino());
        let (own, named) = (self.file.metadata().map(place), fs::metadata(&self.path).map(place));
        matches!((own, named), (Ok(own), Ok(named)) if own == named)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A withdrawal would take back the line of another request, whose receipt is out.
    #[test]
    fn what_was_never_written_is_not_withdrawn() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let checkpoint = folder.path().join("checkpoint");
        let mut writer = Writer::beside(checkpoint.clone(), Arc::new(AtomicU64::new(1)), WriteFailure::default());
        let mut keeps = |compared: u64| {
            let (done, answer) = oneshot::channel();
            let (line, withdrawal) = (b"line\n".to_vec(), b"withdrawal\n".to_vec());
            writer.write_lines(vec![NewLine { line, withdrawal, compared, done }]);
            answer.blocking_recv().unwrap()
        };
        assert!(keeps(1)?);
        assert!(!keeps(0)?, "compared since");
        assert_eq!(fs::read_to_string(journal_file(&checkpoint, 1))?, "line\n");
        Ok(())
    }

    #[test]
    fn a_probe_leaves_nothing_and_finds_a_journal_that_cannot_be_written() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let (checkpoint, failure) = (folder.path().join("checkpoint"), WriteFailure::default());
        let (journal, aside) = (journal_file(&checkpoint, 1), folder.path().join("aside"));
        let mut writer = Writer::beside(checkpoint, Arc::default(), failure.clone());
        writer.probe()?;
        writer.write(b"line\n")?;
        writer.probe()?;
        assert_eq!(fs::read_to_string(&journal)?, "line\n");
        // A folder in its place: root could write to any file.
        fs::rename(&journal, &aside)?;
        fs::create_dir(&journal)?;
        assert!(writer.probe().is_err(), "it is elsewhere");
        assert!(writer.write(b"lost\n").is_err() && failure.get().is_some());
        fs::remove_dir(&journal)?;
        fs::rename(&aside, &journal)?;
        writer.write(b"next\n")?;
        assert_eq!((failure.get(), fs::read_to_string(&journal)?), (None, "line\n\nnext\n".to_owned()));
        Ok(())
    }

    #[test]
    fn it_is_made_smaller_and_touches_no_file_of_the_checkpoints() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let checkpoint = folder.path().join("checkpoint");
        // A checkpoint is written beside its file first.
        let next = folder.path().join("checkpoint.new");
        fs::write(&next, "the next checkpoint")?;
        let mut writer = Writer::beside(checkpoint.clone(), Arc::default(), WriteFailure::default());
        let line = "x {\"asked\":\"\",\"row\":{\"match_id\":\"5d3ca9cf-41ed-4d55-8c0d-87ba963cbd78\",\"decision\":\"d1\",\
                    \"seat\":\"p1\",\"ordinal\":0,\"at\":\"2026-11-20T20:41:48.381204Z\"}}\n";
        let lines = line.repeat(usize::try_from(SMALL).unwrap_or(usize::MAX) / line.len() + 1);
        writer.write(lines.as_bytes())?;
        let journal = journal_file(&checkpoint, 1);
        writer.rewrite(&BTreeSet::new(), Moment::MIN)?;
        assert_eq!(fs::read_to_string(&journal)?, lines, "what came since is needed");
        // Not before it has grown to twice that.
        writer.write(lines.as_bytes())?;
        writer.rewrite(&BTreeSet::new(), Moment::MAX)?;
        assert_eq!(fs::read_to_string(&journal)?, "", "its match has ended");
        // The next process makes smaller what it finds.
        writer.write(lines.as_bytes())?;
        drop(writer);
        let mut next_writer = Writer::beside(checkpoint, Arc::default(), WriteFailure::default());
        next_writer.rewrite(&BTreeSet::new(), Moment::MAX)?;
        assert_eq!(fs::read_to_string(&journal)?, "", "its match has ended");
        assert_eq!(fs::read_to_string(&next)?, "the next checkpoint");
        let mut files: Vec<_> =
            fs::read_dir(folder.path())?.map(|file| file.map(|file| file.file_name())).collect::<io::Result<_>>()?;
        files.sort();
        assert_eq!(files, ["checkpoint.journal-1", "checkpoint.journal-1-lock", "checkpoint.new"]);
        Ok(())
    }
}
