//! The writer's requests and answers.

use ledger::{Draft, EntryError, Hash, Head, LeafIndex, LogId, MatchId, Moment, Seq, SubmitId};
use thiserror::Error;
use tokio::sync::oneshot;

use super::read::TreeHead;
use super::texts::Text;

pub const APPEND_MAX_ENTRIES: usize = 512;

/// Entries for one match that are appended together or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    pub log_id: LogId,
    pub match_id: MatchId,
    /// The head on which the caller decided: the first entry follows it.
    pub expected: Head,
    pub drafts: Vec<Draft>,
    /// The words that the entries commit to: they are stored together with the entries or not at all.
    pub texts: Vec<Text>,
    /// With it, a repeated request gets the first answer and changes nothing.
    pub submit: Option<Submit>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Submit {
    pub id: SubmitId,
    /// SHA-256 of the client's input. The same id with another digest is refused.
    pub digest: Hash,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppendResult {
    pub entries: Vec<EntryPlace>,
    pub head: Head,
    pub tree: TreeHead,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryPlace {
    pub index: LeafIndex,
    pub seq: Seq,
    pub leaf: Hash,
    pub at: Moment,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// There are no drafts.
    #[error("an append has at least one entry")]
    Empty,
    /// There are more drafts than one batch accepts.
    #[error("an append has at most 512 entries, this has {entries}")]
    TooMany {
        /// The number of drafts.
        entries: usize,
    },
    /// A draft cannot be written as an entry.
    #[error("draft {draft}: {error}")]
    Draft {
        /// The index of the draft, from 0.
        draft: usize,
        /// The cause.
        error: EntryError,
    },
    /// A text contains U+0000, which PostgreSQL cannot store.
    #[error("a text holds a sign that cannot be kept")]
    Text,
    /// Somebody else appended to the match after the caller read it.
    #[error("the match has {} entries now, and the append was made for {}", .head.next, .expected.next)]
    Stale {
        /// The head that the caller read.
        expected: Head,
        /// The current head.
        head: Head,
    },
    /// The submit id was used before, for something else.
    #[error("this submit id was used before with other contents")]
    SubmitReused,
    /// The match has reached the maximum number of entries.
    #[error("the match is full")]
    Full,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AppendError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The writer has stopped. It may still have appended this; with a submit id it is safe to ask again.
    #[error("the ledger takes no more entries; the program's log says why")]
    Stopped,
}

#[derive(Debug)]
pub(super) struct Pending {
    pub(super) append: Append,
    pub(super) answer: oneshot::Sender<Result<AppendResult, AppendError>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences() {
        let seen = Head { next: Seq(3), leaf: Hash::ZERO };
        let stale = Refusal::Stale { expected: seen, head: Head { next: Seq(5), ..seen } };
        for (refusal, said) in [
            (Refusal::Empty, "an append has at least one entry"),
            (Refusal::TooMany { entries: 513 }, "an append has at most 512 entries, this has 513"),
            (
                Refusal::Draft { draft: 1, error: EntryError::TooLong { bytes: 70_000 } },
                "draft 1: an entry has at most 65535 bytes, this has 70000",
            ),
            (Refusal::Text, "a text holds a sign that cannot be kept"),
            (stale, "the match has 5 entries now, and the append was made for 3"),
            (Refusal::SubmitReused, "this submit id was used before with other contents"),
            (Refusal::Full, "the match is full"),
        ] {
            assert_eq!(AppendError::from(refusal).to_string(), said);
        }
        assert_eq!(AppendError::Stopped.to_string(), "the ledger takes no more entries; the program's log says why");
    }
}
