//! The verdicts by which a list filters.

use record::verify::{Grade, Report, Verdict};

use store::archive::filter::VerdictFilter;

/// The filter that the verdict of a check passes, if it is as large as its proof.
#[must_use]
pub const fn report_filter(report: &Report) -> VerdictFilter {
    if report.is_good() && !report.is_accepted() { VerdictFilter::Pending } else { verdict_filter(&report.verdict) }
}

#[must_use]
pub const fn verdict_filter(found: &Verdict) -> VerdictFilter {
    match found {
        Verdict::Verified { ended: false, .. } => VerdictFilter::Pending,
        Verdict::Verified { grade: Grade::Imported, .. } => VerdictFilter::Imported,
        Verdict::Verified { interventions, .. } if interventions.total() == 0 => VerdictFilter::Verified,
        Verdict::Verified { .. } => VerdictFilter::Rulings,
        Verdict::NotYet { .. } => VerdictFilter::Pending,
        Verdict::CannotCheck { .. } | Verdict::Practice => VerdictFilter::Unknown,
        Verdict::Failed { .. } => VerdictFilter::Failed,
    }
}
