//! The live feed of one match. Each event is written once for all spectators, who share one queue.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use app::{App, AppError, News, slug};
use askama::Template;
use axum::body::Bytes;
use ledger::{MatchId, Seq};
use tokio::sync::broadcast;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::event::{ALIVE, BYE, StateEvent};
use super::event_view;
use super::state_view::{StateParts, StateView};

/// The number of events that a spectator may be behind. A slower one is disconnected, and reconnects with its last
/// event.
const BEHIND_MAX: usize = 64;
/// The interval of keep-alive comments on an idle connection.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// The number of events repeated to a reader who reconnects; earlier ones are part of the current state.
const REPEATED_MAX: usize = 50;
/// The pause before retrying to read a match.
const RETRY_DELAY: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct MatchFeed {
    match_id: MatchId,
    state: Mutex<FeedState>,
}

#[derive(Debug)]
struct FeedState {
    queue: Option<broadcast::Sender<Bytes>>,
    /// The last events: those that are repeated to a reader who reconnects.
    events: Vec<(Seq, Bytes)>,
    now: Option<(Seq, Bytes)>,
    next: Seq,
}

#[derive(Debug)]
pub(super) struct Subscription {
    pub(super) missed: Vec<Bytes>,
    pub(super) queue: broadcast::Receiver<Bytes>,
}

impl MatchFeed {
    pub(super) async fn open(app: &App, match_id: MatchId) -> Result<Arc<Self>, AppError> {
        let (queue, _) = broadcast::channel(BEHIND_MAX);
        let state = FeedState { queue: Some(queue), events: Vec::new(), now: None, next: Seq(0) };
        let feed = Self { match_id, state: Mutex::new(state) };
        feed.send_new(app).await?;
        Ok(Arc::new(feed))
    }

    fn lock(&self) -> MutexGuard<'_, FeedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a spectator; `seen` is the last event that it has. None when no more events come.
    pub(super) fn join(&self, seen: Option<Seq>) -> Option<Subscription> {
        let state = self.lock();
        // Events are sent under the same lock, so none is missed and none comes twice.
        let queue = state.queue.as_ref()?.subscribe();
        let mut missed: Vec<Bytes> = Vec::new();
        if let Some(seen) = seen {
            let after = state.events.iter().filter(|(entry, _)| *entry > seen).map(|(_, event)| event.clone());
            missed.extend(after);
            missed.drain(..missed.len().saturating_sub(REPEATED_MAX));
        }
        missed.extend(
            state.now.iter().filter(|(entry, _)| seen.is_none_or(|seen| *entry > seen)).map(|(_, now)| now.clone()),
        );
        Some(Subscription { missed, queue })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().queue.as_ref().is_none_or(|queue| queue.receiver_count() == 0)
    }

    async fn send_new(&self, app: &App) -> Result<(), AppError> {
        let history = app.matches.history(self.match_id).await?;
        let from = self.lock().next;
        if history.head.next <= from {
            return Ok(());
        }
        let entries = app.matches.entries_since(self.match_id, from).await?;
        let struck = entries.iter().any(|entry| entry.kind == ledger::Kind::Struck);
        let news = event_view::events(&history, &entries);
        // Struck rounds are not repeated to a reader who reconnects.
        let again = match struck && from > Seq(0) {
            true => Some(event_view::events(&history, &app.matches.entries_since(self.match_id, Seq(0)).await?)),
            false => None,
        };
        let html = StateParts { now: StateView::of(&history, history.last_at) }.render().unwrap_or_default();
        let entry = event_view::last(&history).max(news.last().map_or(Seq(0), |event| event.entry));
        let mut state = self.lock();
        state.next = history.head.next;
        if news.is_empty() && state.now.is_some() {
            return Ok(());
        }
        let written: Vec<(Seq, Bytes)> = news.iter().map(|event| (event.entry, event.to_bytes())).collect();
        let now = StateEvent { slug: &slug(self.match_id), entry, time: app.system().now(), html: &html }.to_bytes();
        for event in written.iter().map(|(_, event)| event).chain([&now]) {
            state.send(event.clone());
        }
        match again {
            Some(all) => {
                state.events.clear();
                state.remember(all.iter().map(|event| (event.entry, event.to_bytes())));
            }
            None => state.remember(written),
        }
        state.now = Some((entry, now));
        Ok(())
    }

    /// Sends all events until there are no more spectators or the node stops. `close_if_empty` tells if the feed was closed.
    pub(super) async fn run(self: Arc<Self>, app: Weak<App>, mut news: News, close_if_empty: impl Fn(&Self) -> bool) {
        let mut alive = interval(KEEP_ALIVE);
        alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // Otherwise its first tick would come at once.
        alive.reset();
        loop {
            tokio::select! {
                changed = news.changed() => {
                    let Some(app) = app.upgrade().filter(|_| changed.is_ok()) else { break };
                    news.borrow_and_update();
                    if let Err(error) = self.send_new(&app).await {
                        tracing::warn!(match_id = %self.match_id, %error, "spectators could not be told; it is tried again");
                        drop(app);
                        sleep(RETRY_DELAY).await;
                        news.mark_changed();
                    }
                }
                _ = alive.tick() => {
                    if close_if_empty(&self) {
                        return;
                    }
                    self.lock().send(ALIVE);
                }
            }
        }
        let mut state = self.lock();
        state.send(BYE);
        state.queue = None;
    }
}

impl FeedState {
    /// Keeps events for readers who reconnect, and drops those that nobody is told again.
    fn remember(&mut self, events: impl IntoIterator<Item = (Seq, Bytes)>) {
        self.events.extend(events);
        let old = self.events.len().saturating_sub(REPEATED_MAX);
        self.events.drain(..old);
    }

    fn send(&self, event: Bytes) {
        if let Some(queue) = &self.queue {
            // There may be no spectators.
            let _ = queue.send(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_events_are_kept_as_are_repeated() {
        let (queue, _) = broadcast::channel(BEHIND_MAX);
        let mut state = FeedState { queue: Some(queue), events: Vec::new(), now: None, next: Seq(0) };
        for seq in 1..=200 {
            state.remember([(Seq(seq), Bytes::new())]);
        }
        let old: Vec<u32> = state.events.iter().map(|(entry, _)| entry.0).collect();
        assert_eq!(old, (151..=200).collect::<Vec<_>>());
        state.remember((201..=400).map(|seq| (Seq(seq), Bytes::new())));
        assert_eq!(state.events.len(), REPEATED_MAX);
    }
}
