//! The clocks of a live match, for pages. All fields of a [`Clock`] are public knowledge.

use std::time::Duration;

use engine::{BySeat, Seat};
use ledger::{DecisionId, Moment};
use record::{History, OpenDecision};

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
        let bank = history.bank(&open.asked.what).map(|bank| bank.seconds);
        let next = |seat| history.next_extension(&open.asked.what, seat).map(|(seconds, _)| seconds).or(bank);
        let left = history.extensions_left();
        let asked = |seat: Seat| open.asked.seats.iter().any(|asked| asked.0 == seat);
        let extensions = |seat| Some(Extensions { left: left[seat], seconds: next(seat).filter(|_| asked(seat))? });
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
