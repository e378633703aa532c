//! Clocks: each deadline is checked against its sum.

use std::time::Duration;

use engine::{Ask, To};
use ledger::{Author, DecisionId, Entry, Moment};

use super::Fold;
use crate::body::{Asked, BankExtension, Closing, Extended, Mode, Outage, Paused, Resumed};
use crate::clock::{Change, Clock, ClockChange, ClockState, between, later};
use crate::history::StepSource;
use crate::rule::Rule;
use crate::share::SHARE;
use crate::text::CommittedText;
use crate::write::Pace;

impl Fold<'_> {
    pub(super) fn opened_clocks(&mut self, first: &Entry) {
        let opened = &self.history.opened;
        let (clocks, starts) = (opened.clocks, opened.starts);
        let live = opened.mode == Mode::Live;
        if clocks.is_some() != live || starts.is_some() && clocks != Some(true) {
            let what = "clocks are of live matches, which say whether they have them, and begin by a post only where they \
                        close the questions";
            self.fault(
                Rule::ClocksStated,
                first.seq,
                what,
                &if live { "true or false" } else { "nothing" },
                &format!("{clocks:?}, {starts:?}"),
            );
        }
    }

    pub(super) fn paced(&mut self, entry: &Entry, asked: &Asked, ask: &Ask) {
        let until = if self.awaits { None } else { self.due_before(ask) };
        let (closes, deadline) = Pace::of(&self.history).closes(ask, entry.at, until);
        if asked.clock != ask.clock_seconds {
            let (expected, found) = (format!("{} s", ask.clock_seconds), format!("{} s", asked.clock));
            self.fault(Rule::ClockLength, entry.seq, "its clock is as long as the rules say", &expected, &found);
        }
        if asked.closes != closes {
            let what = "what closes it is what the match was opened with";
            self.fault(Rule::Closing, entry.seq, what, &closing(closes), &closing(asked.closes));
        }
        // After two rounds of silence somebody has to look: the clock waits for the umpire.
        let may_wait = self.awaits || asked.what == SHARE || self.history.silent_in_a_row() >= 2;
        let waits = asked.deadline.is_none() && may_wait;
        if !waits && asked.deadline != deadline {
            let [expected, found] =
                [deadline, asked.deadline].map(|at| at.map_or_else(|| "none".to_owned(), |at| at.to_string()));
            self.fault(
                Rule::ClockStart,
                entry.seq,
                "a clock begins as the match was opened, and runs as long as it says",
                &expected,
                &found,
            );
        }
    }

    /// The earlier deadline of a question that is asked again directly after an answer to it.
    fn due_before(&self, ask: &Ask) -> Option<Moment> {
        let (last, To::One(seat)) = (self.history.steps.last()?, ask.to) else { return None };
        let StepSource::Decision(decision) = &last.source else { return None };
        let again = ask.goes_on() && ask.what == *last.what && last.moves[seat.other()].is_none();
        again.then(|| self.history.clock(decision).and_then(Clock::deadline)).flatten()
    }

    pub(super) fn clocked(&mut self, entry: &Entry) {
        let clocks = self.history.is_live() && self.history.opened.clocks == Some(true);
        let closes =
            |asked: &Asked| asked.deadline.is_some() || clocks && asked.clock > 0 && asked.closes != Closing::Umpire;
        let Some(open) = self.history.open.last().filter(|open| closes(&open.asked)) else { return };
        self.history.clocks.push(Clock::asked(&open.asked, entry.seq, entry.at));
    }

    pub(super) fn paused(&mut self, entry: &Entry, body: &Paused) {
        let reason = body.reason.map(|reason| self.word(entry.seq, "reason", reason));
        self.by_umpire(entry);
        let Some(state) = self.state(entry, &body.decision) else { return };
        let ClockState::Running { deadline } = state else {
            return self.fault(
                Rule::ClockChange,
                entry.seq,
                "a clock that is paused ran before",
                &"a clock that runs",
                &said(state),
            );
        };
        if entry.at > deadline {
            self.fault(Rule::ClockChange, entry.seq, "a clock is paused before its time is up", &deadline, &entry.at);
        }
        let paused = ClockState::Paused { deadline, since: entry.at };
        self.changed(entry, &body.decision, paused, Change::Paused { reason });
    }

    pub(super) fn resumed(&mut self, entry: &Entry, body: &Resumed) {
        self.by_umpire(entry);
        let Some(state) = self.state(entry, &body.decision) else { return };
        let seconds = self.history.clock(&body.decision).map_or(0, |clock| clock.seconds);
        let (due, change) = match state {
            ClockState::Waiting => (later(entry.at, Duration::from_secs(seconds.into())), Change::Started),
            ClockState::Paused { deadline, since } => {
                let excluded = between(since, entry.at);
                (later(deadline, excluded), Change::Resumed { excluded })
            }
            ClockState::Running { .. } => {
                let what = "a clock that starts or resumes did not run before";
                return self.fault(
                    Rule::ClockChange,
                    entry.seq,
                    what,
                    &"a clock that is paused or waiting",
                    &said(state),
                );
            }
        };
        self.sum(entry, due, body.deadline);
        self.changed(entry, &body.decision, ClockState::Running { deadline: body.deadline }, change);
    }

    pub(super) fn extended(&mut self, entry: &Entry, body: &Extended) {
        let reason = body.reason.map(|reason| self.word(entry.seq, "reason", reason));
        let Some(state) = self.state(entry, &body.decision) else { return };
        let ClockState::Running { deadline } = state else {
            let what = "time is added to a clock that runs";
            return self.fault(Rule::ClockChange, entry.seq, what, &"a clock that runs", &said(state));
        };
        self.sum(entry, later(deadline, Duration::from_secs(body.seconds.into())), body.deadline);
        let change = match (body.bank, body.outage, reason) {
            (Some(spent), None, None) => {
                self.spent(entry, body, deadline, spent);
                Change::Spent { seat: spent.seat.0, seconds: body.seconds, left: spent.left }
            }
            (None, Some(outage), None) => {
                self.made_up(entry, body, outage);
                Change::MadeUp { outage, seconds: body.seconds }
            }
            (None, None, Some(reason)) => self.allowed(entry, body, deadline, reason),
            _ => {
                let what = "time comes from the bank of a seat, for an outage, or from an umpire with a reason";
                return self.fault(Rule::Extension, entry.seq, what, &"one of them", &"several or none");
            }
        };
        self.changed(entry, &body.decision, ClockState::Running { deadline: body.deadline }, change);
    }

    fn spent(&mut self, entry: &Entry, body: &Extended, deadline: Moment, BankExtension { seat, left }: BankExtension) {
        if entry.by != Author::Server {
            self.fault(
                Rule::Extension,
                entry.seq,
                "an extension of a seat begins by itself",
                &Author::Server,
                &entry.by,
            );
        }
        if entry.at <= deadline {
            let what = "an extension of a seat begins when its time is up";
            self.fault(Rule::Extension, entry.seq, what, &format!("after {deadline}"), &entry.at);
        }
        let open = self.history.open.iter().find(|open| open.asked.decision == body.decision);
        let what = open.filter(|open| open.asked.seats == [seat]).map(|open| open.asked.what.clone());
        let has_bank = what.as_ref().is_some_and(|what| self.history.bank(what).is_some());
        let due = what.and_then(|what| self.history.next_extension(&what, seat.0));
        match due {
            _ if !has_bank => {
                let what = "the rules give extensions for this question to this seat";
                self.fault(Rule::Extension, entry.seq, what, &"none", &seat.0);
            }
            _ if due != Some((body.seconds, left)) => {
                let expected =
                    due.map_or_else(|| "none".to_owned(), |(seconds, left)| format!("{seconds} s, {left} left"));
                let found = format!("{} s, {left} left", body.seconds);
                self.fault(
                    Rule::Extension,
                    entry.seq,
                    "an extension is as long as the rules say, and counted down",
                    &expected,
                    &found,
                );
            }
            _ => {}
        }
    }

    fn made_up(&mut self, entry: &Entry, body: &Extended, outage: Outage) {
        if entry.by != Author::Server {
            let what = "the server gives the time of its outages back";
            self.fault(Rule::OutageMadeUp, entry.seq, what, &Author::Server, &entry.by);
        }
        if entry.at < outage.until {
            let what = "time is given back once the outage is over";
            self.fault(Rule::OutageMadeUp, entry.seq, what, &format!("from {}", outage.until), &entry.at);
        }
        let lost = self.history.clock(&body.decision).and_then(|clock| clock.lost(outage)).unwrap_or(0);
        if lost == 0 || body.seconds != lost {
            let what = "the time given back is what the outage took from the clock, in whole seconds, once";
            self.fault(Rule::OutageMadeUp, entry.seq, what, &format!("{lost} s"), &format!("{} s", body.seconds));
        }
    }

    fn allowed(&mut self, entry: &Entry, body: &Extended, deadline: Moment, reason: CommittedText) -> Change {
        self.by_umpire(entry);
        if entry.at > deadline {
            self.fault(Rule::TimeGiven, entry.seq, "time is given before time is up", &deadline, &entry.at);
        }
        let may = self.history.clock(&body.decision).map_or(0, Clock::may_give);
        if body.seconds == 0 || body.seconds > may {
            let what = "umpires give together at most as much time as is on the clock";
            self.fault(Rule::TimeGiven, entry.seq, what, &format!("1 to {may} s"), &format!("{} s", body.seconds));
        }
        Change::Extended { seconds: body.seconds, reason }
    }

    fn state(&mut self, entry: &Entry, decision: &DecisionId) -> Option<ClockState> {
        let open = self.history.open.iter().any(|open| open.asked.decision == *decision && open.sealed.is_empty());
        let state = self.history.clock(decision).filter(|_| open).map(|clock| clock.state);
        if state.is_none() {
            let what = "it changes the clock of a question that is open, and that a clock closes";
            self.fault(Rule::ClockChange, entry.seq, what, &"such a question", decision);
        }
        state
    }

    fn changed(&mut self, entry: &Entry, decision: &DecisionId, state: ClockState, change: Change) {
        if let Some(clock) = self.history.clocks.iter_mut().rev().find(|clock| clock.decision == *decision) {
            clock.state = state;
            clock.changes.push(ClockChange { entry: entry.seq, at: entry.at, by: entry.by.clone(), change });
        }
    }

    fn sum(&mut self, entry: &Entry, expected: Moment, found: Moment) {
        if expected != found {
            self.fault(
                Rule::Deadline,
                entry.seq,
                "the new deadline is not the sum that it comes to",
                &expected,
                &found,
            );
        }
    }

    fn by_umpire(&mut self, entry: &Entry) {
        if !matches!(entry.by, Author::Umpire(_)) {
            self.fault(
                Rule::ClockAuthor,
                entry.seq,
                "an umpire starts, stops and extends clocks",
                &"an umpire",
                &entry.by,
            );
        }
    }
}

const fn closing(closes: Closing) -> &'static str {
    match closes {
        Closing::Umpire => "umpire",
        Closing::Deadline => "deadline",
        Closing::FirstValid => "first-valid",
        Closing::AllIn => "all-in",
    }
}

const fn said(state: ClockState) -> &'static str {
    match state {
        ClockState::Waiting => "a clock that has not begun",
        ClockState::Running { .. } => "a clock that runs",
        ClockState::Paused { .. } => "a clock that is paused",
    }
}
