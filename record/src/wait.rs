//! Matches that wait for the log's witnesses: what is sealed opens once enough of them have cosigned a tree that covers
//! it, or once a limit has passed.

use std::ops::RangeInclusive;
use std::time::Duration;

use ledger::{DecisionId, Moment, Seq, Tree};

use crate::clock::{between, later};
use crate::history::History;
use crate::share::SHARE;

/// The limits that a match may have, in seconds.
pub const WAIT_SECONDS: RangeInclusive<u32> = 1..=600;

/// A decision that is sealed, and waits for the witnesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The decision.
    pub decision: DecisionId,
    /// Its last seal: the tree covers this entry.
    pub sealed: Seq,
    /// The time of that entry.
    pub since: Moment,
    /// The time at which the limit passes.
    pub until: Moment,
}

/// A decision of a match that waits, after it was resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitRecord {
    /// The decision.
    pub decision: DecisionId,
    /// The entry that resolved it.
    pub entry: Seq,
    /// The time of its last seal.
    pub since: Moment,
    /// The time at which it was resolved.
    pub at: Moment,
    /// The tree under which it was.
    pub tree: Tree,
    /// The server says that enough witnesses had cosigned the tree; otherwise the limit had passed.
    pub witnessed: bool,
}

impl WaitRecord {
    /// The time from the last seal to its opening.
    #[must_use]
    pub fn waited(&self) -> Duration {
        between(self.since, self.at)
    }
}

impl History {
    /// The decision that waits for the witnesses, in a match that does.
    #[must_use]
    pub fn waiting(&self) -> Option<Waiting> {
        let limit = Duration::from_secs(self.opened.wait?.into());
        let open = self.open.iter().find(|open| !open.sealed.is_empty() && open.asked.what != SHARE)?;
        let sealed = open.sealed.last()?.0;
        let since = self.seals.iter().find(|seal| seal.entry == sealed)?.at;
        Some(Waiting { decision: open.asked.decision.clone(), sealed, since, until: later(since, limit) })
    }
}
