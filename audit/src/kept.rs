//! What the reader of a log has from elsewhere. It accuses nobody unless the log signed it.

use ledger::checkpoint::CheckpointError;
use ledger::{Checkpoint, Note, Tree};
use record::audit::ShownChain;
use thiserror::Error;

use super::source::Source;

#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// Checkpoints: the log must still have their trees.
    pub trees: Vec<Tree>,
    /// The chains of players in bundles: the log must have no entry before the opening that a bundle leaves out.
    pub chains: Vec<ShownChain>,
}

#[derive(Debug, Error)]
pub enum KeptError {
    /// It is none.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// It has another name.
    #[error("it is of {name}, and this log is {log}")]
    OtherLog {
        /// Its name.
        name: String,
        /// The log's.
        log: String,
    },
    /// The log went on under another name, and this copy of it knows nothing of that.
    #[error("it is of {0}, a name that this log took later: this is an older copy of the log, so use the newer one")]
    LaterName(String),
    /// Nobody said whose signature it must have.
    #[error(
        "without a key its signature cannot be checked: name the log\u{2019}s with --log-key, or a policy that has it"
    )]
    NoKey,
    /// Its signature is missing or false.
    #[error("this log did not sign it: {0}")]
    NotSigned(String),
}

impl Source {
    pub fn tree_of(&self, note: &Note) -> Result<Tree, KeptError> {
        let checkpoint = Checkpoint::read(note.text())?;
        let (name, log) = (checkpoint.origin().as_str(), self.origin().as_str());
        let term = match checkpoint.origin().term() {
            _ if name == log => 1,
            (first, Some(term)) if first == log => term,
            _ => return Err(KeptError::OtherLog { name: name.to_owned(), log: log.to_owned() }),
        };
        if term > self.term() {
            return Err(KeptError::LaterName(name.to_owned()));
        }
        let keys = self.log_keys();
        let key = keys.iter().find(|key| key.name().as_str() == name).ok_or(KeptError::NoKey)?;
        note.verify([key]).map_err(|error| KeptError::NotSigned(error.to_string()))?;
        Ok(checkpoint.tree())
    }
}
