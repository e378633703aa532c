//! The decisions of a witness (C2SP tlog-witness) on a checkpoint: does it extend the last one that was cosigned? No
//! HTTP, no store: the caller reads the last tree and writes the new one in one atomic step, before answering.

use std::fmt;

use thiserror::Error;

use crate::checkpoint::{Checkpoint, CheckpointError, OriginLine};
use crate::decimal::read_decimal;
use crate::hash::HashError;
use crate::id::TreeSize;
use crate::note::{NOTE_MAX_BYTES, Note, NoteError, VerifierKey};
use crate::proof::{ConsistencyError, ConsistencyProof, PROOF_MAX_HASHES};
use crate::tlog_proof::read_path;
use crate::tree::Tree;

/// The longest accepted request, in bytes: a note, a size, and 63 hashes in base64.
pub const ADD_CHECKPOINT_MAX_BYTES: usize = NOTE_MAX_BYTES + 4096;

/// A request to cosign. Displayed and read as the body of `add-checkpoint`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddCheckpoint {
    old: TreeSize,
    proof: ConsistencyProof,
    note: Note,
    checkpoint: Checkpoint,
}

/// An error in the body of a request. The answer is 400.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RequestError {
    /// Longer than any request.
    #[error("the request has at most {ADD_CHECKPOINT_MAX_BYTES} bytes")]
    TooLong,
    /// Not UTF-8.
    #[error("the request is UTF-8")]
    NotUtf8,
    /// Another first line.
    #[error("the request begins with a line of old and a size without leading zeros")]
    OldSize,
    /// A line of the proof is not a hash.
    #[error("the consistency proof: {0}")]
    Proof(#[from] HashError),
    /// More hashes than allowed.
    #[error("a consistency proof has at most {PROOF_MAX_HASHES} hashes")]
    TooManyHashes,
    /// No blank line separates proof and checkpoint.
    #[error("an empty line stands between the consistency proof and the checkpoint")]
    NoCheckpoint,
    /// The checkpoint is not a signed note.
    #[error("the checkpoint: {0}")]
    Note(#[from] NoteError),
    /// The text of the note is not a checkpoint.
    #[error("the checkpoint: {0}")]
    Checkpoint(#[from] CheckpointError),
}

/// The answers of a witness, in the order of its checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// 404: no key is known for this origin.
    UnknownOrigin,
    /// 403: no known key of the log signed it, or a line of one is false.
    NotSigned,
    /// 400: the old size is above the checkpoint's.
    OldAboveNew,
    /// 409: the old size is not that of the last cosigned tree. The answer gives that size, as `text/x.tlog.size`.
    Conflict {
        /// The size of the last cosigned tree; 0 before the first.
        last: TreeSize,
    },
    /// 422: the trees are not consistent.
    Inconsistent(ConsistencyError),
    /// 200: store this tree first, and only then answer with the cosignature.
    Cosign(Tree),
}

impl AddCheckpoint {
    /// A request to cosign a log's signed note, with the proof that it extends the tree known to the witness.
    pub fn new(old: TreeSize, proof: ConsistencyProof, note: Note) -> Result<Self, RequestError> {
        if proof.path.len() > PROOF_MAX_HASHES {
            return Err(RequestError::TooManyHashes);
        }
        let checkpoint = Checkpoint::read(note.text())?;
        Ok(Self { old, proof, note, checkpoint })
    }

    /// Reads the body of a request.
    ///
    /// # Errors
    /// [`RequestError`] for anything but the one notation of the specification. The answer is 400.
    pub fn read(body: &[u8]) -> Result<Self, RequestError> {
        if body.len() > ADD_CHECKPOINT_MAX_BYTES {
            return Err(RequestError::TooLong);
        }
        let body = std::str::from_utf8(body).map_err(|_| RequestError::NotUtf8)?;
        let (head, note) = body.split_once("\n\n").ok_or(RequestError::NoCheckpoint)?;
        let mut lines = head.split('\n');
        let old = lines.next().and_then(|line| line.strip_prefix("old ")).and_then(read_decimal);
        let old = TreeSize(old.ok_or(RequestError::OldSize)?);
        let path = read_path(lines)?.ok_or(RequestError::TooManyHashes)?;
        Self::new(old, ConsistencyProof { path }, Note::read(note.as_bytes())?)
    }

    /// The claimed log, by which the keys and the last tree are looked up.
    #[must_use]
    pub const fn origin(&self) -> &OriginLine {
        self.checkpoint.origin()
    }

    /// The size from which the proof leads.
    #[must_use]
    pub const fn old(&self) -> TreeSize {
        self.old
    }

    /// The signed checkpoint, with all its signatures. [`CosignerKey::cosign`](crate::CosignerKey::cosign) takes its
    /// text.
    #[must_use]
    pub const fn note(&self) -> &Note {
        &self.note
    }

    /// The checkpoint in the note.
    #[must_use]
    pub const fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// Decides, given the trusted keys for this [origin](AddCheckpoint::origin) (none if it is unknown) and its last
    /// cosigned tree (none before the first).
    pub fn decide<'k>(&self, keys: impl IntoIterator<Item = &'k VerifierKey>, last: Option<Tree>) -> Decision {
        let mut keys = keys.into_iter().peekable();
        if keys.peek().is_none() {
            return Decision::UnknownOrigin;
        }
        if self.note.verify(keys).is_err() {
            return Decision::NotSigned;
        }
        let new = self.checkpoint.tree();
        if self.old > new.size {
            return Decision::OldAboveNew;
        }
        let last = last.unwrap_or_else(Tree::empty);
        if self.old != last.size {
            return Decision::Conflict { last: last.size };
        }
        match self.proof.check_growth(&last, &new) {
            Ok(()) => Decision::Cosign(new),
            Err(error) => Decision::Inconsistent(error),
        }
    }
}

impl Decision {
    /// The HTTP status of the answer.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::UnknownOrigin => 404,
            Self::NotSigned => 403,
            Self::OldAboveNew => 400,
            Self::Conflict { .. } => 409,
            Self::Inconsistent(_) => 422,
            Self::Cosign(_) => 200,
        }
    }
}

impl fmt::Display for AddCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "old {}", self.old)?;
        self.proof.path.iter().try_for_each(|hash| writeln!(f, "{}", hash.to_base64()))?;
        write!(f, "\n{}", self.note)
    }
}

#[cfg(test)]
mod tests;
