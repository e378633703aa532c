//! Checks a match, and reports the result in plain words: the eight findings, in their order.

mod advantages;
mod answered;
mod beacon_rounds;
mod cannot_show;
mod check;
mod complete;
mod draws;
mod finding;
mod in_time;
mod interventions;
mod late;
mod log_check;
mod logged;
mod rules;
mod sealed;
mod shares;
mod signed;
mod succession;
mod vouched;
mod witnessed;

pub use beacon_rounds::RoundCheck;
pub use check::Check;
pub use finding::{Detail, DrawGrade, Finding, Grade, LogProof, Report, Status, Verdict};
pub use interventions::Interventions;

use ledger::Policy;

use crate::bundle::Bundle;
use crate::known_player::KnownPlayer;

/// Checks a bundle. A failure is a result with a place, never an error.
#[must_use]
pub fn verify(bundle: &Bundle) -> Report {
    Check::of(bundle, None).report()
}

/// Checks a bundle, and the log's signatures by a policy.
#[must_use]
pub fn verify_by(bundle: &Bundle, policy: &Policy) -> Report {
    Check::of(bundle, Some(policy)).report()
}

/// Checks a bundle, the log's signatures by a policy if there is one, and the players against those that the reader
/// knows.
#[must_use]
pub fn verify_players(bundle: &Bundle, policy: Option<&Policy>, known: &[KnownPlayer]) -> Report {
    Check::of(bundle, policy).with_players(known).report()
}
