//! Notes beside the moves: rulings, remarks, objections, strikes, and pauses of the clock.

use app::views::{RuleLink, VisibleMatch};
use record::words::{result_sentence, sentence};
use record::{Change, Clock, CommittedText, History, Remark, SheetRow, StepRecord, StepSource};

use super::{WaitCost, When};

#[derive(Clone, Debug)]
pub struct Note {
    pub ruling: bool,
    pub title: String,
    pub text: String,
    pub rule: Option<RuleLink>,
    pub by: String,
    pub at: Option<When>,
}

impl Note {
    pub fn of_row(visible: &VisibleMatch<'_>, row: &SheetRow<'_>) -> Vec<Self> {
        let clock = row.steps.iter().flat_map(|step| Self::of_clock(visible, step));
        let place = |remark: &Remark| remark.objects.map_or(remark.after_step, |(_, step)| step);
        let is_here = |remark: &&Remark| row.steps.iter().any(|step| step.number == place(remark));
        // A ruling that decides is shown as a step. A remark on a struck round stays with that round.
        let stays = |remark: &&Remark| remark.result.is_none() && visible.history.struck_after(remark).is_none();
        let remarks = visible.history.remarks.iter().filter(stays).filter(is_here);
        let waited = WaitCost::of_steps(visible.history, &row.steps).map(Self::of_wait);
        clock.chain(waited).chain(remarks.map(|remark| Self::of_remark(visible, remark))).collect()
    }

    fn of_wait(text: String) -> Self {
        Self { ruling: false, title: "Witnesses.".to_owned(), text, rule: None, by: String::new(), at: None }
    }

    pub(super) fn of_passed_limit(history: &History, step: &StepRecord) -> Option<Self> {
        let passed = history.waits.iter().any(|wait| wait.entry == step.entry && !wait.witnessed);
        WaitCost::of_steps(history, &[step]).filter(|_| passed).map(Self::of_wait)
    }

    pub(super) fn of_remark(visible: &VisibleMatch<'_>, remark: &Remark) -> Self {
        let rule = remark.rule.as_deref().map(|rule| RuleLink::written(visible.history.ruleset(), rule));
        let title = match remark.objects {
            Some((seat, step)) => {
                format!("{} objects to step {step}: this is not what I sent.", visible.history.name(seat))
            }
            None => format!("{}.", visible.history.remark_title(remark)),
        };
        let text = match (&remark.text, remark.result) {
            (CommittedText::Withdrawn, _) => "Its text was withdrawn.".to_owned(),
            (CommittedText::Text(text), Some(result)) => {
                format!("{} {}", result_sentence(result, visible.names()), sentence(text))
            }
            (CommittedText::Text(text), None) => sentence(text),
        };
        let (by, at) = (visible.by(&remark.by), Some(When::minute(remark.at)));
        let ruling = remark.ruling || remark.objects.is_some();
        Self { ruling, title, text, rule, by, at }
    }

    pub(super) fn of_clock(visible: &VisibleMatch<'_>, step: &StepRecord) -> Vec<Self> {
        let StepSource::Decision(decision) = &step.source else { return Vec::new() };
        let changes = visible.history.clock(decision).map_or(&[][..], |clock: &Clock| &clock.changes);
        let notes = changes.iter().enumerate().filter_map(|(n, change)| {
            let title = match &change.change {
                Change::Paused { .. } => match changes.get(n + 1).map(|next| &next.change) {
                    Some(Change::Resumed { excluded }) => {
                        format!("The clock was paused for {} s.", excluded.as_secs())
                    }
                    _ => "The clock was paused.".to_owned(),
                },
                Change::Extended { seconds, .. } => format!("{seconds} s were added."),
                Change::MadeUp { seconds, .. } => {
                    format!("The server was offline; {seconds} s were added to make up for it.")
                }
                Change::Started | Change::Resumed { .. } | Change::Spent { .. } => return None,
            };
            let reason = change.change.reason().map(|reason| sentence(reason.or("the reason was withdrawn")));
            let text = reason.unwrap_or_default();
            let (by, at) = (visible.by(&change.by), Some(When::minute(change.at)));
            Some(Self { ruling: false, title, text, rule: None, by, at })
        });
        notes.collect()
    }
}
