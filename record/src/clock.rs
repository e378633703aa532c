//! The clock of a decision, as its entries tell it: when it began, what was added to it, and when it is over. Deadlines
//! are absolute moments; this is the sum that each of them comes to.

use std::time::Duration;

use engine::{Bank, BySeat, Seat};
use ledger::{By, DecisionId, Moment, Seq};

use crate::body::Asked;
use crate::decision::OpenDecision;
use crate::history::History;
use crate::word::Said;

/// The clock of a decision, open or closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The decision.
    pub decision: DecisionId,
    /// The question's word.
    pub what: String,
    /// The entry that asked.
    pub entry: Seq,
    /// When it was asked.
    pub asked: Moment,
    /// Seconds on it at the beginning.
    pub seconds: u32,
    /// How it stands, or stood when the decision closed.
    pub state: ClockState,
    /// What happened to it, oldest first.
    pub changes: Vec<ClockChange>,
}

/// How a clock stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockState {
    /// It has not begun: the umpire starts it.
    Waiting,
    /// It runs.
    Running {
        /// When the time is over.
        deadline: Moment,
    },
    /// It stands still.
    Paused {
        /// When the time would have been over.
        deadline: Moment,
        /// Since when.
        since: Moment,
    },
}

/// Something that happened to a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockChange {
    /// The entry.
    pub entry: Seq,
    /// When.
    pub at: Moment,
    /// By whom.
    pub by: By,
    /// What.
    pub change: Change,
}

/// What happened to a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It began, after the question had been asked.
    Started,
    /// It was stopped.
    Paused {
        /// Why, where it was said.
        reason: Option<Said>,
    },
    /// It ran on.
    Resumed {
        /// How long it had stood still.
        excluded: Duration,
    },
    /// An extension of a seat began by itself.
    Spent {
        /// Whose.
        seat: Seat,
        /// How long it is.
        seconds: u32,
        /// How many the seat has after it.
        left: u32,
    },
    /// An umpire gave time.
    Extended {
        /// How much.
        seconds: u32,
        /// Why.
        reason: Said,
    },
}

impl Change {
    /// Why an umpire did it, where that was said.
    #[must_use]
    pub const fn reason(&self) -> Option<&Said> {
        match self {
            Self::Paused { reason } => reason.as_ref(),
            Self::Extended { reason, .. } => Some(reason),
            Self::Started | Self::Resumed { .. } | Self::Spent { .. } => None,
        }
    }
}

impl Clock {
    /// The clock of a question as it is asked; none where no clock closes it.
    pub(crate) fn asked(asked: &Asked, entry: Seq, at: Moment) -> Self {
        let state = asked.deadline.map_or(ClockState::Waiting, |deadline| ClockState::Running { deadline });
        Self {
            decision: asked.decision.clone(),
            what: asked.what.clone(),
            entry,
            asked: at,
            seconds: asked.clock,
            state,
            changes: Vec::new(),
        }
    }

    /// When the time is over; none while the clock does not run.
    #[must_use]
    pub const fn deadline(&self) -> Option<Moment> {
        match self.state {
            ClockState::Running { deadline } => Some(deadline),
            ClockState::Waiting | ClockState::Paused { .. } => None,
        }
    }

    /// Whether it was stopped and stands still.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        matches!(self.state, ClockState::Paused { .. })
    }

    /// What is left on it at a moment: all of it before it begins, nothing after its deadline.
    #[must_use]
    pub fn remaining(&self, now: Moment) -> Duration {
        match self.state {
            ClockState::Waiting => Duration::from_secs(self.seconds.into()),
            ClockState::Running { deadline } => between(now, deadline),
            ClockState::Paused { deadline, since } => between(since, deadline),
        }
    }

    /// How long it stood still in all pauses that are over.
    #[must_use]
    pub fn excluded(&self) -> Duration {
        let pauses = self.changes.iter().filter_map(|change| match change.change {
            Change::Resumed { excluded } => Some(excluded),
            _ => None,
        });
        pauses.sum()
    }

    /// How many seconds umpires gave.
    #[must_use]
    pub fn given(&self) -> u32 {
        let given = self.changes.iter().map(|change| match change.change {
            Change::Extended { seconds, .. } => seconds,
            _ => 0,
        });
        given.fold(0, u32::saturating_add)
    }

    /// How many seconds an umpire may still give: together at most as many as are on the clock. Whoever needs longer
    /// pauses it.
    #[must_use]
    pub fn may_give(&self) -> u32 {
        self.seconds.saturating_sub(self.given())
    }

    /// The sum, such as "asked 20:41:00 + 90 s + paused 35 s = 20:43:05", with so many digits after a second where they
    /// are not all zeros. A time on another day than that of the question has its date. The words end where the clock
    /// does not run.
    #[must_use]
    pub fn sum(&self, digits: usize) -> String {
        let time = |at: Moment| {
            let same_day = at.to_utc().date_naive() == self.asked.to_utc().date_naive();
            let form = if same_day { "%H:%M:%S%.6f" } else { "%-d %b %Y %H:%M:%S%.6f" };
            trimmed(&at.to_utc().format(form).to_string(), digits)
        };
        let began = self.changes.iter().find(|change| change.change == Change::Started);
        let mut words = match (began, self.state) {
            (Some(began), _) => format!("started {}", time(began.at)),
            (None, ClockState::Waiting) => return format!("asked {}, not started", time(self.asked)),
            (None, _) => format!("asked {}", time(self.asked)),
        };
        words.push_str(&format!(" + {}", whole(self.seconds)));
        for change in &self.changes {
            match &change.change {
                Change::Resumed { excluded } => words.push_str(&format!(" + paused {} s", length(*excluded, digits))),
                Change::Spent { seat, seconds, .. } => {
                    words.push_str(&format!(" + {} extension of {seat}", whole(*seconds)));
                }
                Change::Extended { seconds, .. } => words.push_str(&format!(" + {} given", whole(*seconds))),
                Change::Started | Change::Paused { .. } => {}
            }
        }
        match self.state {
            ClockState::Waiting => {}
            ClockState::Running { deadline } => words.push_str(&format!(" = {}", time(deadline))),
            ClockState::Paused { deadline, since } => {
                words.push_str(&format!(" = {}, paused at {}", time(deadline), time(since)));
            }
        }
        words
    }
}

/// How long it is from one moment to a later one.
pub(crate) fn between(from: Moment, to: Moment) -> Duration {
    Duration::from_micros(u64::try_from(to.micros().saturating_sub(from.micros())).unwrap_or(0))
}

/// A moment that much later.
pub(crate) fn later(at: Moment, by: Duration) -> Moment {
    let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
    Moment::from_micros(at.micros().saturating_add(micros)).unwrap_or(Moment::MAX)
}

/// Seconds, with so many digits after the point as there are.
pub(crate) fn seconds(time: Duration) -> String {
    length(time, 6)
}

/// What is given at once: in hours, where it is whole hours.
fn whole(seconds: u32) -> String {
    match seconds {
        3600.. if seconds.is_multiple_of(3600) => format!("{} h", seconds / 3600),
        _ => format!("{seconds} s"),
    }
}

fn length(time: Duration, digits: usize) -> String {
    trimmed(&format!("{}.{:06}", time.as_secs(), time.subsec_micros()), digits)
}

/// A time with at most so many digits after its point, and none where they are zeros.
fn trimmed(text: &str, digits: usize) -> String {
    let Some((whole, fraction)) = text.split_once('.') else { return text.to_owned() };
    let fraction: String = fraction.chars().take(digits).collect();
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

impl History {
    /// The clock of a decision, open or closed; none where no clock closes it.
    #[must_use]
    pub fn clock(&self, decision: &DecisionId) -> Option<&Clock> {
        self.clocks.iter().rev().find(|clock| clock.decision == *decision)
    }

    /// The extensions that a question draws on, by its word; none where it has none.
    #[must_use]
    pub fn bank(&self, what: &str) -> Option<Bank> {
        let bank = engine::ruleset(&self.opened.ruleset).ok().and_then(engine::Ruleset::bank);
        bank.filter(|bank| bank.questions.contains(&what))
    }

    /// How many extensions each seat has left for the rest of the match. What was spent is spent, also where its step was
    /// struck: the time did pass.
    #[must_use]
    pub fn extensions_left(&self) -> BySeat<u32> {
        let all = engine::ruleset(&self.opened.ruleset).ok().and_then(engine::Ruleset::bank);
        let changes = || self.clocks.iter().flat_map(|clock| &clock.changes);
        BySeat::from_fn(|seat| {
            let spent =
                changes().filter(|change| matches!(change.change, Change::Spent { seat: of, .. } if of == seat));
            let spent = u32::try_from(spent.count()).unwrap_or(u32::MAX);
            all.map_or(0, |bank| bank.extensions).saturating_sub(spent)
        })
    }

    /// The last moment at which an answer to an open decision is in time, with every extension that its seat has in store;
    /// none while no clock runs.
    #[must_use]
    pub fn in_time_until(&self, open: &OpenDecision) -> Option<Moment> {
        let deadline = self.clock(&open.asked.decision)?.deadline()?;
        let stored = match (self.bank(&open.asked.what), open.asked.seats.as_slice()) {
            (Some(bank), [seat]) => bank.seconds.saturating_mul(self.extensions_left()[seat.0]),
            _ => 0,
        };
        Some(later(deadline, Duration::from_secs(stored.into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_end_where_nothing_follows() {
        assert_eq!(trimmed("20:41:00.000000", 6), "20:41:00");
        assert_eq!(trimmed("20:41:00.381204", 3), "20:41:00.381");
        assert_eq!(trimmed("20:41:00.000204", 3), "20:41:00");
        assert_eq!(length(Duration::from_millis(35_500), 6), "35.5");
    }
}
