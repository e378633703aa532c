//! The reason why the log cannot be written or signed, and the remedy.

use std::fmt;

use ledger::Origin;
use store::{Contradiction, Denial, Trouble};

use super::file::FileError;

/// What it means, in the words of every page, answer, probe, alert and log.
pub const NOT_SIGNED: &str = "Nothing new is accepted at the moment, because the log cannot be written or signed";

/// The log must not be signed, because holders of an earlier checkpoint would see two histories; or it cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The database answers, and stores no entries or checkpoints.
    Denied(Denial),
    /// The stored log does not extend what it signed.
    Log(Contradiction),
    /// The checkpoint file does not fit the log.
    File(FileError),
    /// The end of the log is not what was acknowledged.
    End(String),
    /// The command that has the log's key does not sign.
    Signer(String),
    /// The operator began a new term of the log, after the start of this program.
    NewTerm { origin: Origin },
    /// Somebody else holds a checkpoint of this log that it cannot extend.
    Seen {
        /// The holder, such as a witness's name.
        by: String,
        what: String,
    },
}

impl StopReason {
    pub(super) const fn is_about_a_disk_or_right(&self) -> bool {
        matches!(self, Self::Denied(_) | Self::Signer(_) | Self::File(FileError::Unusable { .. }))
    }

    #[must_use]
    pub const fn is_about_entries(&self) -> bool {
        match self {
            Self::Denied(_)
            | Self::Log(Contradiction::Tile { .. })
            | Self::File(_)
            | Self::Signer(_)
            | Self::NewTerm { .. }
            | Self::Seen { .. } => false,
            Self::Log(_) | Self::End(_) => true,
        }
    }

    #[must_use]
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::Denied(denial) => denial.cause.remedy(),
            Self::Log(Contradiction::Tile { .. }) => {
                "Nothing else is wrong: once the row is gone, signing goes on by itself."
            }
            Self::Log(Contradiction::Altered { .. } | Contradiction::Missing { .. }) => {
                "Put the database back as it was, from a backup that is not older than this log; signing then goes on by \
                 itself."
            }
            Self::Log(Contradiction::Shorter { .. } | Contradiction::Different { .. }) | Self::Seen { .. } => {
                "If the database that has those entries still exists, use it again: signing then goes on by itself. If they \
                 are lost for good, run \u{201c}matchbook log succeed\u{201d}: it starts a new origin that says openly what \
                 the old one had signed."
            }
            Self::NewTerm { .. } => {
                "Start the program again. Another machine needs the new files of keys/ first: copy them from where you ran the \
                 command."
            }
            Self::End(_) => {
                "If the database that has those entries still exists, use it again: signing then goes on by itself. If they \
                 are lost for good, run \u{201c}matchbook log succeed --even-so\u{201d}: the log then goes on without them, \
                 under a new origin."
            }
            Self::Signer(_) => "Make the command work that keys/ names; signing then goes on by itself.",
            Self::File(FileError::Unusable { .. }) => {
                "Make room on its disk, or give the program the right to write there and in its folder; everything then goes \
                 on by itself."
            }
            Self::File(FileError::Missing { .. }) => {
                "If it is elsewhere, put it back or name it with --checkpoint-file; if this is another node, copy it from one \
                 that runs. If it is lost, the database alone says what was signed last: ask witnesses and monitors for the \
                 newest checkpoint that they know. If none is newer than the database\u{2019}s, start the program once with \
                 --last-checkpoint and its number of entries."
            }
            Self::File(_) => {
                "If this database was restored from an older backup, use the newer one. If the file belongs to another log, \
                 name the right one with --checkpoint-file. If it is damaged, move it away, and do as for a lost one: start the \
                 program, and read what it says. Do not delete it before you know which it is: it is what keeps this log from \
                 telling two histories."
            }
        }
    }
}

impl From<Trouble> for StopReason {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Denied(denial) => Self::Denied(denial),
            Trouble::Corrupt(what) => Self::End(what),
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied(denial) => denial.fmt(f),
            Self::Log(contradiction) => contradiction.fmt(f),
            Self::End(what) => f.write_str(what),
            Self::Signer(why) => write!(f, "the log\u{2019}s key is behind a command, and {why}"),
            Self::File(error) => error.fmt(f),
            Self::NewTerm { origin } => {
                write!(f, "the log goes on as {origin}, with new keys, and this program has those of before")
            }
            Self::Seen { by, what } => write!(f, "{by} holds a checkpoint of this log that it cannot extend: {what}"),
        }
    }
}
