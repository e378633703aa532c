//! The clocks of a live match: how each stands for whoever shows it, and what an umpire does with them.
//!
//! Everything that a [`Clock`] says is public.

use std::sync::Arc;
use std::time::Duration;

use engine::{BySeat, Seat};
use ledger::{By, DecisionId, Head, MatchId, Moment};
use record::write;
use record::{History, OpenDecision};

use super::{Act, Book, BookError};

/// The clock of an open decision at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The decision.
    pub decision: DecisionId,
    /// How it stands.
    pub state: ClockState,
    /// When the time is over; none while the clock does not run.
    pub deadline: Option<Moment>,
    /// What is left of it.
    pub remaining: Duration,
    /// How long it stood still so far, without a pause that still lasts.
    pub excluded: Duration,
    /// The extensions of the seat that is asked, where its question draws on them: they begin by themselves.
    pub extensions: BySeat<Option<Extensions>>,
    /// What the deadline comes to, such as "asked 20:41:00 + 90 s + paused 35 s = 20:43:05".
    pub sum: String,
}

/// How a clock stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockState {
    /// It has not begun: the umpire starts it.
    Waiting,
    /// It runs.
    Running,
    /// The umpire stopped it.
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

/// Extensions that a seat has left for the rest of the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extensions {
    /// How many.
    pub left: u32,
    /// How long each is, in seconds.
    pub seconds: u32,
}

impl Clock {
    /// The clock of an open decision; none where no clock closes it.
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

impl Book {
    /// Starts every clock of a match that waits, and lets those run on that were stopped.
    ///
    /// # Errors
    /// None stands still, or somebody else was first.
    pub async fn run_clocks(&self, act: &Act, match_id: MatchId, seen: Head) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&self.keys, &["run-clocks"]);
        let history =
            self.act(act, match_id, seen, submit, |desk, history, _| write::run_clocks(desk, history)).await?;
        // What was answered while a clock stood still, and closes with the first answer, has waited for this.
        self.close_answered(&history);
        Ok(history)
    }

    /// Stops every clock of a match that runs. The reason may be empty.
    ///
    /// # Errors
    /// None runs, or its time is over; or somebody else was first.
    pub async fn pause_clocks(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        reason: &str,
    ) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&self.keys, &["pause-clocks", reason]);
        self.act(act, match_id, seen, submit, |desk, history, _| write::pause_clocks(desk, history, reason)).await
    }

    /// Gives time to a decision whose clock runs.
    ///
    /// # Errors
    /// It does not run, it is more than may be given, nothing says why, or somebody else was first.
    pub async fn extend_clock(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        decision: &DecisionId,
        seconds: u32,
        reason: &str,
    ) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&self.keys, &["extend-clock", decision.as_str(), &seconds.to_string(), reason]);
        let extend = |desk: &mut write::WriteContext<'_>, history: &History, _: &record::Secrets| {
            write::extend_clock(desk, history, decision, seconds, reason)
        };
        self.act(act, match_id, seen, submit, extend).await
    }

    /// Begins the next extension of the seat whose time is over.
    pub(super) async fn spend_extension(
        &self,
        history: &History,
        decision: &DecisionId,
    ) -> Result<Arc<History>, BookError> {
        let written =
            self.at_desk(history.match_id, &By::Server, |desk| write::spend_extension(desk, history, decision))?;
        // A crash before this leaves the time over, and after it an extension that runs: whoever comes next sees which.
        self.append(history.match_id, history.head, written, None).await?;
        self.index(history.match_id).await?;
        self.history(history.match_id).await
    }
}
