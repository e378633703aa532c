//! Rounds of a public randomness beacon (drand), which nobody can know before their time.
//!
//! Networks of drand's scheme `bls-unchained-g1-rfc9380` alone: a signature depends on nothing but the network's key and
//! the round's number. Whether one is valid, the crate `beacon` says: this one has no curve.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::hash::Hash;
use crate::moment::Moment;
use crate::serde_as_text::serde_as_text;

/// The longest name of a network.
const NAME_MAX_BYTES: usize = 64;

/// The hash by which drand names a network: that of its chain. 64 lower-case hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NetworkHash(pub Hash);

/// The number of a round, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Round(u64);

/// A network's signature of a round: a compressed point of G1. 96 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoundSignature([u8; 48]);

/// A network's public key: a compressed point of G2. 192 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NetworkKey([u8; 96]);

/// A network that somebody knows, from elsewhere than a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    /// Its name among people, such as `quicknet`.
    pub name: String,
    /// Its hash.
    pub hash: NetworkHash,
    /// Its key.
    pub key: NetworkKey,
    /// The time of round 1, in seconds since 1970.
    pub genesis: u32,
    /// The seconds from one round to the next.
    pub period: u32,
}

/// The reason why a text is not what it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BeaconError {
    /// Not a round.
    #[error("a round is a number from 1 to 9007199254740991")]
    Round,
    /// Not a signature.
    #[error("the signature of a round is 96 lower-case hex digits")]
    Signature,
    /// Not a key.
    #[error("the key of a beacon's network is 192 lower-case hex digits")]
    Key,
    /// Not a network.
    #[error(
        "a beacon's network is its name, its hash, its key, the second of its first round, and its period in seconds"
    )]
    Network,
}

impl Round {
    /// The first round.
    pub const FIRST: Self = Self(1);
    /// Numbers in entries are no larger.
    const MAX: u64 = (1 << 53) - 1;

    /// The round of this number.
    pub const fn new(number: u64) -> Result<Self, BeaconError> {
        if number == 0 || number > Self::MAX { Err(BeaconError::Round) } else { Ok(Self(number)) }
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl Network {
    /// drand's quicknet, run by the League of Entropy: <https://drand.love/docs/> and
    /// <https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/info>.
    #[must_use]
    pub fn quicknet() -> Self {
        const HASH: [u8; 32] = [
            0x52, 0xdb, 0x9b, 0xa7, 0x0e, 0x0c, 0xc0, 0xf6, 0xea, 0xf7, 0x80, 0x3d, 0xd0, 0x74, 0x47, 0xa1, 0xf5, 0x47,
            0x77, 0x35, 0xfd, 0x3f, 0x66, 0x17, 0x92, 0xba, 0x94, 0x60, 0x0c, 0x84, 0xe9, 0x71,
        ];
        const KEY: [u8; 96] = [
            0x83, 0xcf, 0x0f, 0x28, 0x96, 0xad, 0xee, 0x7e, 0xb8, 0xb5, 0xf0, 0x1f, 0xca, 0xd3, 0x91, 0x22, 0x12, 0xc4,
            0x37, 0xe0, 0x07, 0x3e, 0x91, 0x1f, 0xb9, 0x00, 0x22, 0xd3, 0xe7, 0x60, 0x18, 0x3c, 0x8c, 0x4b, 0x45, 0x0b,
            0x6a, 0x0a, 0x6c, 0x3a, 0xc6, 0xa5, 0x77, 0x6a, 0x2d, 0x10, 0x64, 0x51, 0x0d, 0x1f, 0xec, 0x75, 0x8c, 0x92,
            0x1c, 0xc2, 0x2b, 0x0e, 0x17, 0xe6, 0x3a, 0xaf, 0x4b, 0xcb, 0x5e, 0xd6, 0x63, 0x04, 0xde, 0x9c, 0xf8, 0x09,
            0xbd, 0x27, 0x4c, 0xa7, 0x3b, 0xab, 0x4a, 0xf5, 0xa6, 0xe9, 0xc7, 0x6a, 0x4b, 0xc0, 0x9e, 0x76, 0xea, 0xe8,
            0x99, 0x1e, 0xf5, 0xec, 0xe4, 0x5a,
        ];
        Self {
            name: "quicknet".to_owned(),
            hash: NetworkHash(Hash::new(HASH)),
            key: NetworkKey(KEY),
            genesis: 1_692_803_367,
            period: 3,
        }
    }

    /// The second of a round: genesis + (n - 1) periods. Nobody knows its signature before.
    #[must_use]
    pub const fn second_of(&self, round: Round) -> u64 {
        (self.genesis as u64).saturating_add((round.0 - 1).saturating_mul(self.period as u64))
    }

    /// The moment of a round; the last moment that there is for one behind it.
    #[must_use]
    pub fn time_of(&self, round: Round) -> Moment {
        let micros = i64::try_from(self.second_of(round)).ok().and_then(|seconds| seconds.checked_mul(1_000_000));
        micros.and_then(|micros| Moment::from_micros(micros).ok()).unwrap_or(Moment::MAX)
    }

    /// The first round whose time is not before this one.
    #[must_use]
    pub fn round_from(&self, moment: Moment) -> Round {
        let micros = u64::try_from(moment.micros()).unwrap_or_default();
        let since = micros.div_ceil(1_000_000).saturating_sub(self.genesis.into());
        Round(since.div_ceil(self.period.max(1).into()).saturating_add(1).min(Round::MAX))
    }
}

impl FromStr for Network {
    type Err = BeaconError;

    fn from_str(text: &str) -> Result<Self, BeaconError> {
        let &[name, hash, key, genesis, period] = text.split(' ').collect::<Vec<_>>().as_slice() else {
            return Err(BeaconError::Network);
        };
        let number = |text: &str| crate::decimal::read_decimal(text).and_then(|number| u32::try_from(number).ok());
        let is_name = (1..=NAME_MAX_BYTES).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic());
        Ok(Self {
            name: Some(name.to_owned()).filter(|_| is_name).ok_or(BeaconError::Network)?,
            hash: NetworkHash(hash.parse().map_err(|_| BeaconError::Network)?),
            key: key.parse()?,
            genesis: number(genesis).ok_or(BeaconError::Network)?,
            period: number(period).filter(|period| *period > 0).ok_or(BeaconError::Network)?,
        })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {} {}", self.name, self.hash, self.key, self.genesis, self.period)
    }
}

impl fmt::Display for NetworkHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for NetworkHash {
    type Err = BeaconError;

    fn from_str(text: &str) -> Result<Self, BeaconError> {
        text.parse().map(Self).map_err(|_| BeaconError::Network)
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Round {
    type Err = BeaconError;

    fn from_str(text: &str) -> Result<Self, BeaconError> {
        Self::new(crate::decimal::read_decimal(text).ok_or(BeaconError::Round)?)
    }
}

impl<'de> Deserialize<'de> for Round {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(u64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// Bytes that are written and read as lower-case hex digits.
macro_rules! bytes_as_hex {
    ($name:ident, $bytes:literal, $error:expr) => {
        impl $name {
            /// The bytes.
            #[must_use]
            pub const fn bytes(&self) -> &[u8; $bytes] {
                &self.0
            }

            /// Of these bytes.
            #[must_use]
            pub const fn new(bytes: [u8; $bytes]) -> Self {
                Self(bytes)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&hex::encode(self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl FromStr for $name {
            type Err = BeaconError;

            fn from_str(text: &str) -> Result<Self, BeaconError> {
                let mut bytes = [0; $bytes];
                let lower = text.bytes().all(|sign| matches!(sign, b'0'..=b'9' | b'a'..=b'f'));
                hex::decode_to_slice(text, &mut bytes).ok().filter(|()| lower).ok_or($error)?;
                Ok(Self(bytes))
            }
        }

        serde_as_text!($name);
    };
}

bytes_as_hex!(RoundSignature, 48, BeaconError::Signature);
bytes_as_hex!(NetworkKey, 96, BeaconError::Key);

#[cfg(test)]
#[path = "beacon/tests.rs"]
mod tests;
