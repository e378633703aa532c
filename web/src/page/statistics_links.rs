//! The links from a moment of a match to the statistics. They need no query: a match that has ended is counted, so its
//! own moments show which counts exist.

use app::statistics::{OPENING_STEPS, counts};
use app::views::{Beat, StepAnswer, VisibleMatch, match_address};
use record::{History, SheetRow, StepRecord};

use super::followers_address;

/// The links from a moment to the statistics, as text and address: to all matches in exactly this situation, and to the
/// answers after the same moves. No link leads to an empty page: a match is counted once it has ended and is not void,
/// and no two matches share a situation in which the host drew.
pub(crate) fn statistics_links(history: &History, row: &SheetRow<'_>, beat: Beat) -> Vec<(&'static str, String)> {
    if !counts(history) {
        return Vec::new();
    }
    let (Some(first), Some(last)) = (row.steps.first(), row.steps.last()) else { return Vec::new() };
    let next = match beat {
        Beat::Before | Beat::Choices => first.number,
        Beat::Act(number) => first.number + u32::from(number),
        Beat::After => last.number + 1,
    };
    let here = explorer_address(history, next).map(|address| ("Explore from here", address));
    let followed = (beat == Beat::After).then(|| followers(history, last)).flatten();
    here.into_iter().chain(followed.map(|address| ("What followed these moves elsewhere", address))).collect()
}

fn explorer_address(history: &History, number: u32) -> Option<String> {
    let steps = usize::try_from(number).ok().filter(|steps| *steps <= OPENING_STEPS)?;
    let so_far = history.steps.get(..steps)?;
    let answered = so_far.iter().all(|step| answer(history, step).is_some());
    let address = match_address(history.match_id);
    let slug = address.rsplit('/').next()?;
    answered.then(|| format!("/statistics/{}/explore?match={slug}&step={number}", history.opened.ruleset))
}

/// The answers after the moves of this step, if the same question was asked again in this match.
fn followers(history: &History, step: &StepRecord) -> Option<String> {
    let moves = answer(history, step)?;
    let again = |later: &StepRecord| {
        later.number > step.number && answer(history, later).is_some_and(|later| later.what == moves.what)
    };
    history.steps.iter().any(again).then_some(())?;
    let kinds = moves.kinds(history.before(step.number)?).map(Option::unwrap_or_default);
    Some(followers_address(&history.opened.ruleset, moves.what, &kinds.p1, &kinds.p2))
}

fn answer(history: &History, step: &StepRecord) -> Option<StepAnswer> {
    StepAnswer::of(&VisibleMatch::public(history), history.before(step.number)?, step)
}
