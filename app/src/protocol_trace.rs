//! The steps of the protocols of acknowledging, closing and signing, as events of the program's log: tests hold them against
//! the model in `model/`. They tell whether a seat has sent anything, so only a program that was built for tests says them,
//! and only if it is asked to (`MATCHBOOK_LOG=protocol=trace`).

use ledger::{DecisionId, MatchId, Sealer, TreeSize};

pub(crate) fn of_submission(step: &str, match_id: MatchId, decision: &DecisionId, seat: Sealer, ordinal: u8) {
    if cfg!(debug_assertions) {
        tracing::trace!(target: "protocol", step, %match_id, %decision, %seat, ordinal);
    }
}

/// Says a step of a decision; with the size of the tree that has it, once it is in the log.
pub(crate) fn of_decision(step: &str, match_id: MatchId, decision: &DecisionId, size: TreeSize) {
    if cfg!(debug_assertions) {
        tracing::trace!(target: "protocol", step, %match_id, %decision, size = size.0);
    }
}

pub(crate) fn of_signing(step: &str, size: TreeSize) {
    if cfg!(debug_assertions) {
        tracing::trace!(target: "protocol", step, size = size.0);
    }
}

pub(crate) fn put_back() {
    if cfg!(debug_assertions) {
        tracing::trace!(target: "protocol", step = "put-back");
    }
}
