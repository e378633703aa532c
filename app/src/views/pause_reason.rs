//! The reason of a pause, as long as it lasts.

use record::words::sentence;
use record::{Change, Clock, ClockState};

#[must_use]
pub fn pause_reason(clock: &Clock) -> Option<String> {
    if !matches!(clock.state, ClockState::Paused { .. }) {
        return None;
    }
    let newest = clock.changes.iter().rev().find_map(|change| match &change.change {
        Change::Paused { reason } => Some(reason.as_ref()),
        _ => None,
    });
    newest.flatten().map(|reason| sentence(reason.or("The reason was withdrawn")))
}
