//! The clock of a decision, from its entries: its start, its changes and its deadline. Deadlines are absolute moments;
//! the sums here lead to them.

use std::time::Duration;

use engine::{Bank, BySeat, Seat};
use ledger::{Author, DecisionId, Moment, Seq};

use crate::body::{Asked, Outage};
use crate::decision::OpenDecision;
use crate::history::History;
use crate::text::CommittedText;

/// The clock of a decision, open or closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The decision.
    pub decision: DecisionId,
    /// The question's word.
    pub what: String,
    /// The entry that asked.
    pub entry: Seq,
    /// The time of the question.
    pub asked: Moment,
    /// Seconds at the start.
    pub seconds: u32,
    /// Its state now, or when the decision closed.
    pub state: ClockState,
    /// Its changes, oldest first.
    pub changes: Vec<ClockChange>,
}

/// The state of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockState {
    /// It has not started: the umpire starts it.
    Waiting,
    /// It runs.
    Running {
        /// The end of the time.
        deadline: Moment,
    },
    /// It is stopped.
    Paused {
        /// The deadline before it was stopped.
        deadline: Moment,
        /// The time at which it was stopped.
        since: Moment,
    },
}

/// A change of a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockChange {
    /// The entry.
    pub entry: Seq,
    /// Its time.
    pub at: Moment,
    /// Its author.
    pub by: Author,
    /// The kind of change.
    pub change: Change,
}

/// The kinds of changes of a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It started, after the question had been asked.
    Started,
    /// It was stopped.
    Paused {
        /// The reason, if one was given.
        reason: Option<CommittedText>,
    },
    /// It runs again.
    Resumed {
        /// The length of the pause.
        excluded: Duration,
    },
    /// An extension of a seat began by itself.
    Spent {
        /// The seat.
        seat: Seat,
        /// Its length.
        seconds: u32,
        /// The extensions that the seat has left.
        left: u32,
    },
    /// The server gave the time back that an outage took.
    MadeUp {
        /// The outage.
        outage: Outage,
        /// The time given.
        seconds: u32,
    },
    /// An umpire gave time.
    Extended {
        /// The time given.
        seconds: u32,
        /// The reason.
        reason: CommittedText,
    },
}

impl Change {
    /// The reason that an umpire gave, if any.
    #[must_use]
    pub const fn reason(&self) -> Option<&CommittedText> {
        match self {
            Self::Paused { reason } => reason.as_ref(),
            Self::Extended { reason, .. } => Some(reason),
            Self::Started | Self::Resumed { .. } | Self::Spent { .. } | Self::MadeUp { .. } => None,
        }
    }
}

impl Clock {
    /// The clock of a question that is being asked; none if no clock closes it.
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

    /// The deadline; none while the clock does not run.
    #[must_use]
    pub const fn deadline(&self) -> Option<Moment> {
        match self.state {
            ClockState::Running { deadline } => Some(deadline),
            ClockState::Waiting | ClockState::Paused { .. } => None,
        }
    }

    /// True if it has been stopped.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        matches!(self.state, ClockState::Paused { .. })
    }

    /// The reason of the pause that lasts; none if there is no pause, or no reason was given.
    #[must_use]
    pub fn pause_reason(&self) -> Option<&CommittedText> {
        let paused = |change: &&ClockChange| matches!(change.change, Change::Paused { .. });
        self.changes.iter().rfind(paused).filter(|_| self.is_paused())?.change.reason()
    }

    /// The time of an outage that fell into this clock while it ran, and that was not given back yet. What all outages took
    /// is rounded up to whole seconds, once. None if it is none, or if the clock does not run.
    #[must_use]
    pub fn lost(&self, outage: Outage) -> Option<u32> {
        let deadline = self.deadline()?;
        // What counts begins here; what was lost until then, and what was given for it.
        let (mut start, mut lost, mut given) = (self.asked, Duration::ZERO, 0_u32);
        for change in &self.changes {
            match change.change {
                Change::Started | Change::Resumed { .. } => start = start.max(change.at),
                Change::MadeUp { outage, seconds } => {
                    lost = lost.saturating_add(between(start.max(outage.from), outage.until));
                    (start, given) = (start.max(outage.until), given.saturating_add(seconds));
                }
                Change::Paused { .. } | Change::Spent { .. } | Change::Extended { .. } => {}
            }
        }
        let from = start.max(outage.from);
        let lost = lost.saturating_add(between(from, outage.until));
        let whole = u32::try_from(lost.as_micros().div_ceil(1_000_000)).unwrap_or(u32::MAX);
        let seconds = whole.saturating_sub(given);
        (from < deadline && from < outage.until && seconds > 0).then_some(seconds)
    }

    /// The time left at a moment: all of it before the start, none after the deadline.
    #[must_use]
    pub fn remaining(&self, now: Moment) -> Duration {
        match self.state {
            ClockState::Waiting => Duration::from_secs(self.seconds.into()),
            ClockState::Running { deadline } => between(now, deadline),
            ClockState::Paused { deadline, since } => between(since, deadline),
        }
    }

    /// The length of all pauses that are over.
    #[must_use]
    pub fn excluded(&self) -> Duration {
        let pauses = self.changes.iter().filter_map(|change| match change.change {
            Change::Resumed { excluded } => Some(excluded),
            _ => None,
        });
        pauses.sum()
    }

    /// The seconds that umpires gave.
    #[must_use]
    pub fn given(&self) -> u32 {
        let given = self.changes.iter().map(|change| match change.change {
            Change::Extended { seconds, .. } => seconds,
            _ => 0,
        });
        given.fold(0, u32::saturating_add)
    }

    /// The seconds that an umpire may still give: in all, as many as the clock had at the start. For longer, the umpire
    /// can pause it.
    #[must_use]
    pub fn may_give(&self) -> u32 {
        self.seconds.saturating_sub(self.given())
    }

    /// The sum, such as "asked 20:41:00 + 90 s + paused 35 s = 20:43:05", with at most `digits` digits after a second,
    /// and none if they are zeros. A time on another day than the question's has its date. A clock that has not started
    /// has no sum.
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
                Change::MadeUp { seconds, .. } => words.push_str(&format!(" + {} for an outage", whole(*seconds))),
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

pub(crate) fn between(from: Moment, to: Moment) -> Duration {
    Duration::from_micros(u64::try_from(to.micros().saturating_sub(from.micros())).unwrap_or(0))
}

pub(crate) fn later(at: Moment, by: Duration) -> Moment {
    let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
    Moment::from_micros(at.micros().saturating_add(micros)).unwrap_or(Moment::MAX)
}

pub(crate) fn seconds(time: Duration) -> String {
    length(time, 6)
}

fn whole(seconds: u32) -> String {
    match seconds {
        3600.. if seconds.is_multiple_of(3600) => format!("{} h", seconds / 3600),
        _ => format!("{seconds} s"),
    }
}

fn length(time: Duration, digits: usize) -> String {
    trimmed(&format!("{}.{:06}", time.as_secs(), time.subsec_micros()), digits)
}

fn trimmed(text: &str, digits: usize) -> String {
    let Some((whole, fraction)) = text.split_once('.') else { return text.to_owned() };
    let fraction: String = fraction.chars().take(digits).collect();
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

impl History {
    /// The clock of a decision, open or closed; none if no clock closes it.
    #[must_use]
    pub fn clock(&self, decision: &DecisionId) -> Option<&Clock> {
        self.clocks.iter().rev().find(|clock| clock.decision == *decision)
    }

    /// The extensions for a question, by its word; none if it has none.
    #[must_use]
    pub fn bank(&self, what: &str) -> Option<Bank> {
        self.ruleset().bank().filter(|bank| bank.questions.iter().any(|question| question == what))
    }

    /// The extensions that each seat has left for the rest of the match. Spent ones stay spent even if their step is
    /// struck: the time did pass.
    #[must_use]
    pub fn extensions_left(&self) -> BySeat<u32> {
        let Some(bank) = self.ruleset().bank() else { return BySeat::default() };
        if bank.reserve {
            return BySeat::from_fn(|seat| u32::from(self.reserve_left(bank.seconds, seat) > 0));
        }
        let all = bank.extensions;
        let changes = || self.clocks.iter().flat_map(|clock| &clock.changes);
        BySeat::from_fn(|seat| {
            let spent =
                changes().filter(|change| matches!(change.change, Change::Spent { seat: of, .. } if of == seat));
            let spent = u32::try_from(spent.count()).unwrap_or(u32::MAX);
            all.saturating_sub(spent)
        })
    }

    /// The seconds of a seat's reserve that are left. An answer gives back what it did not need, in whole seconds; without
    /// one all of it is gone.
    fn reserve_left(&self, all: u32, seat: Seat) -> u32 {
        let used = self.clocks.iter().map(|clock| {
            let spent = clock.changes.iter().find_map(|change| match change.change {
                Change::Spent { seat: of, seconds, .. } if of == seat => Some(seconds),
                _ => None,
            });
            let seconds = spent.unwrap_or(0);
            let answer = self.seals.iter().find(|seal| seal.decision == clock.decision && seal.whose == seat.into());
            let unused = answer.and_then(|seal| seal.came).zip(clock.deadline());
            let unused = unused.map_or(0, |(came, deadline)| between(came, deadline).as_secs());
            seconds.saturating_sub(u32::try_from(unused).unwrap_or(u32::MAX))
        });
        all.saturating_sub(used.fold(0, u32::saturating_add))
    }

    /// The length of a seat's next extension for a question, and how many it has after it; none if it has none left.
    #[must_use]
    pub fn next_extension(&self, what: &str, seat: Seat) -> Option<(u32, u32)> {
        let bank = self.bank(what)?;
        let left = self.extensions_left()[seat].checked_sub(1)?;
        Some((if bank.reserve { self.reserve_left(bank.seconds, seat) } else { bank.seconds }, left))
    }

    /// The last moment at which an answer to an open decision is in time, with every extension of its seat; none while
    /// no clock runs.
    #[must_use]
    pub fn in_time_until(&self, open: &OpenDecision) -> Option<Moment> {
        let deadline = self.clock(&open.asked.decision)?.deadline()?;
        let stored = match open.asked.seats.as_slice() {
            [seat] => self.next_extension(&open.asked.what, seat.0),
            _ => None,
        };
        let stored = stored.map_or(0, |(seconds, after)| seconds.saturating_mul(after.saturating_add(1)));
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
