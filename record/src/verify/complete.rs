//! Finding 1: every entry is here, in its place, chained to the one before it.

use ledger::Seq;
use ledger::chain::BrokenChain;

use super::finding::{Detail, Finding, Status, count};
use crate::bundle::Bundle;
use crate::fold::Unopened;
use crate::rule::Rule;

pub(super) fn finding(bundle: &Bundle, intact: usize, broken: Option<&BrokenChain>) -> Finding {
    let entries = bundle.lines.len();
    let Some(broken) = broken else {
        let summary = format!(
            "All {} are here: numbered without a gap, and each names the one before it by its hash.",
            count(entries, "entry", "entries")
        );
        return Finding::new(1, Status::Holds, summary);
    };
    let summary = format!(
        "The chain breaks at entry {}. The {} before it are in order; what follows was not looked at.",
        broken.entry,
        count(intact, "entry", "entries")
    );
    let mut finding = Finding::new(1, Status::Failed, summary);
    finding
        .details
        .push(Detail { wrong: true, ..Detail::note(Rule::Chain, broken.fault.to_string(), Some(broken.entry), None) });
    finding
}

/// The same for a match whose first entry opens none here: it is wrong, or a newer program wrote it.
pub(super) fn unopened(mut finding: Finding, why: &Unopened) -> Finding {
    match why {
        Unopened::Fault(fault) => {
            finding.details.push(Detail {
                expected: Some(fault.expected.clone()),
                found: Some(fault.found.clone()),
                wrong: true,
                ..Detail::note(fault.rule, fault.text.as_str(), Some(fault.entry), None)
            });
            if finding.status != Status::Failed {
                finding.status = Status::Failed;
                finding.summary = format!("{} wrong here.", count(1, "thing is", "things are"));
            }
        }
        Unopened::Unknown(why) => {
            finding.details.push(Detail::note(Rule::Unread, why.as_str(), Some(Seq(0)), None));
            if finding.status == Status::Holds {
                finding.status = Status::Reported;
            }
        }
    }
    finding
}
