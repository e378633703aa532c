//! Finding 5: nobody could choose what was drawn.

use super::finding::{Detail, Finding, Status, count};
use crate::history::History;

/// What can be said of each draw.
pub(super) fn finding(history: &History) -> Finding {
    let drawn: Vec<_> = history.steps.iter().filter(|step| step.public.starts_with("host:")).collect();
    if drawn.is_empty() {
        return Finding::new(5, Status::Holds, "Nothing was drawn.").with_faults(history);
    }
    let summary = format!(
        "{} drawn elsewhere and typed in. That they keep to the rules is checked; that they were drawn fairly is not checkable here.",
        count(drawn.len(), "draw was", "draws were")
    );
    let mut finding = Finding::new(5, Status::NotShown, summary);
    for step in drawn {
        let text = format!("not checkable: {}", step.text.as_deref().unwrap_or(&step.public));
        finding.details.push(Detail::told(text, Some(step.entry), Some(step.row.round)));
    }
    finding.with_faults(history)
}
