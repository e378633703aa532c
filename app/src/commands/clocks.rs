//! The clocks of a live match: their state for pages, and the commands on them. All fields of a [`Clock`] are public
//! knowledge.

use std::sync::Arc;
use std::time::Duration;

use engine::{BySeat, Seat};
use ledger::{DecisionId, Head, MatchId, Moment};
use record::write;
use record::{History, OpenDecision};

use super::Commands;
use crate::act::Act;
use crate::error::AppError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    pub decision: DecisionId,
    pub state: ClockState,
    pub deadline: Option<Moment>,
    pub remaining: Duration,
    pub excluded: Duration,
    /// The remaining extensions of each asked seat, if the question allows them. They begin by themselves.
    pub extensions: BySeat<Option<Extensions>>,
    pub sum: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockState {
    Waiting,
    Running,
    Paused,
}

impl ClockState {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Paused => "paused",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extensions {
    pub left: u32,
    pub seconds: u32,
}

impl Clock {
    #[must_use]
    pub fn of(history: &History, open: &OpenDecision, now: Moment) -> Option<Self> {
        let clock = history.clock(&open.asked.decision)?;
        let bank = history.bank(&open.asked.what);
        let left = history.extensions_left();
        let asked = |seat: Seat| open.asked.seats.iter().any(|asked| asked.0 == seat);
        let extensions = |seat| Some(Extensions { left: left[seat], seconds: bank.filter(|_| asked(seat))?.seconds });
        Some(Self {
            decision: clock.decision.clone(),
            state: match clock.state {
                record::ClockState::Waiting => ClockState::Waiting,
                record::ClockState::Running { .. } => ClockState::Running,
                record::ClockState::Paused { .. } => ClockState::Paused,
            },
            deadline: clock.deadline(),
            remaining: clock.remaining(now),
            excluded: clock.excluded(),
            extensions: BySeat::from_fn(extensions),
            sum: clock.sum(3),
        })
    }
}

impl Commands {
    pub async fn run_clocks(&self, act: &Act, match_id: MatchId, seen: Head) -> Result<Arc<History>, AppError> {
        let submit = act.submit(&self.recorder.vault, &["run-clocks"]);
        let history = self
            .recorder
            .act(act, match_id, seen, submit, |context, history, _| write::run_clocks(context, history))
            .await?;
        // Decisions that close with the first answer may have been answered during the pause.
        self.recorder.close_answered(&history);
        Ok(history)
    }

    /// Pauses every running clock of a match. The reason may be empty.
    pub async fn pause_clocks(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        reason: &str,
    ) -> Result<Arc<History>, AppError> {
        let submit = act.submit(&self.recorder.vault, &["pause-clocks", reason]);
        self.recorder
            .act(act, match_id, seen, submit, |context, history, _| write::pause_clocks(context, history, reason))
            .await
    }

    pub async fn extend_clock(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        decision: &DecisionId,
        seconds: u32,
        reason: &str,
    ) -> Result<Arc<History>, AppError> {
        let submit =
            act.submit(&self.recorder.vault, &["extend-clock", decision.as_str(), &seconds.to_string(), reason]);
        let extend = |context: &mut write::WriteContext<'_>, history: &History, _: &record::Secrets| {
            write::extend_clock(context, history, decision, seconds, reason)
        };
        self.recorder.act(act, match_id, seen, submit, extend).await
    }
}
