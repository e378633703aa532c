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

/// The clock of an open decision at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The decision.
    pub decision: DecisionId,
    /// Its state.
    pub state: ClockState,
    /// The deadline; none while the clock does not run.
    pub deadline: Option<Moment>,
    /// The remaining time.
    pub remaining: Duration,
    /// The time of all pauses that have ended.
    pub excluded: Duration,
    /// The remaining extensions of each asked seat, if the question allows them. They begin by themselves.
    pub extensions: BySeat<Option<Extensions>>,
    /// The sum that gives the deadline, such as "asked 20:41:00 + 90 s + paused 35 s = 20:43:05".
    pub sum: String,
}

/// The state of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockState {
    /// It has not started: the umpire starts it.
    Waiting,
    /// It runs.
    Running,
    /// The umpire paused it.
    Paused,
}

impl ClockState {
    /// The state in a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Paused => "paused",
        }
    }
}

/// The extensions that a seat has left for the rest of the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extensions {
    /// Their number.
    pub left: u32,
    /// The length of each, in seconds.
    pub seconds: u32,
}

impl Clock {
    /// The clock of an open decision; none if no clock closes it.
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
    /// Starts every waiting clock of a match, and resumes every paused one.
    ///
    /// # Errors
    /// No clock waits or is paused, or somebody else was first.
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
    ///
    /// # Errors
    /// No clock runs, or its time is up; or somebody else was first.
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

    /// Gives time to a decision whose clock runs.
    ///
    /// # Errors
    /// It does not run, the extension is too long, there is no reason, or somebody else was first.
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
