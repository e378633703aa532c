//! The live feeds of this node, one for each match with spectators.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use app::App;
use ledger::{MatchId, Seq};
use tokio::sync::Mutex as AsyncMutex;

use super::connection_limit::Crowd;
use super::match_feed::{Joined, Stand};
use crate::http::{ErrorKind, Problem};

/// The live feeds, and the number of their spectators.
#[derive(Debug, Default)]
pub(super) struct Stands {
    open: Mutex<HashMap<MatchId, Arc<Stand>>>,
    /// Held while opening a feed: a thousand spectators who arrive at once open it once.
    opening: AsyncMutex<()>,
    pub(super) crowd: Arc<Crowd>,
}

impl Stands {
    /// Adds a spectator to a match; `seen` is the last event that it has.
    pub(super) async fn join(
        self: &Arc<Self>,
        app: &Arc<App>,
        match_id: MatchId,
        seen: Option<Seq>,
    ) -> Result<Joined, Problem> {
        if let Some(joined) = self.find(match_id, seen) {
            return Ok(joined);
        }
        let _opening = self.opening.lock().await;
        if let Some(joined) = self.find(match_id, seen) {
            return Ok(joined);
        }
        // Subscribe first, then read, so that no entry is missed.
        let news = app.feed.news(match_id).ok_or_else(stopping)?;
        let stand = Stand::open(app, match_id).await?;
        let joined = stand.join(seen).ok_or_else(stopping)?;
        self.lock().insert(match_id, stand.clone());
        let stands = self.clone();
        let left = move |stand: &Stand| stands.left(match_id, stand);
        tokio::spawn(stand.keep(Arc::downgrade(app), news, left));
        Ok(joined)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<MatchId, Arc<Stand>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Uses the lock under which empty feeds are closed.
    fn find(&self, match_id: MatchId, seen: Option<Seq>) -> Option<Joined> {
        self.lock().get(&match_id)?.join(seen)
    }

    /// Closes a feed without spectators; true if it did.
    fn left(&self, match_id: MatchId, stand: &Stand) -> bool {
        let mut open = self.lock();
        let empty = stand.is_empty();
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
