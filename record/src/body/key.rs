//! A seat's key, and its signatures.

use ledger::{Commitment, PlayerKey, PlayerSignature, SubmitId};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::{SeatWord, Tree};

/// `key`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// The seat.
    pub seat: SeatWord,
    /// The Ed25519 public key, base64.
    pub key: PlayerKey,
    /// The commitment to a registered player's vouching for the key.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub player: Option<Commitment>,
}

/// The signature of a submission. All else that it covers is in the entry and in the one that asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubmitSignature {
    /// The client's id of the submission.
    pub submit: SubmitId,
    /// The last tree that the player had verified.
    pub tree: Tree,
    /// Ed25519, base64.
    pub signature: PlayerSignature,
}

/// The signature of the opening of a share. All else that it covers is in the entry and in those that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenSignature {
    /// The tree over the list of shares that the player had verified.
    pub tree: Tree,
    /// Ed25519, base64.
    pub signature: PlayerSignature,
}

/// Reads a value whose key is left out if there is none: `null` is not a second way to say so.
pub(super) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Reads a mark whose key is left out where it is not set: `false` is not a second way to say so.
pub(super) fn mark<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    match bool::deserialize(deserializer)? {
        true => Ok(true),
        false => Err(D::Error::custom("a mark that is not set is left out")),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(super) const fn is_unset(mark: &bool) -> bool {
    !*mark
}

/// Reads a value whose key is always there, also where it is `null`: one that is left out is not a second way to say so.
pub(super) fn required<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::deserialize(deserializer)
}
