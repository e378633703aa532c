//! Finding 2: the entries are in the public log.

use super::finding::{Detail, Finding, Status, count};
use crate::history::History;

/// What the checkpoints show.
pub(super) fn finding(history: &History) -> Finding {
    let mut last = 0;
    let mut grows = true;
    for (_, tree) in &history.trees {
        grows &= tree.size >= last;
        last = tree.size;
    }
    let summary = match history.trees.last() {
        None => {
            "This copy carries no signed checkpoint, so it does not show that the entries are in the public log.".into()
        }
        Some((_, tree)) => format!(
            "The match names {} of the public log, the last with {} entries. This copy carries no signed checkpoint, so it does not show that they are in it.",
            count(history.trees.len(), "state", "states"),
            tree.size
        ),
    };
    let mut finding = Finding::new(2, Status::NotShown, summary);
    if !grows {
        finding.status = Status::Failed;
        let entry = history.trees.last().map(|(entry, _)| *entry);
        finding.details.push(Detail { wrong: true, ..Detail::told("the log became smaller", entry, None) });
    }
    finding
}
