//! The feed of matches, for listeners on this node.
//!
//! Entries of this node are announced as soon as they are acknowledged. Entries of other nodes are found by following
//! the positions of both logs: several times a second while anybody listens, and not at all while nobody does. Appending
//! never waits for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ledger::{LeafIndex, MatchId, Seq, TreeSize};
use store::{AppendResult, StoreError};
use tokio::sync::{Notify, broadcast, watch};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::logs::Logs;
use crate::scope::Scope;
use crate::workers::Workers;

/// The interval of looking for entries of other nodes. They are a tenth of a second late, on average.
const LOOK: Duration = Duration::from_millis(150);
const READ: u32 = 512;
const PATIENCE: Duration = Duration::from_secs(1);
/// The number of submissions that a listener may be behind.
const BEHIND_MAX: usize = 256;

/// The news of one match: the number of its next entry, as far as is known here. It may repeat without a change, and ends
/// when the node stops.
pub type News = watch::Receiver<Seq>;

#[derive(Debug)]
pub struct MatchFeed {
    listeners: Arc<Listeners>,
    _task: JoinSet<()>,
}

#[derive(Debug)]
struct Listeners {
    channels: Mutex<Channels>,
    came: Notify,
    received: broadcast::Sender<MatchId>,
}

#[derive(Debug)]
struct Channels {
    matches: HashMap<MatchId, watch::Sender<Seq>>,
    log: Option<watch::Sender<TreeSize>>,
}

impl MatchFeed {
    pub(crate) fn start(logs: Arc<Logs>, workers: &Workers) -> Self {
        let log = Some(watch::Sender::new(TreeSize(0)));
        let channels = Mutex::new(Channels { matches: HashMap::new(), log });
        let listeners =
            Arc::new(Listeners { channels, came: Notify::new(), received: broadcast::Sender::new(BEHIND_MAX) });
        let mut task = JoinSet::new();
        task.spawn(workers.run("follower of the log", follow(logs, listeners.clone())));
        Self { listeners, _task: task }
    }

    pub(crate) fn appended(&self, match_id: MatchId, appended: &AppendResult) {
        let mut channels = self.listeners.lock();
        channels.announce(match_id, appended.head.next);
        if Scope::of(match_id) == Scope::Record {
            channels.grow_to(appended.tree.size);
        }
    }

    /// Says that something was sent in a match; not by whom, and not what.
    pub(crate) fn received(&self, match_id: MatchId) {
        // There may be no listeners.
        let _ = self.listeners.received.send(match_id);
    }

    pub(crate) fn gone(&self, match_id: MatchId) {
        self.listeners.lock().matches.remove(&match_id);
    }
}

impl Listeners {
    fn lock(&self) -> MutexGuard<'_, Channels> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn anybody(&self) -> bool {
        let mut channels = self.lock();
        channels.matches.retain(|_, next_seq| next_seq.receiver_count() > 0);
        !channels.matches.is_empty() || channels.log.as_ref().is_some_and(|log| log.receiver_count() > 0)
    }
}

impl Channels {
    fn announce(&mut self, match_id: MatchId, next: Seq) {
        if let Some(next_seq) = self.matches.get(&match_id) {
            next_seq.send_if_modified(|known| {
                let more = next > *known;
                *known = next.max(*known);
                more
            });
        }
    }

    fn grow_to(&mut self, size: TreeSize) {
        if let Some(log) = &self.log {
            log.send_if_modified(|known| {
                let more = size > *known;
                *known = size.max(*known);
                more
            });
        }
    }

    fn look_again(&mut self) {
        for next_seq in self.matches.values() {
            next_seq.send_modify(|_| {});
        }
    }
}

async fn follow(logs: Arc<Logs>, listeners: Arc<Listeners>) {
    loop {
        listeners.came.notified().await;
        if let Err(error) = while_anybody_listens(&logs, &listeners).await {
            tracing::warn!(%error, "the log cannot be followed for those who listen; it is tried again");
            sleep(PATIENCE).await;
            listeners.came.notify_one();
        }
    }
}

async fn while_anybody_listens(logs: &Logs, listeners: &Listeners) -> Result<(), StoreError> {
    let mut ends = Vec::new();
    for scope in Scope::ALL {
        ends.push((scope, logs.in_scope(scope).store.size().await?));
    }
    {
        // Entries that came between a listener's own reading and this position would not be announced.
        let mut channels = listeners.lock();
        channels.grow_to(ends.first().map_or(TreeSize(0), |(_, size)| *size));
        channels.look_again();
    }
    while listeners.anybody() {
        let mut found = false;
        for (scope, end) in &mut ends {
            let entries = logs.in_scope(*scope).store.entries_from(LeafIndex(end.0), READ).await?;
            let Some(last) = entries.last() else { continue };
            (*end, found) = (last.index.covered_by(), true);
            let mut channels = listeners.lock();
            for entry in &entries {
                channels.announce(entry.match_id, Seq(entry.seq.0.saturating_add(1)));
            }
            if *scope == Scope::Record {
                channels.grow_to(*end);
            }
        }
        if !found {
            sleep(LOOK).await;
        }
    }
    Ok(())
}

impl MatchFeed {
    /// The news of a match from now on. A caller that listens first and reads then misses nothing. None while the node
    /// stops.
    #[must_use]
    pub fn news(&self, match_id: MatchId) -> Option<News> {
        let mut channels = self.listeners.lock();
        channels.log.as_ref()?;
        let news = channels.matches.entry(match_id).or_insert_with(|| watch::Sender::new(Seq(0))).subscribe();
        drop(channels);
        self.listeners.came.notify_one();
        Some(news)
    }

    /// The matches in which something is sent to this node from now on. Only for their umpires.
    #[must_use]
    pub fn submissions(&self) -> broadcast::Receiver<MatchId> {
        self.listeners.received.subscribe()
    }

    #[must_use]
    pub fn news_of_all(&self) -> Option<watch::Receiver<TreeSize>> {
        let news = self.listeners.lock().log.as_ref()?.subscribe();
        self.listeners.came.notify_one();
        Some(news)
    }

    pub fn end(&self) {
        let mut channels = self.listeners.lock();
        channels.matches.clear();
        channels.log = None;
    }
}
