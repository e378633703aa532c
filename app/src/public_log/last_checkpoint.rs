//! The last checkpoint that was stored before this program started. A database that was set back does not know what it
//! signed later, and its witnesses do: so they are asked about this checkpoint first.

use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use ledger::TreeSize;
use thiserror::Error;
use tokio::time::timeout;

use super::PublicLog;
use crate::cosigning::Cosigning;
use crate::error::AppError;

/// The longest time for which signing waits for the first answers: a little longer than one request.
const FIRST_ANSWERS: Duration = Duration::from_secs(12);

#[derive(Debug)]
pub(super) struct LastCheckpoint {
    size: OnceLock<TreeSize>,
    said: OnceLock<()>,
}

impl LastCheckpoint {
    pub(super) const fn new() -> Self {
        Self { size: OnceLock::new(), said: OnceLock::new() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unconfirmed {
    /// No checkpoint was stored when the program started.
    NoCheckpoint,
    /// Too few witnesses have answered since the start.
    NoQuorum {
        /// The number of entries of the last checkpoint.
        size: TreeSize,
    },
}

#[derive(Debug, Error)]
pub enum LastCheckpointError {
    /// It has another number of entries.
    #[error("the last stored checkpoint has {stored} entries, and --last-checkpoint says {said}: it is not believed")]
    Other {
        /// The number of entries of the last stored checkpoint; 0 if there is none.
        stored: TreeSize,
        /// The number that the operator said.
        said: TreeSize,
    },
    /// The database.
    #[error(transparent)]
    App(#[from] AppError),
}

impl PublicLog {
    pub(super) async fn note_last_checkpoint(&self) -> Result<TreeSize, AppError> {
        let latest = self.logs.record().latest_checkpoint().await?;
        Ok(*self.last.size.get_or_init(|| latest.map_or(TreeSize(0), |latest| latest.tree.size)))
    }

    /// Waits until the witnesses have answered about the last stored checkpoint, or have failed, at most some seconds. Then
    /// new trees are signed.
    pub async fn first_answers(&self) -> Result<(), AppError> {
        let stored = self.note_last_checkpoint().await?.0 > 0;
        if let Some(cosigning) = self.cosigning().filter(|_| stored) {
            let mut answers = self.answers.subscribe();
            let told = |cosigning: &Cosigning| cosigning.quorum_answered() || cosigning.all_tried();
            let answered = answers.wait_for(|()| told(cosigning));
            if timeout(FIRST_ANSWERS, answered).await.is_err() {
                tracing::warn!(
                    "not all witnesses have answered about the last checkpoint; signing goes on without them"
                );
            }
        }
        self.signer.release();
        if let (Some(_), Some(why)) = (self.cosigning(), self.unconfirmed()) {
            tracing::warn!("matches that wait for witnesses cannot go on. {why}");
        }
        Ok(())
    }

    /// The operator says that the last stored checkpoint has this many entries, 0 for none, and that nothing was signed
    /// after it.
    pub async fn confirm_last_checkpoint(&self, said: TreeSize) -> Result<(), LastCheckpointError> {
        let stored = self.note_last_checkpoint().await?;
        if stored != said {
            return Err(LastCheckpointError::Other { stored, said });
        }
        let _ = self.last.said.set(());
        self.signer.confirm(said);
        self.answers.send_replace(());
        Ok(())
    }

    /// The reason why nothing is opened in a match that waits, if there is one: since the start, neither the witnesses nor
    /// the operator have confirmed the last stored checkpoint.
    #[must_use]
    pub fn unconfirmed(&self) -> Option<Unconfirmed> {
        if self.last.said.get().is_some() {
            return None;
        }
        match (self.last.size.get(), self.cosigning()) {
            (Some(TreeSize(0)) | None, _) => Some(Unconfirmed::NoCheckpoint),
            (Some(_), Some(cosigning)) if cosigning.quorum_answered() => None,
            (Some(size), _) => Some(Unconfirmed::NoQuorum { size: *size }),
        }
    }
}

impl fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCheckpoint => f.write_str(
                "When the program started, no checkpoint was stored, so no witness could confirm one. Nothing opens in a \
                 match that waits until the operator starts the program again with --last-checkpoint 0.",
            ),
            Self::NoQuorum { size } => write!(
                f,
                "Since the program started, the witnesses have not confirmed its last checkpoint of {size} entries. Nothing \
                 opens in a match that waits until they do, or until the operator starts it with --last-checkpoint {size}."
            ),
        }
    }
}
