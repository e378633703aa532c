//! Deadlines: the worker that closes decisions on time.

use std::sync::Arc;
use std::time::Duration;

use ledger::{Head, MatchId};
use tokio::task::JoinSet;

pub use crate::due::GRACE;
use crate::due::TICK;
use crate::error::AppError;
use crate::recorder::Recorder;
use crate::scope::Scope;

/// The interval of sweeps: they find decisions that other nodes asked, and those that could not be closed.
const SWEEP: Duration = Duration::from_secs(2);

#[derive(Clone, Debug)]
pub struct Deadlines {
    recorder: Arc<Recorder>,
}

impl Deadlines {
    pub(crate) const fn new(recorder: Arc<Recorder>) -> Self {
        Self { recorder }
    }

    pub async fn run(self) {
        let mut sweep = tokio::time::interval(SWEEP);
        sweep.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        // A sweep reads every running match, so it runs beside the closing of due decisions.
        let mut sweeping = JoinSet::new();
        let due = &self.recorder.due;
        let mut answers = self.recorder.public_log.answers();
        loop {
            let waits = async { if due.is_empty() { due.changed().await } else { tokio::time::sleep(TICK).await } };
            tokio::select! {
                () = waits => {}
                // The sender lives as long as the log.
                _ = answers.changed() => self.recorder.try_waiting(),
                _ = sweep.tick(), if sweeping.is_empty() => {
                    self.recorder.try_waiting();
                    let deadlines = self.clone();
                    sweeping.spawn(async move { deadlines.sweep().await });
                }
                Some(swept) = sweeping.join_next() => {
                    if let Ok(Err(error)) = swept {
                        tracing::warn!(%error, "the running matches could not be looked through; it is tried again");
                    }
                }
            }
            // What is due waits until it is known how much time an outage took.
            if self.recorder.fit().is_err() {
                tokio::time::sleep(TICK).await;
                continue;
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

    /// Reads the running live matches, for decisions that other nodes asked and acts that a crash cut short.
    async fn sweep(&self) -> Result<(), AppError> {
        for scope in Scope::ALL {
            let before = self.recorder.system.now();
            let running = self.recorder.index.running_live(scope).await?;
            if scope == Scope::Record {
                self.recorder.journal.keep_only(running.iter().copied().collect(), before);
            }
            for (match_id, head) in self.recorder.logs.heads(&running).await? {
                match self.watch(match_id, head).await {
                    // The others close all the same.
                    Err(error) if !matches!(error, AppError::Store(_)) => {
                        tracing::warn!(%match_id, %error, "a running match is passed over; it is tried again");
                    }
                    watched => watched?,
                }
            }
        }
        Ok(())
    }

    async fn watch(&self, match_id: MatchId, head: Head) -> Result<(), AppError> {
        let history = self.recorder.matches.history_at(match_id, head).await?;
        let history = match self.recorder.is_owed_time(&history).await? {
            true => self.recorder.settle(match_id).await?,
            false => history,
        };
        self.recorder.due.watch(&history);
        self.recorder.close_answered(&history);
        Ok(())
    }
}
