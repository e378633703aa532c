//! Finding 6: the rules give the recorded steps.

use engine::Seat;

use super::finding::{Detail, Finding, Status, count};
use crate::history::History;
use crate::rule::Rule;

pub(super) fn finding(history: &History) -> Finding {
    let steps = history.steps.len();
    let ruleset = &history.opened.ruleset;
    let mut finding = match history.closed_at {
        Some(step) => Finding::new(
            6,
            Status::NotYet,
            format!(
                "Replayed by the rules of {ruleset} up to step {}; from there on values are still sealed.",
                step - 1
            ),
        ),
        None => Finding::new(
            6,
            Status::Holds,
            format!(
                "{} replayed by the rules of {ruleset}; the state after each is the one that the record names.",
                count(steps, "step was", "steps were")
            ),
        ),
    };
    if history.outcome().is_over() && !history.is_ended() {
        let text = "the match is over, and this copy has no entry that ends it";
        finding.details.push(Detail::note(Rule::NoEnd, text, history.steps.last().map(|step| step.entry), None));
    }
    let defaults = history.steps.iter().flat_map(|step| Seat::BOTH.map(|seat| (step, seat)));
    for (step, seat) in defaults.filter(|(step, seat)| step.moves[*seat].as_deref() == Some("-")) {
        let text = format!("{} sent nothing in time; the default applied", history.name(seat));
        finding.details.push(Detail::note(Rule::DefaultApplied, text, Some(step.entry), Some(step.row.round)));
    }
    finding.with_faults(history)
}
