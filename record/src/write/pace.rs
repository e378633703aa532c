//! What closes the questions of a match.

use std::time::Duration;

use engine::{Ask, Closes};
use ledger::Moment;

use crate::body::{Closing, Mode, Starts};
use crate::clock::later;
use crate::history::History;

/// How a match is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// The umpire types for both seats and closes every question.
    #[default]
    Recorded,
    /// The players submit by themselves.
    Live {
        /// What closes the questions.
        clocks: Clocks,
    },
}

/// What closes the questions of a live match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clocks {
    /// The umpire does, with no clock.
    Off,
    /// Clocks do, and each begins when the umpire posts what is asked.
    #[default]
    Posted,
    /// Clocks do, and each begins when the question is asked. The first one of a match waits all the same, until the
    /// players have their links, and so does the first one after a strike.
    AtOnce,
}

impl Pace {
    /// How a match is run as it stands now.
    #[must_use]
    pub fn of(history: &History) -> Self {
        if !history.is_live() {
            return Self::Recorded;
        }
        let clocks = match (history.opened.clocks, history.opened.starts) {
            (Some(true), None) => Clocks::AtOnce,
            (Some(true), Some(Starts::Posted)) => Clocks::Posted,
            (Some(false) | None, _) => Clocks::Off,
        };
        Self::Live { clocks }
    }

    /// Its mode in the record.
    #[must_use]
    pub const fn mode(self) -> Mode {
        match self {
            Self::Recorded => Mode::Recorded,
            Self::Live { .. } => Mode::Live,
        }
    }

    /// The same, with the umpire's start awaited.
    pub(super) const fn awaited(self) -> Self {
        match self {
            Self::Live { clocks: Clocks::AtOnce } => Self::Live { clocks: Clocks::Posted },
            other => other,
        }
    }

    /// What closes a question that is asked now, and by when its answers are due, where its clock begins at once. One that
    /// is put again behind an answer to it (`until`) is due when it was due before.
    pub(crate) fn closes(self, ask: &Ask, now: Moment, until: Option<Moment>) -> (Closing, Option<Moment>) {
        let Self::Live { clocks } = self else { return (Closing::Umpire, None) };
        let due = later(now, Duration::from_secs(ask.clock_seconds.into()));
        let clocked = clocks != Clocks::Off && ask.clock_seconds > 0;
        let deadline = until.or_else(|| (clocks == Clocks::AtOnce).then_some(due)).filter(|_| clocked);
        match (ask.closes, clocked) {
            (Closes::FirstValid, _) => (Closing::FirstValid, deadline),
            (Closes::AtDeadline, true) => (Closing::Deadline, deadline),
            (Closes::AtDeadline, false) => (Closing::Umpire, None),
        }
    }
}
