//! The link from a moment of a match to the statistics. It needs no query: a match that has ended is counted, so its own moments
//! show which counts exist.

use app::statistics::{OPENING_STEPS, counts};
use app::views::{Beat, StepAnswer, VisibleMatch, match_address};
use record::{History, SheetRow};

/// The explorer's address at a moment: all matches in exactly this situation. It leads to no empty page: a match is counted once
/// it has ended and is not void, and no two matches share a situation in which the host drew.
pub fn explorer_address(history: &History, row: &SheetRow<'_>, beat: Beat) -> Option<String> {
    let (first, last) = (row.steps.first()?, row.steps.last()?);
    let next = match beat {
        Beat::Before | Beat::Choices => first.number,
        Beat::Act(number) => first.number + u32::from(number),
        Beat::After => last.number + 1,
    };
    let steps = usize::try_from(next).ok().filter(|steps| counts(history) && *steps <= OPENING_STEPS)?;
    let answered = history.steps.get(..steps)?.iter().all(|step| {
        let before = history.before(step.number);
        before.is_some_and(|before| StepAnswer::of(&VisibleMatch::public(history), before, step).is_some())
    });
    let address = match_address(history.match_id);
    let slug = address.rsplit('/').next()?;
    answered.then(|| format!("/statistics/{}/explore?match={slug}&step={next}", history.opened.ruleset))
}
