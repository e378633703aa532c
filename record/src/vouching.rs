//! A vouching: a registered player says, with the long-lived key, that a seat's key is the own.
//!
//! It stands in the seat's `key` entry as a commitment, like a name, because it tells who played: id and signature can be
//! withdrawn, and then the key is one that anybody could have made.

use std::fmt;
use std::str::FromStr;

use ledger::{LeafIndex, Origin, PlayerId, PlayerKey, PlayerSignature, Seq, TreeSize, VouchMessage, VouchRequest};

use crate::player_chain::{ChainKey, PlayerChain};

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

/// The reason why a vouching does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VouchFault {
    /// The chain, or an entry of it from before the opening, is under no checkpoint from before the opening.
    #[error("the player's key is not under a checkpoint from before the match was opened")]
    NotBefore {
        /// The place of the first entry that is not under it.
        at: LeafIndex,
    },
    /// The chain had ended.
    #[error("the player's keys were revoked before the match was opened")]
    Revoked {
        /// The entry of the chain.
        entry: Seq,
    },
    /// Another key signed, or something else was signed.
    #[error(
        "the vouching is not signed by the last key that the player had before the match was opened, for this match, seat and key"
    )]
    NotSigned {
        /// The key that had to sign.
        present: Box<PlayerKey>,
        /// The key of the chain that did.
        other: Option<Box<PlayerKey>>,
    },
}

/// The places in the log that decide which key vouches.
#[derive(Clone, Copy, Debug)]
pub struct VouchPlaces<'a> {
    /// The places of the chain's entries.
    pub chain: &'a [LeafIndex],
    /// The place of the match's first entry.
    pub opened: LeafIndex,
    /// The size of the last tree that was signed before it.
    pub before: TreeSize,
}

/// The text is no vouching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a vouching is a player's id and a signature in base64, with a space between them")]
pub struct VouchingError;

impl VouchPlaces<'_> {
    /// The chain as it was when the match was opened.
    #[must_use]
    pub fn then(&self, chain: &PlayerChain) -> PlayerChain {
        let older = self.chain.iter().take_while(|place| **place < self.opened).count();
        chain.before(Seq(u32::try_from(older).unwrap_or(u32::MAX)))
    }
}

impl Vouching {
    /// The key that vouched, and its number in the chain, from 1: the last one that the chain had before the opening.
    /// Places decide, and never times.
    pub fn key_of(
        &self,
        origin: &Origin,
        chain: &PlayerChain,
        places: VouchPlaces<'_>,
        request: VouchRequest,
    ) -> Result<(ChainKey, usize), VouchFault> {
        let older = places.chain.iter().take_while(|place| **place < places.opened).count();
        let covered = places.chain.iter().take_while(|place| places.before.covers(**place)).count();
        if older > covered || older == 0 {
            return Err(VouchFault::NotBefore { at: places.chain.get(covered).copied().unwrap_or_default() });
        }
        let then = places.then(chain);
        if let Some((entry, _)) = then.revoked {
            return Err(VouchFault::Revoked { entry });
        }
        let message = VouchMessage { origin, request, player: self.player };
        let signed = |known: &&ChainKey| message.check(&known.key, &self.signature).is_ok();
        match then.present().filter(signed) {
            Some(present) => Ok((*present, then.keys.len())),
            None => Err(VouchFault::NotSigned {
                // A chain that is not empty has a key, revoked or not.
                present: Box::new(then.present().map_or(request.session, |present| present.key)),
                other: chain.keys.iter().find(signed).map(|other| Box::new(other.key)),
            }),
        }
    }
}

impl SeatVouching {
    /// The player who vouched, as far as this copy tells.
    #[must_use]
    pub const fn player(self) -> Option<PlayerId> {
        match self {
            Self::Given(vouching) => Some(vouching.player),
            Self::None | Self::Withdrawn => None,
        }
    }

    /// True if this player vouched.
    #[must_use]
    pub fn is_by(self, player: PlayerId) -> bool {
        self.player() == Some(player)
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
