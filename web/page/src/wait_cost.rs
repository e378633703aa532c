//! The time that a match took because it waits for the log's witnesses, in sentences.

use std::time::Duration;

use record::{History, StepRecord, WaitRecord};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitCost {
    openings: usize,
    passed: usize,
    total: Duration,
    longest: Duration,
}

impl WaitCost {
    fn of<'w>(waits: impl Iterator<Item = &'w WaitRecord>) -> Self {
        waits.fold(Self::default(), |cost, wait| Self {
            openings: cost.openings + 1,
            passed: cost.passed + usize::from(!wait.witnessed),
            total: cost.total + wait.waited(),
            longest: cost.longest.max(wait.waited()),
        })
    }

    pub fn of_steps(history: &History, steps: &[&StepRecord]) -> Option<String> {
        let of_step = |wait: &&WaitRecord| steps.iter().any(|step| step.entry == wait.entry);
        let cost = Self::of(history.waits.iter().filter(of_step));
        let time = tenths(cost.total);
        match (cost.openings, cost.passed) {
            (0, _) => None,
            (_, 0) => Some(format!("It opened once enough of the log\u{2019}s witnesses had seen it, after {time} s.")),
            _ => Some(format!(
                "It opened without enough of the log\u{2019}s witnesses, after {time} s: the limit had passed."
            )),
        }
    }

    pub fn of_match(history: &History) -> Option<String> {
        let limit = history.opened.wait?;
        let cost = Self::of(history.waits.iter());
        let mut words = format!("waited for before anything opens, at most {limit} s");
        match cost.openings {
            0 => {}
            1 => words.push_str(&format!(". So far once, {} s", tenths(cost.total))),
            openings => {
                let (total, longest) = (tenths(cost.total), tenths(cost.longest));
                words.push_str(&format!(". So far {openings} times, {total} s in all, {longest} s the longest"));
            }
        }
        if cost.passed > 0 {
            words.push_str(&format!(". Opened without them, because the limit had passed: {}", cost.passed));
        }
        Some(words)
    }
}

pub(super) fn tenths(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64())
}
