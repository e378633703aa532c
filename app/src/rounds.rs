//! Checks of a beacon's rounds, where the program has the curve.

use record::verify::RoundCheck;

/// True if the signature is the beacon's, of this round.
#[must_use]
pub fn is_signed(check: &RoundCheck) -> bool {
    beacon::is_signed(&check.network, check.round, &check.signature)
}
