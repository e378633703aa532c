//! What closes the questions of a match.

use std::time::Duration;

use engine::{Ask, Closes};
use ledger::Moment;

use crate::body::{Closing, Mode, Opened};

/// How a match is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// The umpire types for both seats and closes every question.
    #[default]
    Recorded,
    /// The players submit by themselves.
    Live {
        /// Whether clocks close the questions; else the umpire does.
        clocks: bool,
    },
}

impl Pace {
    /// How an opened match is run.
    #[must_use]
    pub fn of(opened: &Opened) -> Self {
        match opened.mode {
            Mode::Live => Self::Live { clocks: opened.clocks.unwrap_or(false) },
            Mode::Recorded | Mode::Imported => Self::Recorded,
        }
    }

    /// Its mode in the record.
    #[must_use]
    pub const fn mode(self) -> Mode {
        match self {
            Self::Recorded => Mode::Recorded,
            Self::Live { .. } => Mode::Live,
        }
    }

    /// What closes a question that is asked now, and by when its answers are due.
    pub(super) fn closes(self, ask: &Ask, now: Moment) -> (Closing, Option<Moment>) {
        let Self::Live { clocks } = self else { return (Closing::Umpire, None) };
        let clock = Duration::from_secs(ask.clock_seconds.into());
        let micros = i64::try_from(clock.as_micros()).unwrap_or(i64::MAX);
        let due = Moment::from_micros(now.micros().saturating_add(micros)).unwrap_or(Moment::MAX);
        let deadline = (clocks && ask.clock_seconds > 0).then_some(due);
        match (ask.closes, deadline) {
            (Closes::FirstValid, deadline) => (Closing::FirstValid, deadline),
            (Closes::AtDeadline, Some(deadline)) => (Closing::Deadline, Some(deadline)),
            (Closes::AtDeadline, None) => (Closing::Umpire, None),
        }
    }
}
