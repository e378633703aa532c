//! Finding 6: the rules give the recorded steps.

use engine::Seat;

use super::finding::{Detail, Finding, Status, count};
use crate::history::{History, StepRecord, StepSource};
use crate::rule::Rule;

/// No rules were replayed: the answers are of the kinds that the opening declares, and the rest is the umpire's word.
fn declared(history: &History) -> Finding {
    let answers = history.steps.iter().flat_map(|step| Seat::BOTH.map(|seat| (step, seat)));
    let answers = answers.filter(|(step, seat)| step.moves[*seat].is_some()).count();
    let said = history.steps.iter().filter(|step| step.is_said()).count();
    let summary = format!(
        "{} of the kinds that the opening declares. {} the umpire’s word: no rules were replayed.",
        count(answers, "answer is", "answers are"),
        count(said, "outcome is", "outcomes are")
    );
    Finding::new(6, Status::Reported, summary).says(Rule::Announced)
}

fn is_default(step: &StepRecord, seat: Seat) -> bool {
    let is_answer = matches!(step.source, StepSource::Decision(_)) && step.is_of(seat);
    let sent = step.seals.iter().any(|seal| seal.whose == seat.into());
    step.moves[seat].as_deref() == Some("-") || is_answer && step.after.is_some() && !sent
}

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
        None if history.ruleset().declaration().is_some() => declared(history),
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
    for (step, seat) in defaults.filter(|(step, seat)| is_default(step, *seat)) {
        let text = format!("{} sent nothing in time; the default applied", history.name(seat));
        finding.details.push(Detail::note(Rule::DefaultApplied, text, Some(step.entry), Some(step.row.round)));
    }
    finding.with_faults(history)
}
