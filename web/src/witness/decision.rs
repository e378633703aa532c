//! What is asked of a witness, and whether it may agree (C2SP tlog-witness, "add-checkpoint"). Pure.

use ledger::checkpoint::{Checkpoint, CheckpointError};
use ledger::note::{NoteError, VerifyError};
use ledger::proof::{ConsistencyError, PROOF_MAX_HASHES};
use ledger::{ConsistencyProof, Hash, HashError, Note, OriginLine, Tree, TreeSize, VerifierKey};
use thiserror::Error;

/// A request: from which size, by what proof, to which checkpoint. Nothing in it is believed yet.
#[derive(Debug, Clone)]
pub(super) struct Request {
    old: TreeSize,
    proof: ConsistencyProof,
    note: Note,
    checkpoint: Checkpoint,
}

/// A request whose checkpoint the log has signed.
#[derive(Debug, Clone)]
pub(super) struct Signed {
    pub(super) checkpoint: Checkpoint,
    pub(super) note: Note,
    old: TreeSize,
    proof: ConsistencyProof,
    /// The note with the lines of the log's known keys alone.
    vouched_for: Note,
}

/// Why a request is refused. Each has its status in the specification.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum Refusal {
    #[error(
        "the request is text in UTF-8: a line with the old size, the lines of the proof, an empty line, a checkpoint"
    )]
    NotARequest,
    #[error("the first line is `old`, a space and a size without leading zeros")]
    OldSize,
    #[error("line {0} of the proof: {1}")]
    Hash(usize, HashError),
    #[error("a proof has at most {PROOF_MAX_HASHES} hashes")]
    TooManyHashes,
    #[error("the checkpoint: {0}")]
    Note(NoteError),
    /// The text is there, and what should be signatures is none: nobody known has signed it.
    #[error("invalid signature: {0}")]
    NoSignature(NoteError),
    #[error("the checkpoint: {0}")]
    Checkpoint(#[from] CheckpointError),
    #[error("the old size {old} is larger than the checkpoint's {new}")]
    Shrinks { old: TreeSize, new: TreeSize },
    #[error("no tree has {0} entries")]
    TooLarge(TreeSize),
    #[error("unknown log: this witness does not watch {0}")]
    UnknownLog(OriginLine),
    #[error("invalid signature: {0}")]
    NotSigned(#[from] VerifyError),
    #[error("this witness has cosigned a tree of {has} entries of this log, not of {old}")]
    OtherSize { has: TreeSize, old: TreeSize },
    #[error("the consistency proof does not show that this extends what was cosigned here: {0}")]
    NotConsistent(#[from] ConsistencyError),
}

impl From<NoteError> for Refusal {
    fn from(error: NoteError) -> Self {
        match error {
            NoteError::NoSignatures | NoteError::TooManySignatures | NoteError::Signature(_) => {
                Self::NoSignature(error)
            }
            error => Self::Note(error),
        }
    }
}

impl Request {
    /// Reads the body of a request.
    pub(super) fn read(body: &[u8]) -> Result<Self, Refusal> {
        let body = std::str::from_utf8(body).map_err(|_| Refusal::NotARequest)?;
        // No line of the proof is empty, so that the first empty line ends it.
        let (head, note) = body.split_once("\n\n").ok_or(Refusal::NotARequest)?;
        let mut lines = head.split('\n');
        let old = lines.next().and_then(|line| line.strip_prefix("old ")).and_then(decimal).ok_or(Refusal::OldSize)?;
        let mut path = Vec::new();
        for (line, number) in lines.zip(1..) {
            if number > PROOF_MAX_HASHES {
                return Err(Refusal::TooManyHashes);
            }
            path.push(Hash::from_base64(line).map_err(|error| Refusal::Hash(number, error))?);
        }
        let note = Note::read(note.as_bytes())?;
        let checkpoint = Checkpoint::read(note.text())?;
        Ok(Self { old, proof: ConsistencyProof { path }, note, checkpoint })
    }

    /// The request, if the log has signed its checkpoint with one of the keys that are known for its origin. Lines of
    /// other keys are ignored.
    pub(super) fn signed<'k>(self, keys: impl Fn(&OriginLine) -> &'k [VerifierKey]) -> Result<Signed, Refusal> {
        let Self { old, proof, note, checkpoint } = self;
        let keys = keys(checkpoint.origin());
        if keys.is_empty() {
            return Err(Refusal::UnknownLog(checkpoint.origin().clone()));
        }
        note.verify(keys)?;
        let mut known = note.signatures().iter().filter(|line| keys.iter().any(|key| key.is_named_by(line))).cloned();
        // There is one, or the note would not have been verified.
        let first = known.next().ok_or(VerifyError::NoKnownKey)?;
        let mut vouched_for = Note::with_signature(note.text().clone(), first);
        for line in known {
            vouched_for.add(line)?;
        }
        Ok(Signed { checkpoint, note, old, proof, vouched_for })
    }
}

impl Signed {
    /// The tree to store and to cosign, after the one that was seen last: the empty one where none was.
    pub(super) fn decide(&self, seen: &Tree) -> Result<Tree, Refusal> {
        let next = self.checkpoint.tree();
        if self.old > next.size {
            return Err(Refusal::Shrinks { old: self.old, new: next.size });
        }
        if i64::try_from(next.size.0).is_err() {
            return Err(Refusal::TooLarge(next.size));
        }
        if self.old != seen.size {
            return Err(Refusal::OtherSize { has: seen.size, old: self.old });
        }
        self.proof.check_growth(seen, &next)?;
        Ok(next)
    }

    pub(super) fn vouched_for(&self) -> Note {
        self.vouched_for.clone()
    }
}

fn decimal(text: &str) -> Option<TreeSize> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| plain).map(TreeSize)
}
