//! Signing checkpoints: the one task of this node that says, with the log's key, how large the log is and what its root is.
//!
//! It never signs a tree that does not extend everything that was signed before. What was signed before is remembered in
//! three places that do not fail together: a row of the database, a file outside of it, and whoever holds a checkpoint
//! (this process, a witness). Where the log is shorter than any of them or different, nothing is signed any more; everything
//! else goes on.

mod file;
mod stopped;
mod succession;
mod task;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use file::CheckpointFile;
use ledger::note::{Note, VerifierKey};
use ledger::{Hash, KeyName, Moment, Origin, TreeSize};
use sqlx::postgres::PgPoolOptions;
use store::{Store, Term};
use task::Task;
use thiserror::Error;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::keys::LogKey;
use crate::mint::Mint;

pub use file::FileError;
pub use stopped::Stopped;
pub use succession::{Plan, SuccessionError, plan};

/// How long whoever needs a checkpoint waits for it.
const PATIENCE: Duration = Duration::from_secs(5);

/// A checkpoint that is signed and durable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedTree {
    /// How many entries it covers.
    pub size: TreeSize,
    /// Its RFC 6962 root.
    pub root: Hash,
    /// The signed note, with the log's signature alone.
    pub note: String,
    /// The term it was signed in: under which of the log's origins.
    pub term: Term,
    /// The origin in it.
    pub origin: Origin,
    /// When it was signed.
    pub at: Moment,
}

/// Why there is no checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unsigned {
    /// Nothing is signed any more.
    #[error("the log is not signed any more: {why}")]
    Stopped {
        /// Why.
        why: Arc<Stopped>,
    },
    /// It did not come in time.
    #[error("no checkpoint was signed in time")]
    Timeout,
}

/// How the signing stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The checkpoint that was signed last, here or on another node.
    pub signed: Option<Arc<SignedTree>>,
    /// Why nothing is signed any more.
    pub stopped: Option<Arc<Stopped>>,
}

/// What is asked of the task.
#[derive(Clone, Debug, Default)]
struct Wanted {
    /// The log has this many entries; they are signed within the interval.
    entered: TreeSize,
    /// Somebody waits for a tree of this size.
    urgent: TreeSize,
    /// Somebody holds a checkpoint that cannot be extended.
    seen: Option<Arc<Stopped>>,
}

/// The way to this node's signing task. Clones lead to the same one, which ends when the last of them is dropped.
#[derive(Clone, Debug)]
pub struct Signer {
    wanted: watch::Sender<Wanted>,
    standing: watch::Receiver<Standing>,
    file: CheckpointFile,
    origin: Origin,
}

impl Signer {
    /// Starts signing. The file is where the last checkpoint is remembered.
    #[must_use]
    pub fn start(store: &Store, key: LogKey, file: PathBuf, mint: Arc<Mint>) -> Self {
        let file = CheckpointFile::new(file, key.public());
        // A connection of its own: pages that are busy never keep the log from being signed.
        let options = (*store.pool().connect_options()).clone().application_name("matchbook signer");
        let own = PgPoolOptions::new().max_connections(1).acquire_timeout(PATIENCE).connect_lazy_with(options);
        let (wanted, asked) = watch::channel(Wanted::default());
        let (told, standing) = watch::channel(Standing::default());
        tokio::spawn(Task::new(store.apart(own), key, file.clone(), mint).run(asked, told));
        Self { wanted, standing, file, origin: store.log().origin.clone() }
    }

    /// A checkpoint of at least this many entries: it is signed at once, and is durable when this returns.
    ///
    /// # Errors
    /// [`Unsigned::Stopped`] when the log must not be signed any more; [`Unsigned::Timeout`] after a few seconds.
    pub async fn covering(&self, size: TreeSize) -> Result<Arc<SignedTree>, Unsigned> {
        let mut standing = self.standing.clone();
        if let Some(signed) = self.latest().filter(|signed| signed.size >= size) {
            return Ok(signed);
        }
        self.wanted.send_if_modified(|wanted| {
            let more = size > wanted.urgent;
            wanted.urgent = wanted.urgent.max(size);
            more
        });
        let covers = |signed: &&Arc<SignedTree>| signed.size >= size;
        let reached = standing.wait_for(|now| now.stopped.is_some() || now.signed.iter().any(|signed| covers(&signed)));
        let reached =
            timeout(PATIENCE, reached).await.map_err(|_| Unsigned::Timeout)?.map_err(|_| Unsigned::Timeout)?;
        match (reached.signed.as_ref().filter(covers).cloned(), reached.stopped.clone()) {
            (Some(signed), _) => Ok(signed),
            (None, Some(why)) => Err(Unsigned::Stopped { why }),
            (None, None) => Err(Unsigned::Timeout),
        }
    }

    /// The log has grown to this size. It is signed within a quarter of a second, without anybody's waiting.
    pub fn entered(&self, size: TreeSize) {
        self.wanted.send_if_modified(|wanted| {
            let more = size > wanted.entered;
            wanted.entered = wanted.entered.max(size);
            more
        });
    }

    /// The checkpoint that was signed last.
    #[must_use]
    pub fn latest(&self) -> Option<Arc<SignedTree>> {
        self.standing.borrow().signed.clone()
    }

    /// Why nothing is signed any more.
    #[must_use]
    pub fn stopped(&self) -> Option<Arc<Stopped>> {
        self.standing.borrow().stopped.clone()
    }

    /// Every change of it: a new checkpoint, or that there will be none.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Standing> {
        self.standing.clone()
    }

    /// The origin that the log signs under: its own, or that of its last succession.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.latest().map_or_else(|| self.origin.clone(), |signed| signed.origin.clone())
    }

    /// The log's public key under one of its origins.
    #[must_use]
    pub fn verifier(&self, origin: &Origin) -> VerifierKey {
        self.file.verifier(KeyName::from(origin))
    }

    /// Somebody, such as a witness, says that it holds a checkpoint which this log cannot extend. Signing stops; it goes on
    /// with the next start, or with a succession. Where `held` is that checkpoint and is signed with the log's key, the
    /// checkpoint file remembers it, so that the next start stops as well.
    pub fn contradicted(&self, by: &str, what: &str, held: Option<&Note>) {
        if let Some(note) = held.map(Note::to_string)
            && let Some(remembered) = self.file.remembered(note.as_bytes())
            && let Err(error) = self.file.write(&remembered.origin, remembered.tree, &note)
        {
            tracing::error!(%error, file = %self.file.path().display(), "the checkpoint file cannot be written");
        }
        let seen = Stopped::Seen { by: by.to_owned(), what: what.to_owned() };
        self.wanted.send_modify(|wanted| wanted.seen = Some(Arc::new(seen)));
    }
}
