//! Deadlines: which decisions are due, and the worker that closes them on time.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ledger::{DecisionId, MatchId, Moment};
use record::{History, OpenDecision};
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::error::AppError;
use crate::recorder::Recorder;
use crate::scope::Scope;

/// How long after its deadline a decision closes: whatever arrived in time is stored by then.
pub const GRACE: Duration = Duration::from_secs(1);
/// The same where somebody plays from a chat, whose own clock counts.
pub(crate) const CHAT_GRACE: Duration = Duration::from_secs(3);
/// How often the clock is looked at while something is due: a clock that was set is noticed.
pub(crate) const TICK: Duration = Duration::from_millis(50);
/// How often all running matches are looked through: what other nodes asked, and what was put off.
const SWEEP: Duration = Duration::from_secs(2);

/// What is due, and when.
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

    /// Remembers when the open decisions of a match close.
    pub(crate) fn watch(&self, history: &History) {
        if history.is_live() {
            for open in &history.open {
                if let Some(deadline) = deadline_of(history, open) {
                    self.add(closes_at(deadline), history.match_id, &open.asked.decision);
                }
            }
        }
    }

    /// Closes a decision as soon as the worker gets to it.
    pub(crate) fn close_soon(&self, match_id: MatchId, decision: &DecisionId) {
        self.add(Moment::MIN, match_id, decision);
    }

    /// Takes everything that is due by now.
    fn take(&self, now: Moment) -> Vec<(MatchId, DecisionId)> {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        let mut due = Vec::new();
        while let Some(first) = list.first().filter(|(at, ..)| *at <= now).cloned() {
            list.remove(&first);
            due.push((first.1, first.2));
        }
        due
    }

    fn is_empty(&self) -> bool {
        self.list.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

/// A moment that much later.
pub(crate) fn later(at: Moment, time: Duration) -> Moment {
    let micros = i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
    Moment::from_micros(at.micros().saturating_add(micros)).unwrap_or(Moment::MAX)
}

/// When a decision that was due at `deadline` closes, where nobody plays from a chat.
pub(crate) fn closes_at(deadline: Moment) -> Moment {
    later(deadline, GRACE)
}

/// The deadline of an open decision, if its clock has one.
pub(crate) fn deadline_of(history: &History, open: &OpenDecision) -> Option<Moment> {
    history.clock(&open.asked.decision).and_then(record::Clock::deadline)
}

/// Closes the decisions of live matches on time, of the record and of practice.
#[derive(Clone, Debug)]
pub struct Deadlines {
    recorder: Arc<Recorder>,
}

impl Deadlines {
    pub(crate) const fn new(recorder: Arc<Recorder>) -> Self {
        Self { recorder }
    }

    /// Closes decisions on time, for as long as the program runs.
    pub async fn run(self) {
        let mut sweep = tokio::time::interval(SWEEP);
        sweep.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        // A sweep reads every running match: what is due never waits for it.
        let mut sweeping = JoinSet::new();
        let due = &self.recorder.due;
        loop {
            let waits =
                async { if due.is_empty() { due.changed.notified().await } else { tokio::time::sleep(TICK).await } };
            tokio::select! {
                () = waits => {}
                _ = sweep.tick(), if sweeping.is_empty() => {
                    let deadlines = self.clone();
                    sweeping.spawn(async move { deadlines.sweep().await });
                }
                Some(swept) = sweeping.join_next() => {
                    if let Ok(Err(error)) = swept {
                        tracing::warn!(%error, "the running matches could not be looked through; it is tried again");
                    }
                }
            }
            for (match_id, decision) in due.take(self.recorder.system.now()) {
                let recorder = self.recorder.clone();
                tokio::spawn(async move {
                    if let Err(error) = recorder.close_due(match_id, &decision).await {
                        // The next sweep finds it again.
                        tracing::warn!(%match_id, %decision, %error, "a decision could not be closed; it is tried again");
                    }
                });
            }
        }
    }

    /// Looks through the live matches that run: for what other nodes asked, and for what a crash left half done.
    async fn sweep(&self) -> Result<(), AppError> {
        for scope in Scope::ALL {
            let running = self.recorder.index.running_live(scope).await?;
            for (match_id, head) in self.recorder.logs.heads(&running).await? {
                let history = self.recorder.matches.history_at(match_id, head).await?;
                self.recorder.due.watch(&history);
                self.recorder.close_answered(&history);
            }
        }
        Ok(())
    }
}
