//! The stand of one match: what its spectators are sent. Each event is written once, whoever watches; a spectator costs a
//! place in a queue that all of them share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use app::book::{Book, BookError, News};
use askama::Template;
use axum::body::Bytes;
use ledger::{MatchId, Seq};
use tokio::sync::broadcast;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::event::{ALIVE, BYE, Now};
use super::now::NowView;
use super::told;

/// Events that a spectator may be behind. Whoever is further behind is let go, and comes back from where it was.
const BEHIND_MAX: usize = 64;
/// How often a connection on which nothing happens is kept alive.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Events that are told again to somebody who comes back; what was before them is in the state as it stands.
const TOLD_AGAIN: usize = 50;
/// Between two attempts at a match that could not be read.
const PATIENCE: Duration = Duration::from_secs(1);

/// The stand of one match.
#[derive(Debug)]
pub(super) struct Stand {
    match_id: MatchId,
    told: Mutex<Told>,
}

/// What was told, and to whom the next is.
#[derive(Debug)]
struct Told {
    /// None when nothing more comes.
    queue: Option<broadcast::Sender<Bytes>>,
    /// Every event so far.
    events: Vec<(Seq, Bytes)>,
    /// The state as it stands.
    now: Option<(Seq, Bytes)>,
    /// The entries up to here are told.
    next: Seq,
}

/// What somebody is sent who comes now: what was missed, and then whatever comes.
#[derive(Debug)]
pub(super) struct Joined {
    /// Sent at once.
    pub(super) missed: Vec<Bytes>,
    /// Everything after it.
    pub(super) queue: broadcast::Receiver<Bytes>,
}

impl Stand {
    /// The stand of a match, with everything told that happened so far.
    pub(super) async fn open(book: &Book, match_id: MatchId) -> Result<Arc<Self>, BookError> {
        let (queue, _) = broadcast::channel(BEHIND_MAX);
        let told = Told { queue: Some(queue), events: Vec::new(), now: None, next: Seq(0) };
        let stand = Self { match_id, told: Mutex::new(told) };
        stand.look(book).await?;
        Ok(Arc::new(stand))
    }

    fn lock(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins the spectators; `seen` is the last event that somebody has. None when nothing more comes.
    pub(super) fn join(&self, seen: Option<Seq>) -> Option<Joined> {
        let told = self.lock();
        // Under the same lock under which events are sent: none is missed and none comes twice.
        let queue = told.queue.as_ref()?.subscribe();
        let mut missed: Vec<Bytes> = Vec::new();
        if let Some(seen) = seen {
            let after = told.events.iter().filter(|(entry, _)| *entry > seen).map(|(_, event)| event.clone());
            missed.extend(after);
            missed.drain(..missed.len().saturating_sub(TOLD_AGAIN));
        }
        missed.extend(
            told.now.iter().filter(|(entry, _)| seen.is_none_or(|seen| *entry > seen)).map(|(_, now)| now.clone()),
        );
        Some(Joined { missed, queue })
    }

    /// Whether nobody watches.
    pub(super) fn is_empty(&self) -> bool {
        self.lock().queue.as_ref().is_none_or(|queue| queue.receiver_count() == 0)
    }

    /// Tells what happened since the last look.
    async fn look(&self, book: &Book) -> Result<(), BookError> {
        let history = book.history(self.match_id).await?;
        let from = self.lock().next;
        if history.head.next <= from {
            return Ok(());
        }
        let entries = book.entries_since(self.match_id, from).await?;
        let struck = entries.iter().any(|entry| entry.kind == ledger::Kind::Struck);
        let news = told::events(&history, &entries);
        // What was struck is not told again to somebody who comes back.
        let again = match struck && from > Seq(0) {
            true => Some(told::events(&history, &book.entries_since(self.match_id, Seq(0)).await?)),
            false => None,
        };
        let html = NowView::of(&history).render().unwrap_or_default();
        let entry = told::last(&history).max(news.last().map_or(Seq(0), |event| event.entry));
        let mut told = self.lock();
        told.next = history.head.next;
        if news.is_empty() && told.now.is_some() {
            return Ok(());
        }
        let written: Vec<(Seq, Bytes)> = news.iter().map(|event| (event.entry, event.written())).collect();
        let now = Now { entry, time: book.mint().now(), html: &html }.written();
        for event in written.iter().map(|(_, event)| event).chain([&now]) {
            told.send(event.clone());
        }
        match again {
            Some(all) => told.events = all.iter().map(|event| (event.entry, event.written())).collect(),
            None => told.events.extend(written),
        }
        told.now = Some((entry, now));
        Ok(())
    }

    /// Tells everything that happens, until nobody watches any more or the node stops. `left` is asked whether that was
    /// the end of it.
    pub(super) async fn keep(self: Arc<Self>, book: Weak<Book>, mut news: News, left: impl Fn(&Self) -> bool) {
        let mut alive = interval(KEEP_ALIVE);
        alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // Its first tick would come at once.
        alive.reset();
        loop {
            tokio::select! {
                changed = news.changed() => {
                    let Some(book) = book.upgrade().filter(|_| changed.is_ok()) else { break };
                    news.borrow_and_update();
                    if let Err(error) = self.look(&book).await {
                        tracing::warn!(match_id = %self.match_id, %error, "spectators could not be told; it is tried again");
                        drop(book);
                        sleep(PATIENCE).await;
                        news.mark_changed();
                    }
                }
                _ = alive.tick() => {
                    if left(&self) {
                        return;
                    }
                    self.lock().send(ALIVE);
                }
            }
        }
        let mut told = self.lock();
        told.send(BYE);
        told.queue = None;
    }
}

impl Told {
    fn send(&self, event: Bytes) {
        if let Some(queue) = &self.queue {
            // Nobody may be there.
            let _ = queue.send(event);
        }
    }
}
