//! Finding 4: the answers that count came in time.

use std::collections::BTreeMap;

use ledger::Seq;

use super::finding::{Detail, Finding, Status, count};
use super::{advantages, late};
use crate::body::Outage;
use crate::clock::{Change, Clock, seconds};
use crate::history::{History, Mode, StepSource};
use crate::rule::Rule;
use crate::seal::SealGrade;
use crate::wait::WaitRecord;

pub(super) fn finding(history: &History) -> Finding {
    let dated = || format!("Entries are dated from {} to {}, never backwards.", history.opened_at, history.last_at);
    let (status, summary) = match history.opened.mode {
        Mode::Imported => (Status::NotShown, "The times of play are not part of an imported match.".to_owned()),
        Mode::Recorded => {
            let summary = "The umpire typed what came, so no clock of the record ran.";
            (Status::NotShown, format!("{summary} {}", dated()))
        }
        Mode::Live => live(history, &dated()),
    };
    let mut finding = Finding::new(4, status, summary);
    finding.details.extend(history.clocks.iter().filter(|clock| is_changed(clock)).map(|clock| sum(history, clock)));
    finding.details.extend(outages(history));
    finding.details.extend(waited(history));
    finding.details.extend(late::details(history));
    finding.details.extend(advantages::details(history));
    finding.with_faults(history)
}

fn live(history: &History, dated: &str) -> (Status, String) {
    let early = history.early_closes.len();
    let (status, mut summary) = if history.opened.clocks == Some(true) {
        let what = "By the server's clock, what counted came before its deadline and before it entered the record.";
        (if early == 0 { Status::Holds } else { Status::Reported }, what.to_owned())
    } else {
        let what = "The umpire closed the questions, so there were no deadlines. By the server's clock, what counted \
                    came before it entered the record.";
        (Status::NotShown, what.to_owned())
    };
    if early > 0 {
        let which = count(early, "question was", "questions were");
        summary.push_str(&format!(" {which} closed before time was up, while a seat had sent nothing."));
    }
    let typed = history.seals.iter().filter(|seal| seal.grade == Some(SealGrade::Umpire)).count();
    if typed > 0 {
        let which = count(typed, "move was", "moves were");
        let came = if typed == 1 { "it" } else { "they" };
        summary.push_str(&format!(" {which} typed by the umpire. Only the umpire says when {came} came."));
    }
    (status, format!("{summary} {dated}"))
}

fn is_changed(clock: &Clock) -> bool {
    clock.changes.iter().any(|change| change.change != Change::Started)
}

fn sum(history: &History, clock: &Clock) -> Detail {
    let answers = StepSource::Decision(clock.decision.clone());
    let round = history.steps.iter().find(|step| step.source == answers).map(|step| step.row.round);
    let text = format!("{}: {}", history.question_words(&clock.decision, &clock.what), clock.sum(6));
    Detail::note(Rule::ClockSum, text, Some(clock.entry), round)
}

/// Each outage for which clocks were given time. That it happened, and when, only the server says.
fn outages(history: &History) -> Vec<Detail> {
    let mut outages: BTreeMap<Outage, (Seq, u32)> = BTreeMap::new();
    for change in history.clocks.iter().flat_map(|clock| &clock.changes) {
        if let Change::MadeUp { outage, seconds } = change.change {
            let (_, most) = outages.entry(outage).or_insert((change.entry, 0));
            *most = seconds.max(*most);
        }
    }
    let told = outages.into_iter().map(|(Outage { from, until }, (entry, given))| {
        let text = format!(
            "the server says that it took no moves from {from} to {until}, and gave {given} s back for it. Nothing \
             proves that"
        );
        Detail::note(Rule::Outages, text, Some(entry), None)
    });
    told.collect()
}

fn waited(history: &History) -> Option<Detail> {
    let limit = history.opened.wait?;
    let waited = || history.waits.iter().map(WaitRecord::waited);
    let longest = waited().max()?;
    let text = format!(
        "waited for the log\u{2019}s witnesses before {}: {} s in all, at most {} s, with a limit of {limit} s. No clock \
         ran for what came next",
        count(history.waits.len(), "opening", "openings"),
        seconds(waited().sum()),
        seconds(longest)
    );
    Some(Detail::note(Rule::Waited, text, None, None))
}
