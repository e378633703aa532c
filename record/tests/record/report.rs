//! What a report says, as tests ask for it.

use std::collections::BTreeSet;

use record::Rule;
use record::verify::{Detail, Report, Status};

/// All details of a report.
pub(crate) fn details(report: &Report) -> impl Iterator<Item = &Detail> {
    report.findings.iter().flat_map(|finding| &finding.details)
}

/// The findings that fail.
pub(crate) fn failing(report: &Report) -> Vec<u8> {
    report.findings.iter().filter(|finding| finding.status == Status::Failed).map(|finding| finding.number).collect()
}

/// The rules that a report finds broken, each once, in their order.
pub(crate) fn broken(report: &Report) -> BTreeSet<Rule> {
    details(report).filter(|detail| detail.wrong).map(|detail| detail.rule).collect()
}

/// The rules of which a report says something without failing.
pub(crate) fn said(report: &Report) -> BTreeSet<Rule> {
    let of_summaries = report.findings.iter().flat_map(|finding| &finding.rules).copied();
    details(report).filter(|detail| !detail.wrong).map(|detail| detail.rule).chain(of_summaries).collect()
}

/// What a report says by a rule.
pub(crate) fn said_by(report: &Report, rule: Rule) -> Vec<&str> {
    details(report).filter(|detail| detail.rule == rule).map(|detail| detail.text.as_str()).collect()
}

/// The summary of a finding and all of its details.
pub(crate) fn told(report: &Report, finding: usize) -> String {
    let finding = &report.findings[finding - 1];
    let details = finding.details.iter().map(|detail| detail.text.as_str());
    [finding.summary.as_str()].into_iter().chain(details).collect::<Vec<_>>().join(" | ")
}

/// What is wrong by a finding.
pub(crate) fn wrong(report: &Report, finding: usize) -> Vec<&str> {
    let details = report.findings[finding - 1].details.iter();
    details.filter(|detail| detail.wrong).map(|detail| detail.text.as_str()).collect()
}
