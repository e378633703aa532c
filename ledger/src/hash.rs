//! A SHA-256 value and its two notations: lower-case hex in entries, standard base64 in notes and checkpoints.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use thiserror::Error;

use crate::serde_as_text::serde_as_text;

/// The 32 bytes of a SHA-256 (FIPS 180-4). Displayed and read as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Hash([u8; 32]);

/// An error in the text of a [`struct@Hash`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum HashError {
    /// Not 64 lower-case hex digits.
    #[error("a hash is 64 lower-case hex digits")]
    NotHex,
    /// Not the standard, padded base64 of 32 bytes.
    #[error("a hash in base64 is 44 characters of the standard alphabet, with padding, for 32 bytes")]
    NotBase64,
}

impl Hash {
    /// 32 zero bytes: the predecessor named by the first entry of a match. Not the hash of anything.
    pub const ZERO: Self = Self([0; 32]);

    /// A hash of these 32 bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Writes standard base64 with padding (RFC 4648, section 4): 44 characters.
    #[must_use]
    pub fn to_base64(&self) -> String {
        STANDARD.encode(self.0)
    }

    /// Reads the text that [`Hash::to_base64`] writes.
    ///
    /// # Errors
    /// [`HashError::NotBase64`] for another alphabet, missing padding, stray bits or another length.
    pub fn from_base64(text: &str) -> Result<Self, HashError> {
        let bytes = STANDARD.decode(text).map_err(|_| HashError::NotBase64)?;
        bytes.try_into().map(Self).map_err(|_| HashError::NotBase64)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 64];
        hex::encode_to_slice(self.0, &mut digits).map_err(|_| fmt::Error)?;
        f.write_str(str::from_utf8(&digits).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({self})")
    }
}

impl FromStr for Hash {
    type Err = HashError;

    fn from_str(text: &str) -> Result<Self, HashError> {
        read_lower_hex(text).map(Self).ok_or(HashError::NotHex)
    }
}

impl From<[u8; 32]> for Hash {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl TryFrom<&[u8]> for Hash {
    type Error = std::array::TryFromSliceError;

    fn try_from(bytes: &[u8]) -> Result<Self, Self::Error> {
        bytes.try_into().map(Self)
    }
}

impl AsRef<[u8]> for Hash {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

serde_as_text!(Hash);

/// Reads 64 lower-case hex digits. Upper case is refused, so that a value has only one notation. Written by hand for
/// speed: a match has hundreds of hashes.
pub(crate) fn read_lower_hex(text: &str) -> Option<[u8; 32]> {
    let (pairs, []) = text.as_bytes().as_chunks() else { return None };
    let pairs: &[[u8; 2]; 32] = pairs.try_into().ok()?;
    let (mut bytes, mut all) = ([0; 32], 0);
    for (byte, pair) in bytes.iter_mut().zip(pairs) {
        let [high, low] = pair.map(digit);
        all |= high | low;
        *byte = high << 4 | low;
    }
    (all < 16).then_some(bytes)
}

const fn digit(sign: u8) -> u8 {
    match sign {
        b'0'..=b'9' => sign - b'0',
        b'a'..=b'f' => sign - b'a' + 10,
        _ => u8::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_notations_round_trip() {
        let hash = Hash::new(std::array::from_fn(|i| i as u8 * 8));
        assert_eq!(hash.to_string().parse(), Ok(hash));
        assert_eq!(Hash::from_base64(&hash.to_base64()), Ok(hash));
        assert_eq!(Hash::ZERO.to_string(), "0".repeat(64));
        assert_eq!(serde_json::to_string(&hash).unwrap(), format!("\"{hash}\""));
        assert_eq!(serde_json::from_str::<Hash>(&format!("\"{hash}\"")).unwrap(), hash);
    }

    #[test]
    fn in_each_place_of_a_hash_a_digit_and_nothing_else_is_accepted() {
        for (place, sign) in (0..64).flat_map(|place| (0..128u8).map(move |sign| (place, char::from(sign)))) {
            let text: String = (0..64).map(|at| if at == place { sign } else { '7' }).collect();
            assert_eq!(text.parse::<Hash>().is_ok(), "0123456789abcdef".contains(sign), "{sign:?}");
            assert!(text.parse::<Hash>().is_ok_and(|hash| hash.to_string() == text) || text.parse::<Hash>().is_err());
        }
    }
}
