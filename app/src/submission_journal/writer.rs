//! The thread that writes the journal of this process, and makes it smaller.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};

use ledger::{MatchId, Moment};
use tokio::sync::oneshot;

use crate::durable::sync_name;
use crate::submission_journal::lines::{LINE_MAX, Piece, is_end, read_pieces};
use crate::submission_journal::{PROCESSES_MAX, Place, RawLine};

/// A journal below this size is never rewritten, in bytes. A start compares all of it with the database.
const SMALL: u64 = 1 << 20;
/// A probe has the size of a block of the disk: a full one may still take a short line into the last block of the file.
const BLOCK: usize = 4_096;

pub(crate) fn journal_file(checkpoint_file: &Path, number: u32) -> PathBuf {
    let mut name = checkpoint_file.as_os_str().to_owned();
    name.push(format!(".journal-{number}"));
    name.into()
}

pub(crate) struct NewLine {
    pub(crate) line: Vec<u8>,
    pub(crate) withdrawal: Vec<u8>,
    /// The comparisons with the database before its row was stored.
    pub(crate) compared: u64,
    /// True if it counts.
    pub(crate) done: oneshot::Sender<io::Result<bool>>,
}

pub(crate) enum Message {
    Line(NewLine),
    Probe(oneshot::Sender<io::Result<()>>),
    /// Of the lines before a moment, only those of these matches are still needed.
    Keep(BTreeSet<MatchId>, Moment),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct WriteFailure(Arc<Mutex<Option<String>>>);

impl WriteFailure {
    pub(crate) fn get(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set(&self, failure: Option<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = failure;
    }

    fn note(&self, written: &io::Result<()>) {
        self.set(written.as_ref().err().map(ToString::to_string));
    }
}

/// The thread that writes. Everything that queued during the last write shares one.
pub(crate) struct Writer {
    checkpoint_file: PathBuf,
    comparisons: Arc<AtomicU64>,
    failure: WriteFailure,
    replaced: Arc<AtomicU64>,
    /// Held for as long as the process lives: no other process writes to this file, whatever becomes of the journal in it.
    locked: Option<LockedPlace>,
    open: Option<OpenJournal>,
    rewritten: u64,
}

struct LockedPlace {
    journal: PathBuf,
    lock: File,
}

struct OpenJournal {
    path: PathBuf,
    file: File,
    torn: bool,
    size: u64,
}

impl Writer {
    pub(crate) const fn beside(
        checkpoint_file: PathBuf,
        comparisons: Arc<AtomicU64>,
        failure: WriteFailure,
        replaced: Arc<AtomicU64>,
    ) -> Self {
        Self { checkpoint_file, comparisons, failure, replaced, locked: None, open: None, rewritten: 0 }
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
        let mut open = self.open.take();
        if let Some(gone) = open.take_if(|open| !open.is_in_place()) {
            // Whoever reads the journals would not find what is written to it.
            self.replaced.fetch_add(1, Ordering::SeqCst);
            tracing::error!(
                file = %gone.path.display(),
                "the journal of submissions was deleted or replaced while this program wrote it. Another one is begun, with what \
                 the database has of open questions"
            );
        }
        let open = match open {
            Some(open) => open,
            None => OpenJournal::at(self.place()?)?,
        };
        Ok(self.open.insert(open))
    }

    /// Where this process writes. A lock is given up only where its file was deleted: a program that this one starts holds
    /// it too, for a moment, and a lock taken again would then be that of another journal.
    fn place(&mut self) -> io::Result<&Path> {
        let locked = match self.locked.take().filter(|place| is_at(&place.lock, &lock_file(&place.journal))) {
            Some(place) => place,
            None => LockedPlace::beside(&self.checkpoint_file)?,
        };
        Ok(&self.locked.insert(locked).journal)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.opened()?.append(bytes, false)
    }

    /// Writes empty lines, and takes them back. A crash in between leaves them, and they say nothing.
    fn probe(&mut self) -> io::Result<()> {
        self.opened()?.append(&[b'\n'; BLOCK], true)
    }

    fn rewrite(&mut self, running: &BTreeSet<MatchId>, at: Moment) -> io::Result<()> {
        // A process that was just started finds the journal of the one before. A site that is killed again and again would
        // otherwise compare more and more.
        if self.open.is_none() && journal_file(&self.checkpoint_file, 1).exists() {
            self.open = Some(OpenJournal::at(self.place()?)?);
        }
        let Some(open) = &mut self.open else { return Ok(()) };
        if open.file.metadata()?.len() < SMALL.max(2 * self.rewritten) {
            return Ok(());
        }
        let new = rewritten_file(&open.path);
        match fs::remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let file = append_to(&new)?;
        let mut writer = BufWriter::new(&file);
        // A line that is too long is none of this program's, and would be carried along for ever.
        read_pieces(File::open(&open.path)?, |piece| match piece {
            Piece::Line(line) | Piece::Rest(line) if is_needed(line, running, at) => {
                writer.write_all(line)?;
                writer.write_all(b"\n")
            }
            _ => Ok(()),
        })?;
        writer.flush()?;
        drop(writer);
        file.sync_all()?;
        // A crash before the rename leaves the old file, and after it the new one.
        fs::rename(&new, &open.path)?;
        sync_name(&open.path)?;
        self.rewritten = file.metadata()?.len();
        (open.file, open.torn, open.size) = (file, false, self.rewritten);
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

fn copy(written: &io::Result<()>) -> io::Result<()> {
    match written {
        Ok(()) => Ok(()),
        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
    }
}

fn is_needed(line: &[u8], running: &BTreeSet<MatchId>, at: Moment) -> bool {
    let json = std::str::from_utf8(line).ok().and_then(|line| line.split_once(' ')).map(|(_, json)| json);
    let raw = json.and_then(|json| serde_json::from_str::<RawLine<'_>>(json).ok());
    let place = raw.and_then(|raw| serde_json::from_str::<Place>(raw.row()?.0).ok());
    place.is_none_or(|place| running.contains(&place.match_id) || place.at >= at)
}

impl LockedPlace {
    fn beside(checkpoint_file: &Path) -> io::Result<Self> {
        for number in 1..=PROCESSES_MAX {
            let journal = journal_file(checkpoint_file, number);
            let lock = append_to(&lock_file(&journal))?;
            match lock.try_lock() {
                Ok(()) => return Ok(Self { journal, lock }),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Err(io::Error::other(format!("{PROCESSES_MAX} other programs write journals beside this checkpoint file")))
    }
}

fn lock_file(journal: &Path) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push("-lock");
    name.into()
}

/// Whether a name is still that of an open file.
fn is_at(open: &File, path: &Path) -> bool {
    let place = |found: &Metadata| (found.dev(), found.ino());
    matches!((open.metadata(), fs::metadata(path)), (Ok(own), Ok(named)) if place(&own) == place(&named))
}

impl OpenJournal {
    fn at(path: &Path) -> io::Result<Self> {
        let file = append_to(path)?;
        sync_name(path)?;
        let torn = !cut_rest(path, &file)?;
        let size = file.metadata()?.len();
        Ok(Self { file, torn, path: path.to_owned(), size })
    }

    /// Appends bytes, or takes them back at once: then nobody finds them but after a crash in between. What could not be
    /// written is taken back, too: a full disk takes a part of a line and no more.
    fn append(&mut self, bytes: &[u8], takes_back: bool) -> io::Result<()> {
        let new_line: &[u8] = if self.torn { b"\n" } else { b"" };
        let before = self.file.metadata()?.len();
        let written = self.file.write_all(&[new_line, bytes].concat()).and_then(|()| self.file.sync_data());
        if written.is_ok() && !takes_back {
            (self.torn, self.size) = (false, self.file.metadata()?.len());
            return Ok(());
        }
        let taken_back = self.file.set_len(before);
        self.torn |= taken_back.is_err();
        written.and(taken_back)
    }

    fn is_in_place(&self) -> bool {
        is_at(&self.file, &self.path) && self.file.metadata().is_ok_and(|own| own.len() >= self.size)
    }
}

/// Cuts off what a crash left of a line: nobody has a receipt for it. False if that is more than a line.
fn cut_rest(path: &Path, file: &File) -> io::Result<bool> {
    let (size, mut end) = (file.metadata()?.len(), Vec::new());
    let from = size.saturating_sub(LINE_MAX as u64 + 1);
    let mut reader = File::open(path)?;
    reader.seek(SeekFrom::Start(from))?;
    reader.read_to_end(&mut end)?;
    let whole = match end.iter().rposition(|byte| is_end(*byte)) {
        Some(last) => from + last as u64 + 1,
        None if from > 0 => return Ok(false),
        None => 0,
    };
    if whole < size {
        tracing::warn!(file = %path.display(), bytes = size - whole, "a crash left a part of a line, which is cut off");
        file.set_len(whole)?;
    }
    Ok(true)
}

/// A file of this user alone. Whatever is written to it comes at its end, wherever that is by then.
fn append_to(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).mode(0o600).append(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writer(checkpoint: &Path) -> Writer {
        let failure = WriteFailure::default();
        Writer::beside(checkpoint.to_owned(), Arc::new(AtomicU64::new(1)), failure, Arc::default())
    }

    /// A withdrawal would take back the line of another request, whose receipt is out.
    #[test]
    fn what_was_never_written_is_not_withdrawn() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let checkpoint = folder.path().join("checkpoint");
        let mut writer = writer(&checkpoint);
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
        let checkpoint = folder.path().join("checkpoint");
        let (journal, aside) = (journal_file(&checkpoint, 1), folder.path().join("aside"));
        let mut writer = writer(&checkpoint);
        writer.probe()?;
        writer.write(b"line\n")?;
        writer.probe()?;
        assert_eq!(fs::read_to_string(&journal)?, "line\n");
        // A program that this one starts has its open files until it runs, and with them its lock.
        let _kept = writer.locked.as_ref().map(|place| place.lock.try_clone()).transpose()?;
        // A folder in its place: root could write to any file.
        fs::rename(&journal, &aside)?;
        fs::create_dir(&journal)?;
        assert!(writer.probe().is_err(), "it is elsewhere");
        assert!(writer.write(b"lost\n").is_err() && writer.failure.get().is_some());
        fs::remove_dir(&journal)?;
        fs::rename(&aside, &journal)?;
        writer.write(b"next\n")?;
        assert_eq!((writer.failure.get(), fs::read_to_string(&journal)?), (None, "line\nnext\n".to_owned()));
        assert_eq!(writer.replaced.load(Ordering::SeqCst), 1);
        Ok(())
    }

    #[test]
    fn a_journal_that_is_deleted_or_cut_is_noticed_and_what_a_crash_left_is_cut_off() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let checkpoint = folder.path().join("checkpoint");
        let journal = journal_file(&checkpoint, 1);
        let mut first = writer(&checkpoint);
        first.write(b"one\n")?;
        fs::remove_file(&journal)?;
        first.write(b"two\n")?;
        assert_eq!((fs::read_to_string(&journal)?.as_str(), first.replaced.load(Ordering::SeqCst)), ("two\n", 1));
        fs::write(&journal, "")?;
        first.probe()?;
        assert_eq!(first.replaced.load(Ordering::SeqCst), 2);
        // The process that was started after a crash.
        let mut second = Writer { locked: first.locked.take(), ..writer(&checkpoint) };
        fs::write(&journal, "three\ncut o")?;
        second.write(b"four\n")?;
        assert_eq!(fs::read_to_string(&journal)?, "three\nfour\n");
        Ok(())
    }

    #[test]
    fn it_is_made_smaller_and_touches_no_file_of_the_checkpoints() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let checkpoint = folder.path().join("checkpoint");
        // A checkpoint is written beside its file first.
        let next = folder.path().join("checkpoint.new");
        fs::write(&next, "the next checkpoint")?;
        let mut first = writer(&checkpoint);
        let line = "x {\"asked\":\"\",\"row\":{\"match_id\":\"5d3ca9cf-41ed-4d55-8c0d-87ba963cbd78\",\"decision\":\"d1\",\
                    \"seat\":\"p1\",\"ordinal\":0,\"at\":\"2026-11-20T20:41:48.381204Z\"}}\n";
        let lines = line.repeat(usize::try_from(SMALL).unwrap_or(usize::MAX) / line.len() + 1);
        first.write(lines.as_bytes())?;
        let journal = journal_file(&checkpoint, 1);
        first.rewrite(&BTreeSet::new(), Moment::MIN)?;
        assert_eq!(fs::read_to_string(&journal)?, lines, "what came since is needed");
        // Not before it has grown to twice that.
        first.write(lines.as_bytes())?;
        first.rewrite(&BTreeSet::new(), Moment::MAX)?;
        assert_eq!(fs::read_to_string(&journal)?, "", "its match has ended");
        // Whatever was rewritten is still written at its end.
        first.probe()?;
        first.write(b"next\n")?;
        assert_eq!(fs::read_to_string(&journal)?, "next\n");
        // The next process makes smaller what it finds.
        first.write(lines.as_bytes())?;
        drop(first);
        let mut next_writer = writer(&checkpoint);
        next_writer.rewrite(&BTreeSet::new(), Moment::MAX)?;
        assert_eq!(fs::read_to_string(&journal)?, "next\n", "its match has ended");
        assert_eq!(fs::read_to_string(&next)?, "the next checkpoint");
        let mut files: Vec<_> =
            fs::read_dir(folder.path())?.map(|file| file.map(|file| file.file_name())).collect::<io::Result<_>>()?;
        files.sort();
        assert_eq!(files, ["checkpoint.journal-1", "checkpoint.journal-1-lock", "checkpoint.new"]);
        Ok(())
    }
}
