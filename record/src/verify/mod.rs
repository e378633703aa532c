//! Checks a match, and says in plain words what was found: the eight findings, in their order.

mod complete;
mod draws;
mod finding;
mod in_time;
mod limits;
mod logged;
mod people;
mod rules;
mod sealed;

pub use finding::{Detail, Finding, Grade, Report, Status, Verdict};

use ledger::{Hash, Seq, chain, leaf_hash};

use crate::bundle::Bundle;
use crate::fold::fold;
use crate::history::{Fault, History};
use crate::secret::Secrets;

/// Checks a bundle. A failure is a result with a place, never an error.
#[must_use]
pub fn verify(bundle: &Bundle) -> Report {
    let checked = chain::check(bundle.match_id, &bundle.lines, Some(bundle.head));
    let (entries, broken) = match checked {
        Ok(chain) => (chain.entries, None),
        Err(broken) => (intact(bundle, broken.entry), Some(broken)),
    };
    let leaves: Vec<Hash> = bundle.lines.iter().take(entries.len()).map(|line| leaf_hash(line)).collect();
    let first = complete::finding(bundle, entries.len(), broken.as_ref());
    match fold(&bundle.origin, &entries, &leaves, &bundle.texts, &Secrets::new()) {
        Ok(mut history) => {
            if broken.is_none() {
                history.faults.extend(left_open(&history));
            }
            report(first, broken.map(|broken| broken.entry), &history)
        }
        Err(why) => unknown(first, broken.map(|broken| broken.entry), &why),
    }
}

/// What a whole chain must not leave open: texts without a commitment, and seals that count and that its end did not
/// open.
fn left_open(history: &History) -> Vec<Fault> {
    let stray = history.stray_texts.iter().map(|commitment| Fault {
        finding: 1,
        entry: Seq(0),
        text: "a text came along that no entry commits to".to_owned(),
        expected: "a commitment in an entry".to_owned(),
        found: commitment.to_string(),
    });
    let closed = history.ended.zip(history.closed_at).map(|((entry, _), step)| Fault {
        finding: 3,
        entry,
        text: "at the end every seal that counts is opened".to_owned(),
        expected: format!("the openings of step {step}"),
        found: "a value that is still sealed".to_owned(),
    });
    stray.chain(closed).collect()
}

/// The entries before the first that is at fault.
fn intact(bundle: &Bundle, broken: Seq) -> Vec<ledger::Entry> {
    let before = bundle.lines.iter().take(usize::try_from(broken.0).unwrap_or(usize::MAX));
    before.map_while(|line| ledger::Entry::read(line).ok()).collect()
}

fn report(first: Finding, broken: Option<Seq>, history: &History) -> Report {
    let list = vec![
        first.with_faults(history),
        logged::finding(history),
        sealed::finding(history),
        in_time::finding(history),
        draws::finding(history),
        rules::finding(history),
        people::finding(history),
        limits::finding(history),
    ];
    let failed = list.iter().filter(|finding| finding.status == Status::Failed).flat_map(|finding| &finding.details);
    let failed = failed.filter(|detail| detail.wrong).filter_map(|detail| detail.entry).chain(broken).min();
    let any = list.iter().any(|finding| finding.status == Status::Failed);
    let verdict = match failed {
        _ if any => {
            let entry = failed.unwrap_or(Seq(0));
            Verdict::Failed { entry, unaffected: unaffected(history, entry) }
        }
        _ if history.closed_at.is_some() => Verdict::NotYet { step: history.closed_at.unwrap_or(0) },
        _ => {
            let interventions = history.remarks.iter().filter(|remark| remark.ruling).count() + history.strikes.len();
            Verdict::Verified { grade: sealed::grade(history), interventions }
        }
    };
    Report { verdict, findings: list }
}

/// The last round that was complete before an entry.
fn unaffected(history: &History, entry: Seq) -> u32 {
    history.steps.iter().filter(|step| step.entry < entry).map(|step| step.row.round).max().unwrap_or(0)
}

/// The report on a match that cannot be folded.
fn unknown(mut first: Finding, broken: Option<Seq>, why: &str) -> Report {
    let verdict = match broken {
        Some(entry) => Verdict::Failed { entry, unaffected: 0 },
        None => Verdict::CannotCheck { why: why.to_owned() },
    };
    if broken.is_none() {
        first.details.push(Detail::told(why, Some(Seq(0)), None));
    }
    let rest = (2..=8).map(|number| Finding::new(number, Status::NotShown, "The match could not be read this far."));
    Report { verdict, findings: std::iter::once(first).chain(rest).collect() }
}
