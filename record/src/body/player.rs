//! The entries of a player's chain.

use ledger::{NextKeyHash, PlayerKey, PlayerSignature};
use serde::{Deserialize, Serialize};

/// `registered` and `rotated`: a key of a player, and the commitment to the one after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerKeyEntry {
    /// The Ed25519 public key, base64.
    pub key: PlayerKey,
    /// The commitment to the next key, hex.
    pub next: NextKeyHash,
    /// The signature by `key`.
    pub signature: PlayerSignature,
}

/// `revoked`: no key of the chain counts any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevokedChain {
    /// The key that signs this: the present one, or the next.
    pub key: PlayerKey,
    /// Its signature.
    pub signature: PlayerSignature,
}

/// What a player hands in, signed: an entry of the chain without its place. As JSON, `kind` comes first and says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SignedAct {
    /// The first key.
    Registered(PlayerKeyEntry),
    /// The next key.
    Rotated(PlayerKeyEntry),
    /// The end of the chain.
    Revoked(RevokedChain),
}
