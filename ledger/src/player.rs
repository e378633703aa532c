//! Registered players: the id, and the messages that a player's long-lived key signs.
//!
//! `docs/record-format.md`, "Registered players". A player has a chain in the log, like a match, under an id that
//! follows from the log's name and the player's first key. Each key commits to the next one. So nobody but the player
//! can go on with the chain, not even whoever has its present key. Nothing here has a name of a person.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use thiserror::Error;
use uuid::Builder;

use crate::ed25519::SecretKey;
use crate::hash::{Hash, HashError};
use crate::id::{MatchId, MatchIdError};
use crate::seal::Sealer;
use crate::serde_as_text::serde_as_text;
use crate::submit::{PlayerKey, PlayerSignature};
use crate::word::Origin;

/// A registered player. Written like a match's id, in whose place it stands in the entries of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(MatchId);

/// The commitment to a player's next key: its SHA-256. Displayed and read as 64 lower-case hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NextKeyHash(Hash);

/// The signature is not by this key, or not of this message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("this signature was not made with the player's key for this")]
pub struct NotSigned;

/// The content of a signature in a player's chain.
#[derive(Debug, Clone, Copy)]
pub struct ChainMessage<'a> {
    /// The log's name.
    pub origin: &'a Origin,
    /// The player.
    pub player: PlayerId,
    /// The act.
    pub act: ChainAct,
}

/// An act of a player in the own chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainAct {
    /// The first key, which signs this.
    Register {
        /// The key.
        key: PlayerKey,
        /// The key after it.
        next: NextKeyHash,
    },
    /// The next key, which signs this.
    Rotate {
        /// The key, to which the one before committed.
        key: PlayerKey,
        /// The key after it.
        next: NextKeyHash,
    },
    /// The end of the chain: no key of it counts any more. Signed by the present key or by the next.
    Revoke {
        /// The present key.
        key: PlayerKey,
    },
}

/// The content of a vouching: a registered player says that a seat's key is the own.
#[derive(Debug, Clone, Copy)]
pub struct VouchMessage<'a> {
    /// The log's name.
    pub origin: &'a Origin,
    /// The seat and its key.
    pub request: VouchRequest,
    /// The player who vouches.
    pub player: PlayerId,
}

/// What a seat's page asks a registered player to sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VouchRequest {
    /// The match.
    pub match_id: MatchId,
    /// The seat.
    pub seat: Sealer,
    /// The leaf hash of the match's first entry, which fixes everything that was agreed on.
    pub opened: Hash,
    /// The seat's key for this match.
    pub session: PlayerKey,
}

impl PlayerId {
    /// The id of the player with this first key in this log: SHA-256 over the lines `matchbook/player-id/1`, origin and
    /// key, of which the first 16 bytes make a UUID of version 4.
    #[must_use]
    pub fn of(origin: &Origin, first: &PlayerKey) -> Self {
        let hash: [u8; 32] = Sha256::digest(format!("matchbook/player-id/1\n{origin}\n{first}")).into();
        let mut half = [0; 16];
        for (byte, hashed) in half.iter_mut().zip(hash) {
            *byte = hashed;
        }
        Self(MatchId(Builder::from_random_bytes(half).into_uuid()))
    }

    /// The chain that entries name in the place of a match.
    #[must_use]
    pub const fn chain(self) -> MatchId {
        self.0
    }

    /// The player of a chain. Only its first entry shows that it is one.
    #[must_use]
    pub const fn of_chain(chain: MatchId) -> Self {
        Self(chain)
    }
}

impl NextKeyHash {
    /// The commitment to a key: SHA-256 over the lines `matchbook/next-key/1` and the key.
    #[must_use]
    pub fn of(key: &PlayerKey) -> Self {
        let hash: [u8; 32] = Sha256::digest(format!("matchbook/next-key/1\n{key}")).into();
        Self(Hash::new(hash))
    }
}

impl ChainMessage<'_> {
    /// The lines that are signed, joined by `\n`, without a final line break.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { origin, player, act } = self;
        match act {
            ChainAct::Register { key, next } => format!("matchbook/register/1\n{origin}\n{player}\n{key}\n{next}"),
            ChainAct::Rotate { key, next } => format!("matchbook/rotate/1\n{origin}\n{player}\n{key}\n{next}"),
            ChainAct::Revoke { key } => format!("matchbook/revoke/1\n{origin}\n{player}\n{key}"),
        }
    }

    /// Signs it.
    #[must_use]
    pub fn sign(&self, key: &SecretKey) -> PlayerSignature {
        PlayerSignature::new(key.sign(self.text().as_bytes()))
    }

    /// Checks a signature.
    pub fn check(&self, key: &PlayerKey, signature: &PlayerSignature) -> Result<(), NotSigned> {
        if key.signed(self.text().as_bytes(), signature) { Ok(()) } else { Err(NotSigned) }
    }
}

impl VouchMessage<'_> {
    /// The lines that are signed, joined by `\n`, without a final line break.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { origin, request: VouchRequest { match_id, seat, opened, session }, player } = self;
        format!("matchbook/vouch/1\n{origin}\n{match_id}\n{seat}\n{opened}\n{session}\n{player}")
    }

    /// Signs it.
    #[must_use]
    pub fn sign(&self, key: &SecretKey) -> PlayerSignature {
        PlayerSignature::new(key.sign(self.text().as_bytes()))
    }

    /// Checks a signature.
    pub fn check(&self, key: &PlayerKey, signature: &PlayerSignature) -> Result<(), NotSigned> {
        if key.signed(self.text().as_bytes(), signature) { Ok(()) } else { Err(NotSigned) }
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for PlayerId {
    type Err = MatchIdError;

    fn from_str(text: &str) -> Result<Self, MatchIdError> {
        text.parse().map(Self)
    }
}

impl fmt::Display for NextKeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for NextKeyHash {
    type Err = HashError;

    fn from_str(text: &str) -> Result<Self, HashError> {
        text.parse().map(Self)
    }
}

serde_as_text!(PlayerId, NextKeyHash);

#[cfg(test)]
mod tests;
