//! The ways in which the questions of a match close.

use std::time::Duration;

use engine::{Ask, Closes, To};
use ledger::Moment;

use crate::body::{ClockStart, Closing, Mode};
use crate::clock::later;
use crate::history::History;
use crate::share::SHARE;

/// The way in which a match is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// The umpire types for both seats and closes every question.
    #[default]
    Recorded,
    /// The players submit by themselves.
    Live {
        /// The clocks that close the questions, if any.
        clocks: Clocks,
        /// True if, where clocks run, a question to both seats closes early once both call their answer final.
        early: bool,
    },
}

/// The clocks of a live match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clocks {
    /// None: the umpire closes the questions.
    Off,
    /// Each clock starts when the umpire posts the question.
    #[default]
    Posted,
    /// Each clock starts with its question. Only the first one of a match waits until the players have their links, and
    /// so does the first one after a strike.
    AtOnce,
}

impl Pace {
    /// The way in which a match is run now.
    #[must_use]
    pub fn of(history: &History) -> Self {
        if !history.is_live() {
            return Self::Recorded;
        }
        let clocks = match (history.opened.clocks, history.opened.starts) {
            (Some(true), None) => Clocks::AtOnce,
            (Some(true), Some(ClockStart::Posted)) => Clocks::Posted,
            (Some(false) | None, _) => Clocks::Off,
        };
        Self::Live { clocks, early: history.opened.early }
    }

    /// True if questions may close early: only clocks leave anything to close before.
    pub(super) fn closes_early(self) -> bool {
        matches!(self, Self::Live { clocks: Clocks::Posted | Clocks::AtOnce, early: true })
    }

    /// Its mode in the record.
    #[must_use]
    pub const fn mode(self) -> Mode {
        match self {
            Self::Recorded => Mode::Recorded,
            Self::Live { .. } => Mode::Live,
        }
    }

    pub(super) const fn awaited(self) -> Self {
        match self {
            Self::Live { clocks: Clocks::AtOnce, early } => Self::Live { clocks: Clocks::Posted, early },
            other => other,
        }
    }

    /// The event that closes a question asked now, and its deadline, if its clock starts at once. A question that is
    /// asked again after an answer to it keeps its deadline, `until`.
    pub(crate) fn closes(self, ask: &Ask, now: Moment, until: Option<Moment>) -> (Closing, Option<Moment>) {
        let Self::Live { clocks, early } = self else { return (Closing::Umpire, None) };
        let due = later(now, Duration::from_secs(ask.clock_seconds.into()));
        let clocked = clocks != Clocks::Off && ask.clock_seconds > 0;
        let deadline = until.or_else(|| (clocks == Clocks::AtOnce).then_some(due)).filter(|_| clocked);
        match (ask.closes, clocked) {
            (Closes::FirstValid, _) => (Closing::FirstValid, deadline),
            (Closes::AtDeadline, true) if early && ask.to == To::Both && ask.what != SHARE => {
                (Closing::AllIn, deadline)
            }
            (Closes::AtDeadline, true) => (Closing::Deadline, deadline),
            (Closes::AtDeadline, false) => (Closing::Umpire, None),
        }
    }
}
