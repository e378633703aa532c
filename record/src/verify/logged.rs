//! Finding 2: the entries are in the public log, and nobody was shown a different log.

use ledger::policy::QuorumStatus;

use super::finding::{Detail, Finding, Status, count};
use super::log_check::{LogCheck, Newest, ProofGrade, Trust};
use super::witnessed::Waits;
use crate::bundle::TreeMention;
use crate::history::History;
use crate::rule::Rule;

pub(super) fn finding(history: &History, evidence: &LogCheck) -> Finding {
    let finding = match &evidence.newest {
        Some(newest) => shown(history, evidence, newest),
        None if history.origin.is_practice() => {
            let summary =
                "This is practice: its entries were never in a public log, and nobody signed the trees that they name.";
            Finding::new(2, Status::NotShown, summary).says(Rule::NoCheckpoint)
        }
        None => not_shown(history, evidence),
    };
    finding.with_faults(history)
}

fn not_shown(history: &History, evidence: &LogCheck) -> Finding {
    let named = evidence.trees.iter().map(|(naming, _)| naming).filter(|naming| !naming.seen);
    let summary = match named.clone().next_back() {
        None => {
            "This copy carries no signed checkpoint, so it does not show that the entries are in the public log.".into()
        }
        Some(last) => format!(
            "The match names {} of the public log, the last with {} entries. This copy carries no signed checkpoint, so it does not show that they are in it.",
            count(named.count(), "state", "states"),
            last.tree.size
        ),
    };
    let mut finding = Finding::new(2, Status::NotShown, summary).says(Rule::NoCheckpoint);
    finding.details = Waits::of(history, evidence, false).details;
    finding
}

fn shown(history: &History, evidence: &LogCheck, newest: &Newest) -> Finding {
    let last = history.head.next.0.saturating_sub(1);
    let after = last.saturating_sub(newest.entry.0);
    let (entry, size) = (newest.entry, newest.tree.size);
    let mut summary = if newest.covers {
        format!("Entry {entry}, and with it every one before it, is in the tree of {size} entries that the log signed.")
    } else {
        format!("The log signed a tree of {size} entries. This copy does not show that the whole match is in it.")
    };
    let (trusted, words) = trust(&newest.trust);
    summary.push_str(words);
    summary.push_str(&of_terms(newest));
    let open: Vec<_> = evidence.trees.iter().filter(|(_, shown)| *shown != ProofGrade::Signed).collect();
    if let all @ 1.. = evidence.trees.len() {
        let (signed, seen) = (all - open.len(), evidence.trees.iter().filter(|(naming, _)| naming.seen).count());
        summary.push_str(&match open.len() {
            0 => format!(" It extends {} that the match names, each signed.", every(all)),
            _ => format!(" Of {} that the match names, it extends {signed} that were signed.", every(all)),
        });
        if seen > 0 {
            let shown = evidence.trees.iter().filter(|(naming, is)| naming.seen && *is == ProofGrade::Signed).count();
            let agree = if shown == 1 { "agrees" } else { "agree" };
            let states = count(seen, "state", "states");
            summary.push_str(&format!(" {shown} of {states} that players had seen and signed {agree}."));
        }
    }
    if newest.covers && after > 0 {
        summary.push_str(&format!(
            " {} not yet under a checkpoint.",
            count(to(after), "entry after it is", "entries after it are")
        ));
    }
    let waits = Waits::of(history, evidence, newest.trust.asks());
    summary.push_str(&waits.summary);
    let status = match trusted {
        _ if !newest.covers => Status::NotShown,
        _ if after > 0 => Status::NotYet,
        _ if !open.is_empty() => Status::NotShown,
        Status::Holds if !waits.shown => Status::NotShown,
        status => status,
    };
    let mut finding = Finding::new(2, status, summary).says(newest.trust.rule());
    if after > 0 || !newest.covers {
        finding = finding.says(Rule::AfterCheckpoint);
    }
    finding.details = details(newest);
    finding.details.extend(evidence.untimely());
    finding.details.extend(waits.details);
    finding.details.extend(open.into_iter().map(|(named, is)| tree_not_shown(named, *is, newest)));
    finding
}

fn of_terms(newest: &Newest) -> String {
    let mut words = String::new();
    for term in &newest.terms {
        let name = term.key.name();
        if !term.is_named() {
            words.push_str(&format!(
                " It goes on as {name} under a key that its key before did not name: compare it with the operator\u{2019}s word."
            ));
        }
        if term.lost() > 0 {
            let lost = term.lost();
            words.push_str(&format!(" Of what it had signed before it was {name}, the last {lost} entries are lost."));
        }
    }
    words
}

fn tree_not_shown(named: &TreeMention, grade: ProofGrade, newest: &Newest) -> Detail {
    let why = match (grade, named.tree.size > newest.tree.size) {
        (ProofGrade::Unknown, _) => "was signed under a name of the log that the policy does not know",
        (ProofGrade::Extended, _) => "is a beginning of the log, but the log never signed it",
        (_, true) => "is larger than the newest checkpoint",
        _ => "came along without its proof",
    };
    let text = format!("the tree of {} entries {why}", named.tree.size);
    Detail::note(Rule::TreeNotShown, text, Some(named.entry), None)
}

impl Trust {
    const fn rule(&self) -> Rule {
        match self {
            Self::Claimed => Rule::ClaimedKey,
            Self::Known { .. } => Rule::Witnesses,
        }
    }

    const fn asks(&self) -> bool {
        matches!(self, Self::Known { asks: true, .. })
    }
}

fn trust(trust: &Trust) -> (Status, &'static str) {
    match trust {
        Trust::Claimed => (
            Status::Reported,
            " No file can show by itself that the key is the log's own: compare it, or check under a policy.",
        ),
        Trust::Known { asks: false, .. } => {
            (Status::Holds, " The policy knows the log's key, and asks for no witnesses.")
        }
        Trust::Known { quorum: QuorumStatus::Witnessed, .. } => {
            (Status::Holds, " The policy knows the log's key, and as many witnesses cosigned as it asks for.")
        }
        Trust::Known { quorum: QuorumStatus::NotWitnessed, .. } => {
            (Status::NotShown, " The policy knows the log's key, but fewer witnesses cosigned than it asks for.")
        }
    }
}

fn details(newest: &Newest) -> Vec<Detail> {
    let tell = |rule, text: String| Detail::note(rule, text, Some(newest.entry), None);
    let mut details = vec![
        tell(
            Rule::Newest,
            format!("checkpoint of {}: {} entries, root {}", newest.origin, newest.tree.size, newest.tree.root),
        ),
        tell(Rule::Newest, format!("signed by {}", newest.key)),
    ];
    details.extend(newest.terms.iter().map(|term| {
        let named = if term.is_named() { "which its key before named" } else { "which its key before did not name" };
        let text = format!("the log goes on as {} from {} entries, {named}", term.key.name(), term.common.size);
        tell(Rule::Newest, text)
    }));
    if let Trust::Known { witnesses, unchecked, .. } = &newest.trust {
        let who =
            if witnesses.is_empty() { "no witness that the policy knows".to_owned() } else { witnesses.join(", ") };
        details.push(tell(Rule::Witnesses, format!("cosigned by {who}")));
        details.extend(unchecked.iter().map(|name| {
            let text = "has a key of a kind that cannot be checked here (ML-DSA), so it counts as absent";
            tell(Rule::Witnesses, format!("the witness {name} of the policy {text}"))
        }));
    }
    if !newest.strangers.is_empty() {
        let who = newest.strangers.join(", ");
        details.push(tell(
            Rule::Strangers,
            format!("signatures that were not checked, because no policy here knows their keys: {who}"),
        ));
    }
    details
}

fn every(n: usize) -> String {
    if n == 1 { "the one state".to_owned() } else { format!("{n} states") }
}

fn to(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}
