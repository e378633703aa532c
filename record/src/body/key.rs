//! A seat's key, and what is signed with it.

use ledger::{PlayerKey, PlayerSignature, SubmitId};
use serde::{Deserialize, Deserializer, Serialize};

use super::{Seated, Tree};

/// `key`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Whose.
    pub seat: Seated,
    /// The Ed25519 public key, base64.
    pub key: PlayerKey,
}

/// The signature of a submission. Everything else that it covers stands in the entry and in the one that asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubmitSignature {
    /// The client's name for the submission.
    pub submit: SubmitId,
    /// The last tree that the player had verified.
    pub tree: Tree,
    /// Ed25519, base64.
    pub signature: PlayerSignature,
}

/// Reads a key that is left out where there is nothing: `null` is no second way to say so.
pub(super) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
