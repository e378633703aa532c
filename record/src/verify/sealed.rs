//! Finding 3: the answers that count were sealed before anything was opened, and opened to their seals.

use engine::name_seats;

use super::finding::{Detail, Finding, Status, count};
use super::log_check::{LogCheck, ProofGrade};
use super::signed::{self, grade};
use super::vouched::PlayerCheck;
use crate::history::{History, Mode};
use crate::rule::Rule;

pub(super) fn finding(history: &History, evidence: &LogCheck, players: &PlayerCheck) -> Finding {
    let seals = history.seals.iter().filter(|seal| seal.asked.is_some()).count();
    if history.opened.mode == Mode::Imported {
        let summary = "Nothing was sealed: the match was over when it was entered.";
        return Finding::new(3, Status::NotShown, summary).with_faults(history);
    }
    let closed: usize = history.seals.iter().map(|seal| seal.opened_by.iter().filter(|by| by.is_none()).count()).sum();
    let grade = grade(history, players);
    let graded = signed::graded(history, grade);
    let mut summary = format!(
        "{} entered the record before any of them was opened, and every opening fits its seal. {}",
        count(seals, "submission", "submissions"),
        name_seats(&graded, history.both_names())
    );
    if closed > 0 {
        summary.push_str(&format!(" {} closed.", count(closed, "value is still", "values are still")));
    }
    let by_host = history.opened.wait.is_none() && evidence.seals.contains(&ProofGrade::Signed);
    if history.opened.mode == Mode::Live || evidence.newest.is_some() {
        summary.push_str(&before(evidence));
        if by_host {
            summary.push_str(" The match waited for no witnesses, so that order is the host's word.");
        }
    }
    let shown = evidence.seals.iter().all(|shown| *shown == ProofGrade::Signed);
    let status = match history.opened.mode {
        _ if closed > 0 && !history.is_ended() => Status::NotYet,
        Mode::Live if !shown => Status::NotShown,
        _ => Status::Holds,
    };
    let mut finding = Finding::new(3, status, summary);
    if !shown {
        finding = finding.says(Rule::SealNotShown);
    }
    if by_host {
        finding = finding.says(Rule::OrderByHost);
    }
    if !signed::sent_nothing(history).is_empty() {
        finding = finding.says(Rule::SentNothing);
    }
    finding.details.extend(signed::details(history));
    finding.details.extend(players.details(history));
    for seal in history.seals.iter().filter(|seal| history.is_ended() && seal.opened_by.iter().any(Option::is_none)) {
        let text = "this seal was never opened: the decision closed without it";
        finding.details.push(Detail::note(Rule::NeverOpened, text, Some(seal.entry), None));
    }
    finding.with_faults(history)
}

fn before(evidence: &LogCheck) -> String {
    let all = evidence.seals.len();
    match evidence.seals.iter().filter(|shown| **shown == ProofGrade::Signed).count() {
        _ if all == 0 => String::new(),
        0 => " This copy does not show that a signed checkpoint covered them before anything was opened.".to_owned(),
        some if some == all => format!(
            " A signed checkpoint covered {} that counted before anything was opened.",
            if all == 1 { "the one".to_owned() } else { format!("all {all}") }
        ),
        some => format!(
            " Of {all} that counted, {some} are shown to have been under a signed checkpoint before anything was opened."
        ),
    }
}
