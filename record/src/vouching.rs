//! A vouching: a registered player says, with the long-lived key, that a seat's key is the own.
//!
//! It stands in the seat's `key` entry as a commitment, like a name, because it tells who played: id and signature can be
//! withdrawn, and then the key is one that anybody could have made.

use std::fmt;
use std::str::FromStr;

use ledger::{PlayerId, PlayerSignature};

/// The field of its commitment.
pub(crate) const PLAYER: &str = "player";

/// Who vouches, and the signature. Written `<id> <signature>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vouching {
    /// The player.
    pub player: PlayerId,
    /// The signature of a [`VouchMessage`](ledger::VouchMessage).
    pub signature: PlayerSignature,
}

/// The vouching for a seat's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatVouching {
    /// Nobody vouched.
    None,
    /// Somebody vouched, and that was withdrawn or is not part of this copy.
    Withdrawn,
    /// A player vouched. That the signature holds only the player's chain shows.
    Given(Vouching),
}

/// The text is no vouching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a vouching is a player's id and a signature in base64, with a space between them")]
pub struct VouchingError;

impl SeatVouching {
    /// True if this player vouched.
    #[must_use]
    pub fn is_by(self, player: PlayerId) -> bool {
        matches!(self, Self::Given(vouching) if vouching.player == player)
    }
}

impl fmt::Display for Vouching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.player, self.signature)
    }
}

impl FromStr for Vouching {
    type Err = VouchingError;

    fn from_str(text: &str) -> Result<Self, VouchingError> {
        let (player, signature) = text.split_once(' ').ok_or(VouchingError)?;
        let player = player.parse().map_err(|_| VouchingError)?;
        Ok(Self { player, signature: signature.parse().map_err(|_| VouchingError)? })
    }
}
