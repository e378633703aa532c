//! The live feeds of this node, one for each match with spectators.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use app::App;
use ledger::{MatchId, Seq};
use tokio::sync::Mutex as AsyncMutex;

use super::connection_limit::ConnectionLimit;
use super::match_feed::{MatchFeed, Subscription};
use web_http::{ErrorKind, Problem};

#[derive(Debug, Default)]
pub(super) struct FeedRegistry {
    open: Mutex<HashMap<MatchId, Arc<MatchFeed>>>,
    /// Held while opening a feed: a thousand spectators who arrive at once open it once.
    opening: AsyncMutex<()>,
    pub(super) limit: Arc<ConnectionLimit>,
}

impl FeedRegistry {
    pub(super) async fn join(
        self: &Arc<Self>,
        app: &Arc<App>,
        match_id: MatchId,
        seen: Option<Seq>,
    ) -> Result<Subscription, Problem> {
        if let Some(joined) = self.find(match_id, seen) {
            return Ok(joined);
        }
        let _opening = self.opening.lock().await;
        if let Some(joined) = self.find(match_id, seen) {
            return Ok(joined);
        }
        // Subscribe first, then read, so that no entry is missed.
        let news = app.feed.news(match_id).ok_or_else(stopping)?;
        let feed = MatchFeed::open(app, match_id).await?;
        let joined = feed.join(seen).ok_or_else(stopping)?;
        self.lock().insert(match_id, feed.clone());
        let registry = self.clone();
        let close_if_empty = move |feed: &MatchFeed| registry.close_if_empty(match_id, feed);
        tokio::spawn(feed.run(Arc::downgrade(app), news, close_if_empty));
        Ok(joined)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<MatchId, Arc<MatchFeed>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Uses the lock under which empty feeds are closed.
    fn find(&self, match_id: MatchId, seen: Option<Seq>) -> Option<Subscription> {
        self.lock().get(&match_id)?.join(seen)
    }

    fn close_if_empty(&self, match_id: MatchId, feed: &MatchFeed) -> bool {
        let mut open = self.lock();
        let empty = feed.is_empty();
        if empty {
            open.remove(&match_id);
        }
        empty
    }
}

fn stopping() -> Problem {
    let detail = "This server is being stopped. Come back in a moment.";
    Problem::of(ErrorKind::Stopping, detail)
}
