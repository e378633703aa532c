//! Signing checkpoints: the only task of this node that states, with the log's key, the size and the root of the log.
//!
//! It never signs a tree that does not extend everything signed before. The signed trees are remembered in three places
//! that do not fail together: a row of the database, a file outside of it, and the holders of checkpoints (this
//! process, a witness). If the log is shorter than any of them or different, signing stops, and nothing new is accepted.

mod file;
mod log_terms;
mod scrubbing;
mod stop_reason;
mod succession;
mod task;

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use file::CheckpointFile;
use ledger::note::{Note, VerifierKey};
use ledger::{Hash, Moment, Origin, Tree, TreeSize};
use prometheus_client::metrics::counter::Counter;
use scrubbing::Scrubber;
use store::database::one_connection;
use store::{Store, Term, Trouble};
use task::Task;
use thiserror::Error;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::log_key::LogKey;
use crate::system::System;
use crate::workers::Workers;

pub use file::FileError;
pub use log_terms::{LogTerm, Terms};
pub use scrubbing::ScrubbingState;
pub use stop_reason::{NOT_SIGNED, StopReason};
pub use succession::{Plan, Reason, SuccessionError, begin_term, plan};

const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedTree {
    pub size: TreeSize,
    pub root: Hash,
    /// The signed note, with only the log's signature.
    pub note: String,
    pub term: Term,
    pub origin: Origin,
    pub at: Moment,
}

impl SignedTree {
    #[must_use]
    pub const fn tree(&self) -> Tree {
        Tree { size: self.size, root: self.root }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SigningError {
    /// Signing has stopped.
    #[error("the log is not signed any more: {why}")]
    Stopped {
        /// The reason.
        why: Arc<StopReason>,
    },
    /// The time limit was exceeded.
    #[error("no checkpoint was signed in time")]
    Timeout,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SigningState {
    pub signed: Option<Arc<SignedTree>>,
    pub stopped: Option<Arc<StopReason>>,
}

#[derive(Clone, Debug, Default)]
struct SigningRequests {
    /// The log has this many entries, to be signed within the interval.
    log_size: TreeSize,
    /// A caller waits for a tree of this size.
    urgent: TreeSize,
    contradiction: Option<Arc<StopReason>>,
    /// The last stored checkpoint is published, and nothing new is signed.
    held: bool,
    writer: Option<StopReason>,
    /// The operator says that the last signed checkpoint has this many entries.
    confirmed: Option<TreeSize>,
}

#[derive(Clone, Debug)]
pub struct Signer {
    requests: watch::Sender<SigningRequests>,
    state: watch::Receiver<SigningState>,
    scrubbing: watch::Receiver<ScrubbingState>,
    file: CheckpointFile,
}

impl Signer {
    /// Starts the task, and scrubbing beside it. `file` stores the last checkpoint; `failures` counts what goes wrong. Nothing new is signed until it is [released](Self::release).
    #[must_use]
    pub fn start(
        store: &Store,
        key: LogKey,
        terms: Terms,
        file: PathBuf,
        system: Arc<System>,
        workers: &Workers,
        failures: Counter,
    ) -> Self {
        let file = CheckpointFile::new(file, terms);
        // Their own connections: busy pages never keep the log from being signed.
        let on_its_own = |name| store.with_pool(one_connection(store.pool(), name, PATIENCE));
        let (requests, requested) = watch::channel(SigningRequests { held: true, ..SigningRequests::default() });
        let (published, state) = watch::channel(SigningState::default());
        let (doubts, doubted) = watch::channel(0);
        let (scrubbed, scrubbing) = watch::channel(ScrubbingState::default());
        let task = Task::new(on_its_own("matchbook signer"), key, file.clone(), system.clone(), failures);
        let store_to_scrub = on_its_own("matchbook scrubber");
        let scrubber = Scrubber { store: store_to_scrub, system, signing: state.clone(), doubts, state: scrubbed };
        let signing = tokio::spawn(async {
            task.run(requested, doubted, published).await;
            Ok::<(), Infallible>(())
        });
        workers.watch("signer of the log", signing);
        let scrubs = tokio::spawn(async {
            scrubber.run().await;
            Ok::<(), Infallible>(())
        });
        workers.watch("scrubber of the log", scrubs);
        Self { requests, state, scrubbing, file }
    }

    /// A signer without a task, for what adds nothing to the log: it signs nothing, and looks neither at the log nor at the
    /// checkpoint file. Whoever waits for a checkpoint of it gets none.
    #[must_use]
    pub fn idle(terms: Terms, file: PathBuf) -> Self {
        let (requests, _) = watch::channel(SigningRequests { held: true, ..SigningRequests::default() });
        let (_, state) = watch::channel(SigningState::default());
        let (_, scrubbing) = watch::channel(ScrubbingState::default());
        Self { requests, state, scrubbing, file: CheckpointFile::new(file, terms) }
    }

    #[must_use]
    pub fn scrubbing(&self) -> ScrubbingState {
        self.scrubbing.borrow().clone()
    }

    pub fn release(&self) {
        self.requests.send_if_modified(|requests| std::mem::take(&mut requests.held));
    }

    /// While the writer can add nothing, signing stops for its reason: the site has one state for both. If that is so from the
    /// start, everybody knows it once this returns.
    pub(crate) async fn follow_writer(&self, mut trouble: watch::Receiver<Option<Trouble>>) {
        let (requests, is_troubled) = (self.requests.clone(), trouble.borrow().is_some());
        trouble.mark_changed();
        tokio::spawn(async move {
            while trouble.changed().await.is_ok() {
                let why = trouble.borrow_and_update().clone().map(StopReason::from);
                requests.send_modify(|requests| requests.writer = why);
            }
        });
        if is_troubled {
            let mut state = self.watch();
            let stopped = state.wait_for(|now| now.stopped.is_some());
            // Where it is mended meanwhile, or nobody signs, nothing stops.
            drop(timeout(PATIENCE, stopped).await);
        }
    }

    /// The operator says that the last signed checkpoint has this many entries: a database that says the same needs no
    /// checkpoint file.
    pub(crate) fn confirm(&self, size: TreeSize) {
        self.requests.send_modify(|requests| requests.confirmed = Some(size));
    }

    pub async fn covering(&self, size: TreeSize) -> Result<Arc<SignedTree>, SigningError> {
        let mut state = self.state.clone();
        if let Some(signed) = self.latest().filter(|signed| signed.size >= size) {
            return Ok(signed);
        }
        self.requests.send_if_modified(|requests| {
            let more = size > requests.urgent;
            requests.urgent = requests.urgent.max(size);
            more
        });
        let covers = |signed: &&Arc<SignedTree>| signed.size >= size;
        let reached = state.wait_for(|now| now.stopped.is_some() || now.signed.iter().any(|signed| covers(&signed)));
        let reached =
            timeout(PATIENCE, reached).await.map_err(|_| SigningError::Timeout)?.map_err(|_| SigningError::Timeout)?;
        match (reached.signed.as_ref().filter(covers).cloned(), reached.stopped.clone()) {
            (Some(signed), _) => Ok(signed),
            (None, Some(why)) => Err(SigningError::Stopped { why }),
            (None, None) => Err(SigningError::Timeout),
        }
    }

    /// Reports that the log has grown to this size. It is signed within a quarter of a second, and nobody waits for it.
    pub fn note_size(&self, size: TreeSize) {
        self.requests.send_if_modified(|requests| {
            let more = size > requests.log_size;
            requests.log_size = requests.log_size.max(size);
            more
        });
    }

    #[must_use]
    pub fn latest(&self) -> Option<Arc<SignedTree>> {
        self.state.borrow().signed.clone()
    }

    #[must_use]
    pub fn is_behind(&self) -> bool {
        let known = self.requests.borrow().log_size;
        known > self.latest().map_or(TreeSize(0), |signed| signed.size)
    }

    #[must_use]
    pub fn stopped(&self) -> Option<Arc<StopReason>> {
        self.state.borrow().stopped.clone()
    }

    /// True if signing has stopped because the entries are not what was signed: nothing is said of any check then.
    #[must_use]
    pub fn has_other_entries(&self) -> bool {
        self.stopped().is_some_and(|why| why.is_about_entries())
    }

    #[must_use]
    pub fn watch(&self) -> watch::Receiver<SigningState> {
        self.state.clone()
    }

    pub(crate) fn file(&self) -> &Path {
        self.file.path()
    }

    #[must_use]
    pub const fn terms(&self) -> &Terms {
        self.file.terms()
    }

    #[must_use]
    pub fn origin(&self) -> Origin {
        self.terms().present().origin.clone()
    }

    #[must_use]
    pub fn verifier(&self, origin: &Origin) -> VerifierKey {
        let terms = self.terms();
        terms.key(origin.as_str()).unwrap_or(&terms.present().key).clone()
    }

    /// Reports that somebody, such as a witness, holds a checkpoint which this log signed and cannot extend. Signing stops
    /// until the next start or a succession. The checkpoint file remembers it, so that the next start stops as well.
    pub fn contradicted(&self, by: &str, what: &str, held: &Note) {
        let seen = StopReason::Seen { by: by.to_owned(), what: what.to_owned() };
        self.requests.send_modify(|requests| requests.contradiction = Some(Arc::new(seen)));
        let (file, note) = (self.file.clone(), held.to_string());
        // It waits for a lock and for the disk, so it never runs on a thread that serves. A program that ends waits for it.
        spawn_blocking(move || {
            if let Some(stored) = file.parse(note.as_bytes())
                && let Err(error) = file.write(&stored.origin, stored.tree, &note)
            {
                tracing::error!(%error, file = %file.path().display(), "the checkpoint file cannot be written");
            }
        });
    }
}
