//! Finding 1: every entry is here, in its place, chained to the one before it.

use ledger::chain::BrokenChain;

use super::finding::{Detail, Finding, Status, count};
use crate::bundle::Bundle;
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
