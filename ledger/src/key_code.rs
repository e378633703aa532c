//! A private key as a code that a person can carry: 56 letters and digits, with a check against slips.
//!
//! `docs/record-format.md`, "The code of a player's key". A browser writes and reads the same code.

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::ed25519::SecretKey;
use crate::serde_as_text::debug_hidden;

/// The letters: no I, L, O and U.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH: usize = 56;
const CHECK: usize = 3;
const DOMAIN: &str = "matchbook/player-key/1\n";

/// A registered player's private key, as its player keeps it. Secret: `Debug` does not show it, and only
/// [`letters`](Self::letters) does.
#[derive(Clone)]
pub struct KeyCode([u8; 32]);

/// The reason why a text is no code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum KeyCodeError {
    /// A sign that no code has.
    #[error("no code has {0:?} in it: codes are digits and capital letters, without I, L, O and U")]
    Sign(char),
    /// Too many or too few letters.
    #[error("a code has 14 groups of four, and here are {0} letters and digits instead of 56")]
    Length(usize),
    /// The check does not fit.
    #[error("there is a slip in this code: compare it group by group")]
    Slip,
}

impl KeyCode {
    /// The code of a seed (RFC 8032, section 5.1.5).
    #[must_use]
    pub const fn new(seed: [u8; 32]) -> Self {
        Self(seed)
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> SecretKey {
        SecretKey::from_seed(&self.0)
    }

    /// Writes it in groups of four.
    #[must_use]
    pub fn letters(&self) -> String {
        let bytes: Vec<u8> = self.0.iter().copied().chain(self.check()).collect();
        let mut text = String::new();
        for at in 0..LENGTH {
            if at > 0 && at % 4 == 0 {
                text.push(' ');
            }
            let bits = (at * 5..at * 5 + 5).fold(0, |bits, bit| {
                let byte = bytes.get(bit / 8).copied().unwrap_or_default();
                bits << 1 | usize::from(byte >> (7 - bit % 8) & 1)
            });
            text.push(LETTERS.get(bits).copied().map(char::from).unwrap_or_default());
        }
        text
    }

    /// Reads a code as people type it: small letters, O for 0, I and L for 1, with spaces and dashes anywhere.
    pub fn read(typed: &str) -> Result<Self, KeyCodeError> {
        let mut bits = Vec::with_capacity(LENGTH * 5);
        let mut letters = 0;
        for sign in typed.chars().filter(|sign| !sign.is_whitespace() && !is_dash(*sign)) {
            let letter = match sign.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                letter => letter,
            };
            let value =
                LETTERS.iter().position(|known| char::from(*known) == letter).ok_or(KeyCodeError::Sign(sign))?;
            bits.extend((0..5).rev().map(|bit| value >> bit & 1 == 1));
            letters += 1;
        }
        if letters != LENGTH {
            return Err(KeyCodeError::Length(letters));
        }
        let bytes: Vec<u8> =
            bits.chunks(8).map(|eight| eight.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit))).collect();
        let (seed, check) = bytes.split_at_checked(32).ok_or(KeyCodeError::Slip)?;
        let code = Self(seed.try_into().map_err(|_| KeyCodeError::Slip)?);
        if check == code.check() { Ok(code) } else { Err(KeyCodeError::Slip) }
    }

    fn check(&self) -> [u8; CHECK] {
        let hash: [u8; 32] = Sha256::new().chain_update(DOMAIN).chain_update(self.0).finalize().into();
        let [first, second, third, ..] = hash;
        [first, second, third]
    }
}

const fn is_dash(sign: char) -> bool {
    matches!(sign, '-' | '\u{2010}'..='\u{2015}')
}

debug_hidden!(KeyCode);

#[cfg(test)]
mod tests {
    use super::*;

    fn code() -> KeyCode {
        KeyCode::new(std::array::from_fn(|at| at as u8))
    }

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let letters = code().letters();
        assert_eq!(letters, "000G 40R4 0M30 E209 185G R38E 1W81 24GK 2GAH C5RR 34D1 P70X 3RFV Y4BC");
        let typed = letters.to_lowercase().replace('0', "o").replace('1', "l").replace(' ', "\u{2013} ");
        assert_eq!(KeyCode::read(&typed).unwrap().letters(), letters);
        assert_eq!(KeyCode::read(&letters).unwrap().key().seed(), code().key().seed());
        assert_eq!(format!("{:?}", code()), "KeyCode(..)");
    }

    #[test]
    fn slips_are_found() {
        let letters = code().letters();
        let said = |text: &str| KeyCode::read(text).unwrap_err();
        for at in (0..letters.len()).filter(|at| letters.as_bytes()[*at] != b' ') {
            let other = if letters.as_bytes()[at] == b'7' { "8" } else { "7" };
            let slip = format!("{}{other}{}", &letters[..at], &letters[at + 1..]);
            assert_eq!(said(&slip), KeyCodeError::Slip, "{slip}");
        }
        assert_eq!(said("ABCU"), KeyCodeError::Sign('U'));
        assert_eq!(said(&letters[1..]), KeyCodeError::Length(55));
        assert_eq!(said(&format!("{letters}0")), KeyCodeError::Length(57));
    }
}
