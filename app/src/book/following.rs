//! News of matches, for whoever listens on this node.
//!
//! What this node appends is told as soon as it is acknowledged. What other nodes append is found by following the log's
//! positions: several times a second while anybody listens, and not at all while nobody does. The way of an entry into the
//! log knows nothing of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ledger::{LeafIndex, MatchId, Seq, TreeSize};
use store::{Appended, Store, StoreError};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::Book;
use crate::workers::Workers;

/// How often the log is looked at while anybody listens. An entry of another node is a tenth of a second late, on average.
const LOOK: Duration = Duration::from_millis(150);
/// Entries that are read in one go.
const READ: u32 = 512;
/// Between two attempts at a database that is away.
const PATIENCE: Duration = Duration::from_secs(1);

/// The news of one match: where its next entry goes, as far as is known here. It may be told again without having changed;
/// it ends when the node stops.
pub type News = watch::Receiver<Seq>;

/// This node's news. The task behind it ends with it.
#[derive(Debug)]
pub(super) struct Following {
    told: Arc<Told>,
    _task: JoinSet<()>,
}

#[derive(Debug)]
struct Told {
    listening: Mutex<Listening>,
    /// Somebody began to listen.
    came: Notify,
}

#[derive(Debug)]
struct Listening {
    matches: HashMap<MatchId, watch::Sender<Seq>>,
    /// How many entries the log has, as far as is known here. None when the node stops.
    log: Option<watch::Sender<TreeSize>>,
}

impl Following {
    pub(super) fn start(store: Store, workers: &Workers) -> Self {
        let log = Some(watch::Sender::new(TreeSize(0)));
        let listening = Mutex::new(Listening { matches: HashMap::new(), log });
        let told = Arc::new(Told { listening, came: Notify::new() });
        let mut task = JoinSet::new();
        task.spawn(workers.run("follower of the log", follow(store, told.clone())));
        Self { told, _task: task }
    }

    /// This node appended to a match.
    pub(super) fn entered(&self, match_id: MatchId, appended: &Appended) {
        let mut listening = self.told.lock();
        listening.tell(match_id, appended.head.next);
        listening.grown(appended.tree.size);
    }

    /// A match is no more, or no more what it was: its news end.
    pub(super) fn gone(&self, match_id: MatchId) {
        self.told.lock().matches.remove(&match_id);
    }
}

impl Told {
    fn lock(&self) -> MutexGuard<'_, Listening> {
        self.listening.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets matches that nobody listens to, and says whether anybody listens to anything.
    fn anybody(&self) -> bool {
        let mut listening = self.lock();
        listening.matches.retain(|_, told| told.receiver_count() > 0);
        !listening.matches.is_empty() || listening.log.as_ref().is_some_and(|log| log.receiver_count() > 0)
    }
}

impl Listening {
    fn tell(&mut self, match_id: MatchId, next: Seq) {
        if let Some(told) = self.matches.get(&match_id) {
            told.send_if_modified(|known| {
                let more = next > *known;
                *known = next.max(*known);
                more
            });
        }
    }

    fn grown(&mut self, size: TreeSize) {
        if let Some(log) = &self.log {
            log.send_if_modified(|known| {
                let more = size > *known;
                *known = size.max(*known);
                more
            });
        }
    }

    /// Has everybody look at where their match stands.
    fn look_again(&mut self) {
        for told in self.matches.values() {
            told.send_modify(|_| {});
        }
    }
}

async fn follow(store: Store, told: Arc<Told>) {
    loop {
        told.came.notified().await;
        if let Err(error) = while_anybody_listens(&store, &told).await {
            tracing::warn!(%error, "the log cannot be followed for those who listen; it is tried again");
            sleep(PATIENCE).await;
            told.came.notify_one();
        }
    }
}

async fn while_anybody_listens(store: &Store, told: &Told) -> Result<(), StoreError> {
    let mut from = store.size().await?;
    {
        // What came between a listener's own look and this place would be told to nobody.
        let mut listening = told.lock();
        listening.grown(from);
        listening.look_again();
    }
    while told.anybody() {
        let entries = store.entries_from(LeafIndex(from.0), READ).await?;
        let Some(last) = entries.last() else {
            sleep(LOOK).await;
            continue;
        };
        from = last.index.covered_by();
        let mut listening = told.lock();
        for entry in &entries {
            listening.tell(entry.match_id, Seq(entry.seq.0.saturating_add(1)));
        }
        listening.grown(from);
    }
    Ok(())
}

impl Book {
    /// The news of a match from now on. Listen first, then look: nothing falls between the two. None while the node stops.
    #[must_use]
    pub fn news(&self, match_id: MatchId) -> Option<News> {
        let told = &self.following.told;
        let mut listening = told.lock();
        listening.log.as_ref()?;
        let news = listening.matches.entry(match_id).or_insert_with(|| watch::Sender::new(Seq(0))).subscribe();
        drop(listening);
        told.came.notify_one();
        Some(news)
    }

    /// How many entries the log has, from now on, whatever match they belong to. None while the node stops.
    #[must_use]
    pub fn news_of_all(&self) -> Option<watch::Receiver<TreeSize>> {
        let told = &self.following.told;
        let news = told.lock().log.as_ref()?.subscribe();
        told.came.notify_one();
        Some(news)
    }

    /// Ends all news, and with them whatever waits for some: the node stops.
    pub fn end_news(&self) {
        if let Some(practice) = self.practice.get() {
            practice.end_news();
        }
        let mut listening = self.following.told.lock();
        listening.matches.clear();
        listening.log = None;
    }
}
