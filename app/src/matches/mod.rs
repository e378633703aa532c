//! Matches, read: folded once for each head, with everything that the server knows.

mod escrow;
mod histories;
mod lost_openings;

use std::sync::Arc;

pub use histories::MatchVersion;
pub(crate) use histories::by_commitment;

use crate::caches::Caches;
use crate::due::DueList;
use crate::live_feed::MatchFeed;
use crate::logs::Logs;
use crate::queue::Queue;
use crate::vault::Vault;

/// The number of matches that are folded for readers at the same time: while one waits for the database, another is
/// folded.
const FOLDED_AT_ONCE: usize = 4;

#[derive(Debug)]
pub struct Matches {
    pub(crate) logs: Arc<Logs>,
    pub(crate) vault: Vault,
    pub(crate) caches: Arc<Caches>,
    pub(crate) feed: Arc<MatchFeed>,
    due: Arc<DueList>,
    readers: Queue,
}

impl Matches {
    pub(crate) fn new(
        logs: Arc<Logs>,
        vault: Vault,
        caches: Arc<Caches>,
        feed: Arc<MatchFeed>,
        due: Arc<DueList>,
    ) -> Self {
        Self { logs, vault, caches, feed, due, readers: Queue::of(FOLDED_AT_ONCE) }
    }
}
