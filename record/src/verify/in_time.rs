//! Finding 4: what counts came in time.

use super::finding::{Finding, Status};
use crate::history::{History, Mode};

/// What the clocks show.
pub(super) fn finding(history: &History) -> Finding {
    let summary = match history.opened.mode {
        Mode::Imported => "The times of play are not part of an imported match.".to_owned(),
        Mode::Live | Mode::Recorded => format!(
            "The umpire typed what came, so no clock of the record ran. Entries are dated from {} to {}, never backwards.",
            history.opened_at, history.last_at
        ),
    };
    Finding::new(4, Status::NotShown, summary).with_faults(history)
}
