//! Clocks: started, stopped, extended by an umpire, and extended from a seat's bank.

use std::time::Duration;

use ledger::{DecisionId, Draft, Moment};

use super::{NewEntries, WriteContext, WriteError, place};
use crate::body::{BankExtension, Body, Extended, Outage, Paused, Resumed, SeatWord};
use crate::clock::{Change, Clock, ClockChange, ClockState, between, later};
use crate::decision::OpenDecision;
use crate::history::History;

const NO_CLOCK: WriteError = WriteError::NotNow("no clock runs for this");

/// Starts every waiting clock, and every stopped clock again.
pub fn run_clocks(context: &WriteContext<'_>, history: &History) -> Result<NewEntries, WriteError> {
    let at = now(context, history);
    let mut written = NewEntries::default();
    for (_, clock) in clocks(history) {
        let deadline = match clock.state {
            ClockState::Waiting => later(at, Duration::from_secs(clock.seconds.into())),
            ClockState::Paused { deadline, since } => later(deadline, between(since, at)),
            ClockState::Running { .. } => continue,
        };
        let body = Body::Resumed(Resumed { decision: clock.decision.clone(), deadline });
        written.drafts.push(Draft { at, ..context.draft(&body) });
    }
    match written.drafts.is_empty() {
        true => Err(WriteError::NotNow("no clock is paused or waiting")),
        false => Ok(written),
    }
}

/// Stops every running clock. An empty `reason` means none.
pub fn pause_clocks(context: &mut WriteContext<'_>, history: &History, reason: &str) -> Result<NewEntries, WriteError> {
    let at = now(context, history);
    let mut written = NewEntries::default();
    let mut over = false;
    for (_, clock) in clocks(history) {
        let Some(deadline) = clock.deadline() else { continue };
        if at > deadline {
            over = true;
            continue;
        }
        let seq = place(history, written.drafts.len());
        let reason = match reason.trim() {
            "" => None,
            reason => Some(context.word(&mut written, seq, "reason", reason)?),
        };
        let body = Body::Paused(Paused { decision: clock.decision.clone(), reason });
        written.drafts.push(Draft { at, ..context.draft(&body) });
    }
    match (written.drafts.is_empty(), over) {
        (false, _) => Ok(written),
        (true, true) => Err(WriteError::NotNow("time is up already, and the question is closing")),
        (true, false) => Err(WriteError::NotNow("no clock runs")),
    }
}

/// Adds time to a decision's clock.
pub fn extend_clock(
    context: &mut WriteContext<'_>,
    history: &History,
    decision: &DecisionId,
    seconds: u32,
    reason: &str,
) -> Result<NewEntries, WriteError> {
    let at = now(context, history);
    let clock = clocks(history).find(|(_, clock)| clock.decision == *decision).map(|(_, clock)| clock);
    let clock = clock.ok_or(NO_CLOCK)?;
    let deadline = clock.deadline().ok_or(WriteError::NotNow("the clock is paused: start it first"))?;
    if at > deadline {
        return Err(WriteError::NotNow("time is up already, and the question is closing"));
    }
    if seconds == 0 {
        return Err(WriteError::Missing("say how many seconds are given"));
    }
    if seconds > clock.may_give() {
        return Err(WriteError::NotNow(
            "that is more than may be given: at most as much as was on the clock at first, all extensions together. \
             Where it takes longer, pause the clock",
        ));
    }
    if reason.trim().is_empty() {
        return Err(WriteError::Missing("say why time is given: everybody can read it"));
    }
    let mut written = NewEntries::default();
    let reason = Some(context.word(&mut written, place(history, 0), "reason", reason)?);
    let deadline = later(deadline, Duration::from_secs(seconds.into()));
    let body = Extended { decision: decision.clone(), seconds, deadline, bank: None, outage: None, reason };
    written.drafts.push(Draft { at, ..context.draft(&Body::Extended(body)) });
    Ok(written)
}

/// Starts the next extension of the asked seat, whose time is up.
pub fn spend_extension(
    context: &WriteContext<'_>,
    history: &History,
    decision: &DecisionId,
) -> Result<NewEntries, WriteError> {
    let at = now(context, history);
    let (open, clock) = clocks(history).find(|(_, clock)| clock.decision == *decision).ok_or(NO_CLOCK)?;
    let deadline = clock.deadline().filter(|deadline| at > *deadline);
    let deadline = deadline.ok_or(WriteError::NotNow("the time is not over"))?;
    let none = WriteError::NotNow("the seat has no extension left for this");
    let [SeatWord(seat)] = open.asked.seats.as_slice() else { return Err(none) };
    let (seconds, left) = history.next_extension(&open.asked.what, *seat).ok_or(none)?;
    let body = Extended {
        decision: decision.clone(),
        seconds,
        deadline: later(deadline, Duration::from_secs(seconds.into())),
        bank: Some(BankExtension { seat: SeatWord(*seat), left }),
        outage: None,
        reason: None,
    };
    Ok(NewEntries { drafts: vec![Draft { at, ..context.draft(&Body::Extended(body)) }], ..NewEntries::default() })
}

/// Gives every running clock back what outages took from it, which may be nothing. They must be in order.
#[must_use]
pub fn make_up(context: &WriteContext<'_>, history: &History, outages: &[Outage]) -> NewEntries {
    // Another node's clock may have measured the outage, and be ahead of this one.
    let at = outages.iter().map(|outage| outage.until).fold(now(context, history), Moment::max);
    let mut written = NewEntries::default();
    for (_, clock) in clocks(history) {
        let mut clock = clock.clone();
        for outage in outages {
            let (Some(deadline), Some(seconds)) = (clock.deadline(), clock.lost(*outage)) else { continue };
            let deadline = later(deadline, Duration::from_secs(seconds.into()));
            let (decision, outage) = (clock.decision.clone(), *outage);
            let body = Extended { decision, seconds, deadline, bank: None, outage: Some(outage), reason: None };
            let draft = Draft { at, ..context.draft(&Body::Extended(body)) };
            let (entry, by, change) = (history.head.next, draft.by.clone(), Change::MadeUp { outage, seconds });
            clock.changes.push(ClockChange { entry, at, by, change });
            clock.state = ClockState::Running { deadline };
            written.drafts.push(draft);
        }
    }
    written
}

fn clocks(history: &History) -> impl Iterator<Item = (&OpenDecision, &Clock)> {
    let open = history.open.iter().filter(|open| open.sealed.is_empty());
    open.filter_map(|open| Some((open, history.clock(&open.asked.decision)?)))
}

/// The time of the new entry: now, or, if the clock was set back, that of the entry before it. The sums of deadlines
/// use these times.
fn now(context: &WriteContext<'_>, history: &History) -> Moment {
    context.at.max(history.last_at)
}
