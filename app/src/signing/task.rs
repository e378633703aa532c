//! The signing task, and the order of its steps. Each step says what a crash there would mean.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use ledger::checkpoint::{Checkpoint, CheckpointError};
use ledger::{KeyName, Note, Origin, OriginLine, Tree, TreeSize};
use prometheus_client::metrics::counter::Counter;
use store::{SignedCheckpoint, SignedHead, Store, StoreError, SurveyError, Term};
use thiserror::Error;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep_until};

use super::file::{CheckpointFile, FileCheckpoint, FileError};
use super::{LogTerm, NOT_SIGNED, SignedTree, SigningRequests, SigningState, StopReason};
use crate::log_key::LogKey;
use crate::protocol_trace;
use crate::system::System;

const INTERVAL_BUSY: Duration = Duration::from_millis(250);
/// The interval of looking for entries and checkpoints of other nodes, and for the end of a reason to stop.
const INTERVAL_IDLE: Duration = Duration::from_secs(2);
/// The immediate repetitions of a step, if another process with the same checkpoint file was first.
const ATTEMPTS_MAX: u8 = 8;
const RETRY: Duration = Duration::from_millis(500);

pub(super) struct Task {
    store: Store,
    key: LogKey,
    file: CheckpointFile,
    system: Arc<System>,
    failures: Counter,
    /// True if the whole log must be compared with the signed trees before the next one: after a contradiction. At a start
    /// the right edge of the tiles is held against them, and scrubbing does the rest.
    survey: bool,
    /// True if the log has all that was signed, and lacks what was acknowledged: it need not be read again to find that again.
    is_end_lost: bool,
    latest: Option<Arc<SignedTree>>,
    /// The last contents of the file that the log agreed with.
    agreed: Option<FileCheckpoint>,
    /// The contents of the file at the beginning of the step, of any term: only these may be overwritten.
    found: Option<FileCheckpoint>,
}

#[derive(Debug, Error)]
enum StepError {
    #[error("{0}")]
    Stopped(StopReason),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("the term {0:?} has no origin")]
    Term(Term),
    #[error("another process changed the checkpoint file meanwhile")]
    FileChanged,
    #[error("another server of the database answers now")]
    OtherServer,
}

impl From<SurveyError> for StepError {
    fn from(error: SurveyError) -> Self {
        match error {
            SurveyError::Contradiction(contradiction) => Self::Stopped(StopReason::Log(contradiction)),
            SurveyError::Store(error) => Self::Store(error),
        }
    }
}

impl From<FileError> for StepError {
    fn from(error: FileError) -> Self {
        Self::Stopped(StopReason::File(error))
    }
}

impl Task {
    pub(super) fn new(store: Store, key: LogKey, file: CheckpointFile, system: Arc<System>, failures: Counter) -> Self {
        let (latest, agreed, found) = (None, None, None);
        let (survey, is_end_lost) = (false, false);
        Self { store, key, file, system, failures, survey, is_end_lost, latest, agreed, found }
    }

    pub(super) async fn run(
        mut self,
        mut requests: watch::Receiver<SigningRequests>,
        mut doubts: watch::Receiver<u64>,
        published: watch::Sender<SigningState>,
    ) {
        let mut last = Instant::now();
        let mut due = last;
        // The largest requested tree at the last attempt.
        let mut tried = TreeSize(0);
        let (mut held, mut confirmed, mut writer) = (true, None, None);
        // Somebody's contradiction of the log, and its term.
        let mut seen: Option<(Arc<StopReason>, Option<Term>)> = None;
        loop {
            tokio::select! {
                changed = requests.changed() => if changed.is_err() { return },
                Ok(()) = doubts.changed() => {
                    self.survey = true;
                    due = last;
                }
                () = sleep_until(due) => {}
            }
            let requested = requests.borrow_and_update().clone();
            let signed = self.latest.as_ref().map_or(TreeSize(0), |latest| latest.size);
            let term = self.latest.as_ref().map(|latest| latest.term);
            if let Some(new) = requested.contradiction.clone()
                && seen.as_ref().is_none_or(|(old, _)| !Arc::ptr_eq(old, &new))
            {
                seen = Some((new, term));
                due = last;
            }
            let released = std::mem::replace(&mut held, requested.held) && !requested.held;
            if released || std::mem::replace(&mut confirmed, requested.confirmed) != requested.confirmed {
                due = last;
            }
            if writer != requested.writer {
                writer.clone_from(&requested.writer);
                due = last;
            }
            if published.borrow().stopped.is_none() && !held {
                if requested.urgent > signed.max(tried) {
                    due = last;
                } else if requested.log_size > signed {
                    due = due.min(last + INTERVAL_BUSY);
                }
            }
            if Instant::now() < due {
                continue;
            }
            tried = requested.urgent;
            let contradiction = seen.as_ref().filter(|(_, said_in)| *said_in == term).map(|(seen, _)| seen.clone());
            let outcome = self.step(contradiction, &requested).await;
            last = Instant::now();
            due = last + if self.publish_state(outcome, &published) { INTERVAL_IDLE } else { RETRY };
        }
    }

    /// Publishes the result of a step, and logs it if it is new. False if the step must be tried again.
    fn publish_state(&mut self, outcome: Result<(), StepError>, published: &watch::Sender<SigningState>) -> bool {
        if outcome.is_err() {
            self.failures.inc();
        }
        let stopped = match outcome {
            Ok(()) => None,
            Err(StepError::Stopped(why)) => Some(Arc::new(why)),
            Err(error) => {
                tracing::warn!(%error, "no checkpoint could be signed; trying again");
                return false;
            }
        };
        let now = SigningState { signed: self.latest.clone(), stopped };
        published.send_if_modified(|before| {
            if before.stopped != now.stopped {
                match &now.stopped {
                    Some(why) => tracing::error!("{NOT_SIGNED}: {why}. {}", why.advice()),
                    None => tracing::info!("the log is written and signed again"),
                }
            }
            let news = *before != now;
            *before = now;
            news
        });
        true
    }

    async fn step(
        &mut self,
        contradiction: Option<Arc<StopReason>>,
        requested: &SigningRequests,
    ) -> Result<(), StepError> {
        let mut done = self.attempt(contradiction.clone(), requested).await;
        for _ in 1..ATTEMPTS_MAX {
            if !matches!(done, Err(StepError::FileChanged)) {
                break;
            }
            done = self.attempt(contradiction.clone(), requested).await;
        }
        let done = match (done, &requested.writer) {
            (Ok(()), Some(why)) => Err(StepError::Stopped(why.clone())),
            (Err(StepError::Store(error)), _) => Err(match error.denial() {
                Some(denial) => StepError::Stopped(StopReason::Denied(denial)),
                None => StepError::Store(error),
            }),
            (done, _) => done,
        };
        if let Err(StepError::Stopped(why)) = &done
            && !why.is_about_a_disk_or_right()
        {
            // Whatever the remedy, the log is read again completely before it is signed again.
            self.survey = true;
            self.agreed = None;
        }
        done
    }

    async fn attempt(
        &mut self,
        contradiction: Option<Arc<StopReason>>,
        requested: &SigningRequests,
    ) -> Result<(), StepError> {
        // The file first: another process that shares it is never ahead of entries that are read later.
        let file = self.file.clone();
        self.found = self.on_file(move || file.read()).await??;
        let session = self.store.session().await?;
        let head = self.store.signed_head().await?;
        if self.found.is_none()
            && let Some(size) = head.map(|head| head.tree.size).filter(|size| requested.confirmed != Some(*size))
        {
            return Err(FileError::Missing { path: self.file.path().to_owned(), size }.into());
        }
        let size = self.store.size().await?;
        let term = head.map_or(Term(0), |head| head.term);
        let Some(LogTerm { origin, .. }) = self.file.terms().of(term).cloned() else {
            // The operator began a new term meanwhile: this program does not have its keys.
            let successions = self.store.successions().await?;
            let next = successions.into_iter().find(|next| next.term == term).ok_or(StepError::Term(term))?;
            return Err(StepError::Stopped(StopReason::NewTerm { origin: next.origin }));
        };
        let remembered = checkpoint_of_term(&self.file, self.found.clone(), term)?;
        if let Some(seen) = contradiction
            && self.latest.as_ref().is_none_or(|latest| latest.term == term)
        {
            return Err(StepError::Stopped((*seen).clone()));
        }
        let lost = requested.writer.as_ref().filter(|why| matches!(why, StopReason::End(_)));
        if let Some(why) = lost.filter(|_| self.is_end_lost) {
            return Err(StepError::Stopped(why.clone()));
        }
        let latest = self.latest.as_ref().filter(|latest| latest.term == term);
        let latest = latest.map(|latest| Tree { size: latest.size, root: latest.root });
        let is_whole = latest.is_some_and(|latest| latest.size == size) && latest == head.map(|head| head.tree);
        if is_whole && remembered == self.agreed && !self.survey && lost.is_none() {
            return Ok(());
        }

        // 1. The log must extend everything that was signed. A crash here leaves only tiles, which are derived.
        let signed = [head.map(|head| head.tree), latest, remembered.as_ref().map(|kept| kept.tree)];
        let signed: Vec<Tree> = signed.into_iter().flatten().collect();
        let tree = match head.filter(|_| !self.survey) {
            Some(head) => self.store.extend(head.tree, size, &signed).await?,
            None => self.store.survey(size, &signed).await?,
        };
        self.is_end_lost = lost.is_some();
        if let Some(why) = lost {
            return Err(StepError::Stopped(why.clone()));
        }
        self.survey = false;
        self.agreed = remembered;

        if let Some(stored) = self.signed_already(head, term, tree).await? {
            protocol_trace::of_signing("found", stored.tree.size);
            return self.publish(stored, origin).await;
        }
        if requested.held {
            // The witnesses are asked about what was signed before: if this database was set back, they know more.
            return match head {
                Some(head) => self.publish_up_to(term, head.tree.size, origin).await,
                None => Ok(()),
            };
        }
        // A primary may show entries that no standby has. They are gone once a standby takes over.
        if !self.store.is_kept(session).await? {
            return Err(StepError::OtherServer);
        }
        self.sign(head, term, origin, tree).await
    }

    async fn signed_already(
        &self,
        head: Option<SignedHead>,
        term: Term,
        tree: Tree,
    ) -> Result<Option<SignedCheckpoint>, StoreError> {
        if head.is_none_or(|head| head.tree != tree) {
            return Ok(None);
        }
        let stored = self.store.checkpoint_up_to(term, tree.size).await?;
        Ok(stored.filter(|stored| stored.tree == tree))
    }

    async fn publish_up_to(&mut self, term: Term, size: TreeSize, origin: Origin) -> Result<(), StepError> {
        match self.store.checkpoint_up_to(term, size).await? {
            Some(stored) => self.publish(stored, origin).await,
            None => Ok(()),
        }
    }

    async fn sign(
        &mut self,
        head: Option<SignedHead>,
        term: Term,
        origin: Origin,
        tree: Tree,
    ) -> Result<(), StepError> {
        protocol_trace::of_signing("compare", tree.size);
        // 2. The note. The same tree always gives the same bytes (RFC 8032 draws nothing), so signing it again, here or
        //    on another node, reveals nothing new. A crash here loses a note that nobody has seen.
        let mut checkpoint = Checkpoint::new(&origin, tree);
        for line in self.file.terms().iter().filter(|known| known.term <= term).filter_map(|known| known.line.as_ref())
        {
            checkpoint = checkpoint.with_extension(line.to_string().parse()?);
        }
        let text = checkpoint.to_text();
        let signature = self.key.sign(KeyName::from(&origin), &text).await;
        let signature = signature.map_err(|why| StepError::Stopped(StopReason::Signer(why.to_string())))?;
        let note = Note::with_signature(text, signature).to_string();
        let next = SignedCheckpoint { term, tree, note, at: self.system.now() };
        // 3. The file, before anybody can see the checkpoint, and only if it still holds the tree that step 1 compared
        //    the log with: a process on a copy of this log may share it. A crash after this leaves a file that is ahead
        //    of the row. Its tree consists of entries that a failover keeps, so the next step finds that the log extends
        //    it, and signs the same.
        self.write_file(&next, &origin).await?;
        protocol_trace::of_signing("file", tree.size);
        // 4. The row and the checkpoint, in one statement. Before it nobody has seen the checkpoint. A crash after it
        //    leaves one that everybody may see and this node has not published yet: the next step finds and publishes
        //    it.
        if self.store.sign(head, &next).await? {
            protocol_trace::of_signing("head", tree.size);
            // 5. A crash here is the same as after step 4.
            return self.publish(next, origin).await;
        }
        // Another node signed in between, or an attempt of ours whose answer was lost. The next step finds out.
        match self.store.latest_checkpoint().await?.filter(|stored| stored.term == term) {
            Some(stored) => {
                protocol_trace::of_signing("found", stored.tree.size);
                self.publish(stored, origin).await
            }
            None => Ok(()),
        }
    }

    async fn publish(&mut self, stored: SignedCheckpoint, origin: Origin) -> Result<(), StepError> {
        self.write_file(&stored, &origin).await?;
        protocol_trace::of_signing("publish", stored.tree.size);
        let SignedCheckpoint { term, tree: Tree { size, root }, note, at } = stored;
        self.latest = Some(Arc::new(SignedTree { size, root, note, term, origin, at }));
        Ok(())
    }

    async fn write_file(&mut self, signed: &SignedCheckpoint, origin: &Origin) -> Result<(), StepError> {
        let (file, origin, tree, note) =
            (self.file.clone(), OriginLine::from(origin), signed.tree, signed.note.clone());
        let (from, to) = (self.found.clone(), FileCheckpoint { origin: origin.clone(), tree });
        if !self.on_file(move || file.advance(from.as_ref(), &origin, tree, &note)).await? {
            return Err(StepError::FileChanged);
        }
        if self.found.as_ref().is_none_or(|found| found.origin != to.origin || found.tree.size < tree.size) {
            self.found = Some(to);
        }
        self.agreed = self.found.clone();
        Ok(())
    }

    /// Works on the file, on a thread where waiting for the disk or a lock delays nothing.
    async fn on_file<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> Result<T, FileError> {
        let worked = spawn_blocking(work).await.unwrap_or_else(|_| Err(io::Error::other("the work was cut short")));
        worked.map_err(|error| FileError::Unusable { path: self.file.path().to_owned(), why: error.to_string() })
    }
}

/// The file's checkpoint for a term. A checkpoint of an earlier term was the reason for the succession, and no longer
/// counts.
pub(super) fn checkpoint_of_term(
    file: &CheckpointFile,
    kept: Option<FileCheckpoint>,
    term: Term,
) -> Result<Option<FileCheckpoint>, FileError> {
    let Some(kept) = kept else { return Ok(None) };
    match file.terms().iter().find(|known| kept.origin == known.origin).map(|known| known.term) {
        Some(of) if of == term => Ok(Some(kept)),
        Some(of) if of < term => Ok(None),
        _ => Err(FileError::Unknown { path: file.path().to_owned(), origin: kept.origin }),
    }
}
