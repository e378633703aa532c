//! The notable events in a match's rows, for its graph: changes of the lead, the largest swing, rulings, pauses and
//! defaults.

use app::views::changes_of_lead;
use engine::{Duel, Fate, Seat};
use record::{Change, History, SheetRow, StepRecord, StepSource};

/// If more rows than this share the largest swing, swings are normal in this game and none is marked.
const MARKED_SWINGS_MAX: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum GraphEvent {
    Lead,
    Swing,
    Ruling,
    Pause,
    Default,
}

impl GraphEvent {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Lead => "the lead changes",
            Self::Swing => "the largest swing",
            Self::Ruling => "an intervention or an objection",
            Self::Pause => "the clock was paused",
            Self::Default => "no move in time",
        }
    }
}

pub(super) fn graph_events(history: &History, rows: &[SheetRow<'_>], start: Option<&Duel>) -> Vec<Vec<GraphEvent>> {
    let margin = |duel: Option<&Duel>| {
        let score = duel?.score()?;
        Some(i64::from(score.p1) - i64::from(score.p2))
    };
    let mut margins = vec![margin(start)];
    margins.extend(rows.iter().map(|row| margin(row.after())));
    let of_row = |((row, leads), swings): ((&SheetRow<'_>, bool), bool)| {
        let any = |happened: &dyn Fn(&StepRecord) -> bool| row.steps.iter().any(|step| happened(step));
        let found = [
            (leads && history.ruleset().declaration().is_none(), GraphEvent::Lead),
            (swings, GraphEvent::Swing),
            (any(&|step| is_ruled(history, step)), GraphEvent::Ruling),
            (any(&|step| was_paused(history, step)), GraphEvent::Pause),
            (any(&is_default), GraphEvent::Default),
        ];
        found.into_iter().filter(|(found, _)| *found).map(|(_, event)| event).collect()
    };
    rows.iter().zip(changes_of_lead(&margins)).zip(largest_swings(&margins)).map(of_row).collect()
}

/// Marks the rows after which the margin moved most, by more than a point. If many rows moved it equally far, none is
/// marked. Most matches have no second change of lead, and this shows where they were decided.
fn largest_swings(margins: &[Option<i64>]) -> Vec<bool> {
    let moved = margins.iter().zip(margins.iter().skip(1)).map(|pair| match pair {
        (Some(before), Some(after)) => before.abs_diff(*after),
        _ => 0,
    });
    let moved: Vec<u64> = moved.collect();
    let largest = moved.iter().copied().max().unwrap_or(0);
    let is_rare = largest > 1 && moved.iter().filter(|by| **by == largest).count() <= MARKED_SWINGS_MAX;
    moved.into_iter().map(|by| is_rare && by == largest).collect()
}

pub fn is_ruled(history: &History, step: &StepRecord) -> bool {
    let corrected = step.source == StepSource::Correction { changed: true };
    let struck = history.strikes.iter().any(|strike| strike.from == step.number);
    let remarked = history.remarks.iter().any(|remark| match remark.objects {
        Some((_, number)) => number == step.number,
        None => remark.ruling && remark.after_step == step.number && history.struck_after(remark).is_none(),
    });
    step.is_ruling() || corrected || struck || remarked || step.source == StepSource::Ruling
}

fn was_paused(history: &History, step: &StepRecord) -> bool {
    let StepSource::Decision(decision) = &step.source else { return false };
    let changes = history.clock(decision).map(|clock| clock.changes.as_slice()).unwrap_or_default();
    changes.iter().any(|change| matches!(change.change, Change::Paused { .. }))
}

fn is_default(step: &StepRecord) -> bool {
    let silent = Seat::BOTH.into_iter().any(|seat| step.moves[seat].as_deref() == Some("-"));
    silent || step.effects.iter().any(|effect| effect.fate == Fate::Defaulted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_changes_where_the_other_seat_leads_for_the_first_time() {
        let margins = [0, 2, 0, -1, 0, -3, 1].map(Some);
        assert_eq!(changes_of_lead(&margins), [false, false, true, false, false, true], "level is nobody's lead");
        assert_eq!(changes_of_lead(&[None, None]), [false]);
    }

    #[test]
    fn a_swing_is_marked_only_if_it_is_rare() {
        assert_eq!(largest_swings(&[0, 2, -3, -1].map(Some)), [false, true, false]);
        assert_eq!(largest_swings(&[0, 2, 0].map(Some)), [true, true], "two of the same size");
        assert_eq!(largest_swings(&[0, 1, 0].map(Some)), [false; 2], "a point is no swing");
        assert_eq!(largest_swings(&[0, 2, 0, 2, 0].map(Some)), [false; 4], "four of the same size");
        assert_eq!(largest_swings(&[Some(0), None, Some(9)]), [false; 2], "what is not known did not swing");
        assert_eq!(largest_swings(&[]), [false; 0]);
    }
}
