//! The times at which decisions are due.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ledger::{DecisionId, MatchId, Moment};
use record::share::opening_id;
use record::{History, OpenDecision, ShareListRecord};
use tokio::sync::Notify;

/// The time between a deadline and the close, in which everything that arrived in time is stored.
pub const GRACE: Duration = Duration::from_secs(1);
/// The same if somebody plays from a chat, whose own clock counts.
pub(crate) const CHAT_GRACE: Duration = Duration::from_secs(3);
/// The interval of reading the clock while decisions are due. It must be short, because the clock may be set.
pub(crate) const TICK: Duration = Duration::from_millis(20);

#[derive(Debug, Default)]
pub(crate) struct DueList {
    list: Mutex<BTreeSet<(Moment, MatchId, DecisionId)>>,
    changed: Notify,
}

impl DueList {
    pub(crate) fn add(&self, at: Moment, match_id: MatchId, decision: &DecisionId) {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        if list.insert((at, match_id, decision.clone())) {
            self.changed.notify_one();
        }
    }

    pub(crate) fn watch(&self, history: &History) {
        if let Some(waiting) = history.waiting() {
            self.close_soon(history.match_id, &waiting.decision);
        } else if history.is_live() {
            for open in &history.open {
                if let Some(deadline) = deadline_of(history, open) {
                    self.add(closes_at(deadline), history.match_id, &open.asked.decision);
                }
            }
            // Openings of shares wait under a name of their own.
            if let Some((name, list)) = awaited_openings(history) {
                self.add(closes_at(list.deadline()), history.match_id, &name);
            }
        }
    }

    pub(crate) fn close_soon(&self, match_id: MatchId, decision: &DecisionId) {
        self.add(Moment::MIN, match_id, decision);
    }

    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    pub(crate) fn take(&self, now: Moment) -> Vec<(MatchId, DecisionId)> {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        let mut due = Vec::new();
        while let Some(first) = list.first().filter(|(at, ..)| *at <= now).cloned() {
            list.remove(&first);
            due.push((first.1, first.2));
        }
        due
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

pub(crate) fn later(at: Moment, time: Duration) -> Moment {
    let micros = i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
    Moment::from_micros(at.micros().saturating_add(micros)).unwrap_or(Moment::MAX)
}

pub(crate) fn closes_at(deadline: Moment) -> Moment {
    later(deadline, GRACE)
}

pub(crate) fn deadline_of(history: &History, open: &OpenDecision) -> Option<Moment> {
    history.clock(&open.asked.decision).and_then(record::Clock::deadline)
}

pub(crate) fn awaited_openings(history: &History) -> Option<(DecisionId, &ShareListRecord)> {
    let (list, decision) = history.awaited_openings().zip(history.gathering()?.asked.as_ref())?;
    Some((opening_id(decision).ok()?, list))
}
