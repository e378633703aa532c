//! Advantages from changes of clocks: answers that were in time only because time was given or a clock was stopped,
//! questions that closed early, and answers that entered the record long after their time.

use std::time::Duration;

use engine::Seat;
use ledger::Moment;

use super::finding::Detail;
use crate::clock::{Change, Clock, between, seconds};
use crate::early_close::{EarlyClose, FinalClose, TimeLeft};
use crate::history::History;
use crate::rule::Rule;
use crate::seal::{SealGrade, SealRecord};

/// The delay after the deadline from which a player's answer is reported as entered late. A close takes seconds; for a
/// later entry only the server, which may have been down, says that it came in time.
const HELD: Duration = Duration::from_secs(60);

pub(super) fn details(history: &History) -> Vec<Detail> {
    let mut details: Vec<Detail> = history.early_closes.iter().map(|early| closed_early(history, early)).collect();
    details.extend(history.final_closes.iter().map(|close| closed_by_finals(history, close)));
    for clock in &history.clocks {
        let of = history.seals.iter().filter(|seal| seal.asked.is_some() && seal.decision == clock.decision);
        for (seal, seat, came) in of.filter_map(|seal| Some((seal, seal.whose.seat()?, seal.came?))) {
            let gained = if stood_still(clock, came) {
                Some((Rule::GainedTime, "came while the clock was paused".to_owned()))
            } else {
                let given = in_given(clock, came).map(|gained| (Rule::GainedTime, gained));
                given.or_else(|| Some((Rule::EnteredLate, held(clock, seal)?)))
            };
            if let Some((rule, gained)) = gained {
                let text = format!("{}: {gained}", history.seat_words(seat, &clock.decision));
                details.push(Detail::note(rule, text, Some(seal.entry), None));
            }
        }
    }
    details
}

fn closed_early(history: &History, early: &EarlyClose) -> Detail {
    let names: Vec<&str> = early.seats.iter().map(|seat: &Seat| history.name(*seat)).collect();
    let when = before(early.left);
    let EarlyClose { decision, what, by, .. } = early;
    let question = history.question_words(decision, what);
    let text = format!("{question}: closed by {by} {when}, with nothing from {}", names.join(" and "));
    Detail::note(Rule::ClosedEarly, text, Some(early.entry), None)
}

/// A question that closed because all answers were final. It shows that both seats were done by then.
fn closed_by_finals(history: &History, close: &FinalClose) -> Detail {
    let FinalClose { entry, decision, what, left } = close;
    let question = history.question_words(decision, what);
    let text = format!("{question}: closed {}, as all moves were final", before(*left));
    Detail::note(Rule::ClosedByFinals, text, Some(*entry), None)
}

fn before(left: TimeLeft) -> String {
    match left {
        TimeLeft::NotBegun => "before its clock had begun".to_owned(),
        TimeLeft::Stopped => "while its clock was paused".to_owned(),
        TimeLeft::Time(left) => format!("{} s before its time was up", seconds(left)),
    }
}

fn stood_still(clock: &Clock, came: Moment) -> bool {
    let mut since = None;
    for change in &clock.changes {
        match change.change {
            Change::Paused { .. } => since = Some(change.at),
            Change::Resumed { .. } if since.take().is_some_and(|since| since < came && came <= change.at) => {
                return true;
            }
            _ => {}
        }
    }
    since.is_some_and(|since| since < came)
}

fn in_given(clock: &Clock, came: Moment) -> Option<String> {
    let deadline = clock.deadline().filter(|deadline| clock.given() > 0 && came <= *deadline)?;
    let left = between(came, deadline);
    let into = Duration::from_secs(clock.given().into()).checked_sub(left).filter(|into| !into.is_zero())?;
    Some(format!("came {} s into the {} s that were given", seconds(into), clock.given()))
}

fn held(clock: &Clock, seal: &SealRecord) -> Option<String> {
    let after = between(clock.deadline()?, seal.at);
    let sent = seal.grade.is_some_and(|grade| grade > SealGrade::Umpire);
    (sent && after > HELD).then(|| {
        format!("entered the record {} s after its deadline; only the server says that it came before", seconds(after))
    })
}
