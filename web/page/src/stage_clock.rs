//! The clock of the stage: large digits, and the match that burns down along the top of the table.
//!
//! It is drawn with the time that is left when the page is made. A script moves the digits and two attributes on.

use std::time::Duration;

use askama::Template;
use ledger::Moment;
use record::{Clock, ClockState};

/// The last seconds, in which the flame turns red.
const HURRY_SECONDS: u64 = 10;

#[derive(Clone, Debug, Template)]
#[template(path = "stage_clock.html")]
pub struct StageClock {
    state: MatchState,
    digits: String,
    /// How much of the match is left, in percent.
    share: u64,
    deadline: String,
    /// The whole time in seconds, of which the deadline is the end.
    whole: u64,
}

/// The state of the match on the upper edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MatchState {
    Waiting,
    Burning,
    Hurry,
    Paused,
    Out,
}

impl MatchState {
    const fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Burning => "burning",
            Self::Hurry => "hurry",
            Self::Paused => "paused",
            Self::Out => "out",
        }
    }
}

impl StageClock {
    /// The clock of a question at this moment.
    #[must_use]
    pub fn of(clock: &Clock, now: Moment) -> Self {
        let left = clock.remaining(now);
        let state = match clock.state {
            ClockState::Waiting => MatchState::Waiting,
            ClockState::Paused { .. } => MatchState::Paused,
            ClockState::Running { .. } if left.is_zero() => MatchState::Out,
            ClockState::Running { .. } if left <= Duration::from_secs(HURRY_SECONDS) => MatchState::Hurry,
            ClockState::Running { .. } => MatchState::Burning,
        };
        let left = if state == MatchState::Waiting { Duration::from_secs(clock.seconds.into()) } else { left };
        let (seconds, whole) = (left.as_millis().div_ceil(1000), u64::from(clock.seconds));
        let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
        let whole = whole.max(seconds).max(1);
        let deadline = clock.deadline().map(|deadline| deadline.to_string()).unwrap_or_default();
        Self { state, digits: digits(seconds), share: seconds * 100 / whole, deadline, whole }
    }

    /// A word in the place of the digits, where no clock runs: "Final", "Closed".
    #[must_use]
    pub fn word(word: &str) -> Self {
        Self { state: MatchState::Out, digits: word.to_owned(), share: 0, deadline: String::new(), whole: 0 }
    }

    fn counts(&self) -> bool {
        self.whole > 0
    }
}

/// Minutes and seconds, with hours where there are some.
fn digits(seconds: u64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{rest:02}") } else { format!("{minutes}:{rest:02}") }
}

#[cfg(test)]
mod tests {
    use super::{StageClock, digits};

    #[test]
    fn digits_have_minutes_and_seconds() {
        assert_eq!([0, 9, 60, 605, 3_661].map(digits), ["0:00", "0:09", "1:00", "10:05", "1:01:01"]);
    }

    #[test]
    fn a_word_burns_no_match() {
        let drawn = StageClock::word("Final").to_string();
        assert!(drawn.contains(">Final<") && drawn.contains("data-state=\"out\""), "{drawn}");
        assert!(!drawn.contains("data-deadline"), "{drawn}");
    }
}
