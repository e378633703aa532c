//! The filter of a list as people write it, in the form in which it is compared; and the verdicts by which it filters.

use record::name_key;
use record::verify::{Grade, Report, Verdict};

pub use store::archive::filter::{Filter, ResultFilter, SeatFilter, Sort, UnknownWord, VerdictFilter};

/// The filter with its texts in the form in which they are compared.
#[must_use]
pub fn folded(filter: &Filter) -> Filter {
    let folded = |text: &Option<String>| text.as_deref().map(name_key);
    Filter {
        event: folded(&filter.event),
        player: folded(&filter.player),
        against: folded(&filter.against),
        tag: folded(&filter.tag),
        words: folded(&filter.words),
        ..filter.clone()
    }
}

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
