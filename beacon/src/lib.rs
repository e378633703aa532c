//! Checks the signatures of a public randomness beacon's rounds: BLS on the curve BLS12-381, by drand's scheme
//! `bls-unchained-g1-rfc9380`.
//!
//! It is a crate of its own, so that a browser loads the curve only for a match that used a beacon.

#[cfg(target_arch = "wasm32")]
mod boundary;
#[cfg(feature = "signing")]
mod signing;

use drand_verify::{G2PubkeyRfc, Pubkey};
use ledger::{Network, NetworkKey, Round, RoundSignature};

#[cfg(feature = "signing")]
pub use signing::{NetworkSecret, RoundLie};

/// True if the signature is the network's own, of this round.
#[must_use]
pub fn is_signed(network: &Network, round: Round, signature: &RoundSignature) -> bool {
    is_signed_by(&network.key, round, signature)
}

/// True if the signature is by this key, of this round.
fn is_signed_by(key: &NetworkKey, round: Round, signature: &RoundSignature) -> bool {
    let key = G2PubkeyRfc::from_fixed(*key.bytes());
    // A key or a signature that is no point of its group signs nothing.
    key.is_ok_and(|key| key.verify(round.number(), b"", signature.bytes()).is_ok_and(|valid| valid))
}

#[cfg(test)]
mod tests;
